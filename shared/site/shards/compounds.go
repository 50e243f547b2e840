package shards

import (
	"slices"
	"strings"
	"unicode/utf8"

	"seam/shared/index"
)

// links are letters inserted between the words of a compound.
var links = []string{"", "s", "n", "en", "es", "er", "e", "ens"}

// inflections are endings of the last word.
var inflections = []string{"", "en", "es", "er", "em", "e", "n", "s", "ern"}

// closing lists noun endings that take an s before another word. A compound with one of
// these needs no other evidence.
var closing = []string{"ungs", "heits", "keits", "schafts", "ions", "täts", "tums"}

// Limits for compounds and their words: lengths in letters, and the weight of a compound's
// word relative to a separate word.
const (
	shortestCompound = 8
	longestCompound  = 48
	shortestWord     = 4
	shortestAlone    = 6 // of a known word next to an unknown one
	ofCompound       = .5
)

// compounds makes chunks findable by the words in their compounds, if the site contains
// those words or an ending shows the boundary. It uses the site's own words, because no
// dictionary covers the words of every subject.
func (b *builder) compounds() {
	if !index.Compounding(b.language) {
		return
	}
	known := map[string]bool{}
	all := make([]string, 0, len(b.forms))
	for w := range b.forms {
		all = append(all, w)
		if s := index.Stem(w, b.language); utf8.RuneCountInString(s) >= shortestWord {
			known[s] = true
		}
		known[w] = true
	}
	for _, w := range index.FunctionWords(b.language) {
		delete(known, w)
	}
	slices.Sort(all)
	s := splitter{known: known}
	found := map[string][]int{} // chunks, by words of compounds
	for _, w := range all {
		words := s.words(w)
		if len(words) == 0 {
			continue
		}
		in := b.forms[w].chunks()
		for _, part := range words {
			found[part] = append(found[part], in...)
		}
	}
	for part, in := range found {
		b.form([]byte(part)).find(in)
		b.expands = true
	}
}

// chunks returns the chunks that contain a form, or are below a heading with it.
func (f *gathered) chunks() (in []int) {
	for chunk := range f.body.all {
		in = append(in, chunk)
	}
	for _, x := range f.headings {
		for i := range x.n {
			in = append(in, int(x.chunk+i))
		}
	}
	return in
}

// find makes chunks findable by a word of their compounds, except those that already are.
func (f *gathered) find(in []int) {
	known := map[int]bool{}
	for _, x := range f.expanded {
		known[int(x.chunk)] = true
	}
	slices.Sort(in)
	for _, chunk := range slices.Compact(in) {
		if !known[chunk] {
			f.expanded = append(f.expanded, posting{chunk: int32(chunk), n: ofCompound * finest})
		}
	}
	slices.SortFunc(f.expanded, func(x, y posting) int { return int(x.chunk - y.chunk) })
}

// splitter finds the words of compounds.
type splitter struct {
	known map[string]bool // forms and stems
}

// words returns the strings by which a compound can be found: its words, and the compound
// without its first or last words. It returns none for a word that is not a compound.
func (s splitter) words(w string) []string {
	if n := utf8.RuneCountInString(w); n < shortestCompound || n > longestCompound || strings.ContainsFunc(w, notSpelt) || strings.Contains(w, "_") {
		return nil
	}
	cuts := s.cuts(w)
	var out []string
	add := func(part string) {
		if part != w && part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	for i, c := range cuts {
		from := 0
		if i > 0 {
			from = cuts[i-1].next
		}
		add(w[from:c.end]) // the word before the cut
		add(w[:c.end])     // all before it
		add(w[c.next:])    // all after it
	}
	return out
}

// cut is the end of one word of a compound and the start of the next.
type cut struct{ end, next int }

// cuts divides a word into known words. If that fails, it divides at places that endings
// show, otherwise before or after a known word.
func (s splitter) cuts(w string) []cut {
	if all := s.divide(w); all != nil {
		return all
	}
	var all []cut
	from := 0
	for _, c := range s.given(w) {
		for _, inner := range s.divide(w[from:c.end]) {
			all = append(all, cut{from + inner.end, from + inner.next})
		}
		all, from = append(all, c), c.next
	}
	for _, inner := range s.divide(w[from:]) {
		all = append(all, cut{from + inner.end, from + inner.next})
	}
	return all
}

// divide divides a word into known words, as few as possible. It returns nil if that is
// impossible.
func (s splitter) divide(w string) []cut {
	type way struct {
		cuts  []cut
		whole bool
	}
	ways := make([]way, len(w)+1) // to the text that begins at each byte
	ways[0].whole = true
	for at := 0; at < len(w); at++ {
		if !ways[at].whole {
			continue
		}
		for end := at + shortestWord; end < len(w); end++ {
			if !utf8.RuneStart(w[end]) || !s.known[w[at:end]] || utf8.RuneCountInString(w[at:end]) < shortestWord {
				continue
			}
			for _, link := range links {
				next := end + len(link)
				if next >= len(w) || w[end:next] != link || utf8.RuneCountInString(w[next:]) < shortestWord {
					continue
				}
				if to := &ways[next]; !to.whole || len(to.cuts) > len(ways[at].cuts)+1 {
					*to = way{append(slices.Clone(ways[at].cuts), cut{end, next}), true}
				}
			}
		}
	}
	var best []cut
	for at := 1; at < len(w); at++ {
		if ways[at].whole && s.inflected(w[at:]) && (best == nil || len(ways[at].cuts) < len(best)) {
			best = ways[at].cuts
		}
	}
	return best
}

// inflected reports whether a word is known, with or without an ending.
func (s splitter) inflected(w string) bool {
	for _, e := range inflections {
		if stem, ok := strings.CutSuffix(w, e); ok && utf8.RuneCountInString(stem) >= shortestWord && s.known[stem] {
			return true
		}
	}
	return false
}

// given returns the cuts of a compound with an unknown word.
func (s splitter) given(w string) (out []cut) {
	for at := range w {
		for _, e := range closing {
			if strings.HasPrefix(w[at:], e) && utf8.RuneCountInString(w[:at]) >= 2 && utf8.RuneCountInString(w[at+len(e):]) >= shortestWord {
				out = append(out, cut{at + len(e) - 1, at + len(e)})
			}
		}
	}
	if out != nil {
		return out
	}
	for at := range w {
		if utf8.RuneCountInString(w[:at]) < shortestWord || utf8.RuneCountInString(w[at:]) < shortestWord {
			continue
		}
		if utf8.RuneCountInString(w[at:]) >= shortestAlone && s.inflected(w[at:]) {
			return []cut{{at, at}}
		}
		if utf8.RuneCountInString(w[:at]) >= shortestAlone && s.known[w[:at]] {
			for _, link := range []string{"s", ""} {
				if rest, ok := strings.CutPrefix(w[at:], link); ok && utf8.RuneCountInString(rest) > shortestWord {
					out = []cut{{at, at + len(link)}} // the longest
					break
				}
			}
		}
	}
	return out
}
