package shards

import (
	"slices"
	"strings"

	"seam/shared/sentence"
	"seam/shared/token"
)

// longestPart is the approximate number of tokens in a chunk's part that has its own
// vector. One vector for a long chunk is not near to any question about a single thing in
// it.
const longestPart = 256

// Readings returns the texts that an encoder embeds for pages: the parts of every chunk,
// below the titles of its page and sections. parts holds the number of parts of each chunk,
// in page order. If a site has too many parts to store, every chunk is a single part.
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

// partsOf splits a text between sentences into parts of nearly equal length. It makes as
// few as possible with about longestPart tokens each. A remainder at the end is its own
// part, and a longer sentence stays whole.
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
