package shards

import (
	"slices"
	"strings"
	"unicode/utf8"

	"seam/shared/index"
)

// links stand between the words of a compound.
var links = []string{"", "s", "n", "en", "es", "er", "e", "ens"}

// inflections are endings of the last of them.
var inflections = []string{"", "en", "es", "er", "em", "e", "n", "s", "ern"}

// closing are endings of nouns that take an s where another word follows: of a compound with
// such a place no other sign is needed.
var closing = []string{"ungs", "heits", "keits", "schafts", "ions", "täts", "tums"}

// Of a compound and its words: lengths in letters, and what a word of it is worth beside one
// that stands alone.
const (
	shortestCompound = 8
	longestCompound  = 48
	shortestWord     = 4
	shortestAlone    = 6 // of a word that is known, beside one that is not
	ofCompound       = .5
)

// compounds lets chunks be found by the words that their compounds are made of, as far as the
// site has them, or an ending gives them away. It takes the words from the site alone: there
// is no dictionary that knows those of every subject.
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

// chunks are those that a form stands in, or below a heading with it.
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

// find lets chunks be found by a word of their compounds, but for those that can be already.
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

// words are what a compound can be found by: its words, and what it is without the first or
// the last of them. There are none of another word.
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
		add(w[c.next:])    // all behind it
	}
	return out
}

// cut is where a word of a compound ends, and where the next begins.
type cut struct{ end, next int }

// cuts divides a word into words that are known; where that does not succeed, at places that
// its endings give away, else before or behind one that is known.
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

// divide divides a word into words that are known, as few as possible; nil where that does
// not succeed.
func (s splitter) divide(w string) []cut {
	type way struct {
		cuts  []cut
		whole bool
	}
	ways := make([]way, len(w)+1) // to what begins at a byte
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

// inflected reports whether a word is known, or would be without an ending.
func (s splitter) inflected(w string) bool {
	for _, e := range inflections {
		if stem, ok := strings.CutSuffix(w, e); ok && utf8.RuneCountInString(stem) >= shortestWord && s.known[stem] {
			return true
		}
	}
	return false
}

// given are the cuts of a compound of which a word is not known.
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
