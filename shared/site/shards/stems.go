package shards

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"seam/shared/index"
)

// stemmed groups the forms by stem, in order of their first forms, and records the endings
// of stems.
func (b *builder) stemmed() [][]*gathered {
	groups := map[string][]*gathered{}
	b.stems = map[string]string{}
	endings := map[string]int{}
	for w, f := range b.forms {
		s := index.Stem(w, b.language)
		groups[s] = append(groups[s], f)
		if ending, ok := strings.CutPrefix(w, s); ok && ending != "" && !strings.ContainsFunc(ending, notSpelt) {
			endings[ending]++
		}
	}
	all := make([][]*gathered, 0, len(groups))
	for s, g := range groups {
		slices.SortFunc(g, func(a, b *gathered) int { return strings.Compare(a.word, b.word) })
		all = append(all, g)
		b.stems[g[0].word] = s
	}
	slices.SortFunc(all, func(a, b []*gathered) int { return strings.Compare(a[0].word, b[0].word) })
	for e, n := range endings {
		if n >= seldomEnding {
			b.endings = append(b.endings, e)
		}
	}
	slices.SortFunc(b.endings, func(x, y string) int { return cmp.Or(endings[y]-endings[x], strings.Compare(x, y)) })
	b.endings = b.endings[:min(len(b.endings), mostEndings)]
	slices.SortFunc(b.endings, func(x, y string) int { return cmp.Or(len(y)-len(x), strings.Compare(x, y)) })
	return all
}

// The most frequent word endings are kept, so that a query finds a word that the site has
// with another ending. These are their number and the minimum number of occurrences of
// each.
const (
	mostEndings  = 20
	seldomEnding = 2
	shortestStem = 3 // bytes
)

// aliases returns, for each file, words that would belong in it but are elsewhere: forms of
// a stem that begins in another file, stems that are not forms, and words without their
// marks. Each entry is the word and the first form of its group.
func (b *builder) aliases(all [][]*gathered, firsts []string) [][][2]string {
	out := make([][][2]string, len(firsts))
	seen := map[string]bool{}
	add := func(word, first string) {
		i := fileOf(firsts, word)
		out[i] = append(out[i], [2]string{word, first})
	}
	for _, g := range all {
		at := fileOf(firsts, g[0].word)
		if s := b.stems[g[0].word]; s != "" && b.forms[s] == nil {
			seen[s] = true
			add(s, g[0].word)
		}
		for _, f := range g {
			if fileOf(firsts, f.word) != at {
				add(f.word, g[0].word)
			}
			for _, folded := range foldings(f.word, b.language) {
				if b.forms[folded] == nil && !seen[folded] {
					seen[folded] = true
					add(folded, g[0].word)
				}
			}
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	}
	return out
}

// foldings returns other spellings of a word: without marks and, in German, with e for an
// umlaut.
func foldings(word, language string) (out []string) {
	if folded := index.Fold(word); folded != word {
		out = append(out, folded)
		if language == "de" {
			if long := umlauts.Replace(word); long != folded {
				out = append(out, long)
			}
		}
	}
	return out
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")

// fileOf returns the number of the file for a word: the last file whose first word is not
// later, or the first file for earlier words.
func fileOf(firsts []string, word string) int {
	return max(0, sort.Search(len(firsts), func(i int) bool { return firsts[i] > word })-1)
}
