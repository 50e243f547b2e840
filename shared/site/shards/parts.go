package shards

import (
	"slices"
	"strings"

	"seam/shared/sentence"
	"seam/shared/token"
)

// longestPart is about how many tokens of a chunk have a vector of their own. A vector of all
// that a long chunk says is near to no question about one thing in it.
const longestPart = 256

// Readings are the texts of which an encoder makes the vectors of pages: the parts of every
// chunk below the title of its page and those of the sections around. parts tells how many
// there are of each chunk, in the order of the pages. Of a site with so many that too little
// could be told of each, every chunk is one part.
func Readings(pages []Page, tokens token.Counter) (texts []string, parts []int) {
	all := 0
	var cut [][]string
	for _, p := range pages {
		for _, c := range p.Chunks {
			list := partsOf(c.Text, tokens)
			cut = append(cut, list)
			all += len(list)
		}
	}
	whole := !fits(all)
	at := 0
	for _, p := range pages {
		for _, c := range p.Chunks {
			titles := []string{p.Title}
			for _, s := range c.Section {
				if !slices.Contains(titles, s) {
					titles = append(titles, s)
				}
			}
			list := cut[at]
			if whole {
				list = []string{c.Text}
			}
			for _, part := range list {
				texts = append(texts, strings.Join(titles, " > ")+"\n"+part)
			}
			parts = append(parts, len(list))
			at++
		}
	}
	return texts, parts
}

// partsOf cuts a text between sentences into parts of equal length, as near as sentences
// allow: as few as there can be of longestPart tokens. What is left over at the end is a part
// of its own; a longer sentence stays whole.
func partsOf(t string, tokens token.Counter) (parts []string) {
	all := tokens.Count(t)
	n := (all + longestPart - 1) / longestPart
	if n <= 1 {
		return []string{t}
	}
	start, length := 0, 0
	for _, s := range sentence.Split(t) {
		count := tokens.Count(s.Of(t))
		if length > 0 && (2*length+count)*n > 2*all { // nearer to an equal share without it
			parts = append(parts, strings.TrimSpace(t[start:s.Start]))
			start, length = s.Start, 0
		}
		length += count
	}
	return append(parts, strings.TrimSpace(t[start:]))
}
