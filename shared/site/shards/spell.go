package shards

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/index"
)

// Lengths in letters of words to correct. Shorter or longer words are not corrected. From
// shortestTwice on, two errors are allowed.
const (
	shortestTypo  = 4
	shortestTwice = 7
	longestTypo   = 24
)

// spelling writes the words that may be corrections, each with the number of chunks that
// have it. They are in alphabetical order, or in that order of their reversed letters. A
// word with an error near its end is found by its beginning, other words by their end.
func (b *builder) spelling(backward bool, to *packing) (firsts []string) {
	var words []string
	for w := range b.forms {
		if n := utf8.RuneCountInString(w); n >= shortestTypo-1 && n <= longestTypo+2 && !strings.ContainsFunc(w, notSpelt) {
			if backward {
				w = reversed(w)
			}
			words = append(words, w)
		}
	}
	slices.Sort(words)
	for i := 0; i < len(words); {
		p := &packer{}
		first := words[i]
		for ; i < len(words) && len(p.b) < spellSize; i++ {
			w := words[i]
			p.word(w)
			if backward {
				w = reversed(w)
			}
			f := b.forms[w]
			p.uint(bits.Len(uint(f.body.texts + 2*len(f.headings))))
		}
		to.add(p.b)
		firsts = append(firsts, first)
	}
	return firsts
}

// notSpelt reports whether a character excludes a word from correction.
func notSpelt(r rune) bool { return !unicode.IsLetter(r) && r != '_' || r >= 0xe00 }

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// mostMeant is the maximum number of corrections of a word.
const mostMeant = 3

// misspelt takes the words with the fewest typing errors, likeliest first, and returns the
// likeliest.
func (x *Index) misspelt(w *wanted) (taken string, err error) {
	letters := []rune(w.word)
	n := len(letters)
	if n < shortestTypo || n > longestTypo || strings.ContainsFunc(w.word, notSpelt) {
		return "", nil
	}
	errors := 1
	if n >= shortestTwice {
		errors = 2
	}
	begin, end := string(letters[:max(2, n/2-1)]), reversed(string(letters[n/2+1:]))
	type meant struct {
		spelt
		errors int
		first  bool // begins with the same letter
	}
	var all []meant
	look := func(list []shard, prefix string, backward bool) error {
		for i := x.fileOf(list, prefix); i < len(list); i++ {
			if i > x.fileOf(list, prefix) && !strings.HasPrefix(list[i].first, prefix) {
				break
			}
			words, err := x.spelling(list[i].Piece)
			if err != nil {
				return err
			}
			for _, s := range words {
				if !strings.HasPrefix(s.word, prefix) {
					continue
				}
				if backward {
					s.word = reversed(s.word)
				}
				if x.little[s.word] {
					continue // a function word, which every text has
				}
				if m := (meant{s, index.Distance(w.word, s.word, errors), strings.HasPrefix(s.word, string(letters[0]))}); m.errors <= errors && !slices.Contains(all, m) {
					all = append(all, m)
				}
			}
		}
		return nil
	}
	if err := look(x.forward, begin, false); err != nil {
		return "", err
	}
	if err := look(x.backward, end, true); err != nil {
		return "", err
	}
	slices.SortFunc(all, func(a, b meant) int {
		first := 0
		if a.first != b.first {
			first = 1
			if a.first {
				first = -1
			}
		}
		return cmp.Or(a.errors-b.errors, first, b.often-a.often, strings.Compare(a.word, b.word))
	})
	for i, m := range all[:min(len(all), mostMeant)] {
		g, err := x.group(m.word)
		if err != nil {
			return "", err
		}
		if g == nil || m.errors > all[0].errors {
			continue
		}
		weight := ofTypo
		if i > 0 {
			weight = ofOther
		}
		w.take(g, func(*form) float64 { return weight })
	}
	if len(all) > 0 && len(w.forms) > 0 {
		taken = all[0].word
	}
	return taken, nil
}
