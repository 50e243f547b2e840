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

// Lengths in letters of words that are corrected: below shortestTypo none, from
// shortestTwice on those with two errors, too.
const (
	shortestTypo  = 4
	shortestTwice = 7
	longestTypo   = 24
)

// spelling writes the words that may have been meant by one that the site has not, each
// with how many chunks have it: in their order, or in that of their letters from behind.
// A word with an error near its end is found by its beginning, others by their end.
func (b *builder) spelling(backward bool) []shard {
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
	kind := "f"
	if backward {
		kind = "b"
	}
	var out []shard
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
		out = append(out, shard{first: first, hash: b.hashed(kind, len(out), p.b)})
	}
	return out
}

// notSpelt reports whether a character stands in no word that is corrected.
func notSpelt(r rune) bool { return !unicode.IsLetter(r) && r != '_' || r >= 0xe00 }

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// mostMeant are how many words may stand for a misspelt one.
const mostMeant = 3

// misspelt takes the words that are the fewest typing errors away, the likeliest of them
// first, and returns that.
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
		first  bool // it begins with the same letter
	}
	var all []meant
	look := func(kind string, list []shard, prefix string) error {
		for i := x.fileOf(list, prefix); i < len(list); i++ {
			if i > x.fileOf(list, prefix) && !strings.HasPrefix(list[i].first, prefix) {
				break
			}
			words, err := x.spelling(kind, i, list[i].hash)
			if err != nil {
				return err
			}
			for _, s := range words {
				if !strings.HasPrefix(s.word, prefix) {
					continue
				}
				if kind == "b" {
					s.word = reversed(s.word)
				}
				if m := (meant{s, index.Distance(w.word, s.word, errors), strings.HasPrefix(s.word, string(letters[0]))}); m.errors <= errors && !slices.Contains(all, m) {
					all = append(all, m)
				}
			}
		}
		return nil
	}
	if err := look("f", x.forward, begin); err != nil {
		return "", err
	}
	if err := look("b", x.backward, end); err != nil {
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
