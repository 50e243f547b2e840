package reading

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Criteria for pages that are alike, such as bills, certificates and time sheets in one
// file. On them everything repeats, so that repetition proves no running head.
const (
	alikeWords = 0.2 // minimum share of the words at the start of their lines that are at the same places
	samePlace  = 4.0 // maximum difference of places, in points
)

// start is the first word of a line outside the furniture.
type start struct {
	word string
	x, y float64
}

// keepForms removes the mark from furniture that repeats on pages that are alike only. Lines
// with a page number keep theirs. lines are the lines at both edges of all pages.
func (m *furniture) keepForms(lines [][]edgeLine) {
	starts := make([][]start, len(m.pages))
	for i := range m.pages {
		starts[i] = m.pages[i].starts()
	}
	known := map[[2]int]bool{}
	alike := func(a, b int) bool {
		pair := [2]int{min(a, b), max(a, b)}
		is, ok := known[pair]
		if !ok {
			is = alikeStarts(starts[a], starts[b])
			known[pair] = is
		}
		return is
	}
	sure := map[edgeKey]bool{}
	for k, list := range m.index {
		sure[k] = onOthers(list, alike)
	}
	for _, edge := range lines {
		for i := range edge {
			l := &edge[i]
			unsure := slices.ContainsFunc(l.list, func(f *fragment) bool { k, _ := m.key(l, f); return !sure[k] })
			if !unsure || m.numbers(l) {
				continue
			}
			for _, f := range l.list {
				f.furniture = false
			}
		}
	}
}

// numbers reports whether a part of l is a page number with nothing beside it.
func (m *furniture) numbers(l *edgeLine) bool {
	return slices.ContainsFunc(l.list, func(f *fragment) bool {
		k, s := m.key(l, f)
		_, counts, _ := m.found(k, s)
		return counts && isPageNumber(k.text)
	})
}

// starts returns the first words of p outside its furniture, each with its place.
func (p *page) starts() (list []start) {
	for k := range p.fragments {
		f := &p.fragments[k]
		if f.furniture {
			continue
		}
		for word := range strings.FieldsSeq(f.text) {
			if strings.ContainsFunc(word, unicode.IsLetter) {
				list = append(list, start{word, f.box.X0, f.base})
				break
			}
		}
	}
	return list
}

// alikeStarts reports whether a part of the words of the shorter page are at the same places
// of the other page. Words that begin several lines of a page, such as a unit or “INFO”,
// prove nothing.
func alikeStarts(a, b []start) bool {
	first, second := rare(a), rare(b)
	same := 0
	for word, s := range first {
		if o, ok := second[word]; ok && math.Abs(s.x-o.x) <= samePlace && math.Abs(s.y-o.y) <= samePlace {
			same++
		}
	}
	return same > 0 && float64(same) >= alikeWords*float64(min(len(first), len(second)))
}

// rare returns the words that are in list once.
func rare(list []start) map[string]start {
	times := map[string]int{}
	for _, s := range list {
		times[s.word]++
	}
	words := map[string]start{}
	for _, s := range list {
		if times[s.word] == 1 {
			words[s.word] = s
		}
	}
	return words
}

// onOthers reports whether two of the nearby occurrences in list are at the same place of
// pages that are not alike.
func onOthers(list []seen, alike func(a, b int) bool) bool {
	for i := range list {
		for k := i + 1; k < len(list) && k < i+maxSeen && list[k].page <= list[i].page+nearPages; k++ {
			a, b := &list[i], &list[k]
			if a.page != b.page && math.Abs(a.away-b.away) <= sameEdge && math.Abs(a.size-b.size) <= 0.1*a.size && !alike(a.page, b.page) {
				return true
			}
		}
	}
	return false
}

// pageWords name pages, and number them of a total, in lower case.
var pageWords = map[string]bool{
	"page": true, "pages": true, "p": true, "pp": true, "pg": true, "of": true, // English, French
	"seite": true, "s": true, "von": true, "de": true, "sur": true, "sida": true, "av": true, "side": true, "af": true,
	"pagina": true, "página": true, "pàgina": true, "pág": true, "pag": true, "di": true, "van": true,
	"strona": true, "str": true, "z": true, "strana": true, "stránka": true, "stranica": true, "od": true, "oldal": true,
	"sivu": true, "lk": true, "lpp": true, "puslapis": true, "sayfa": true, "trang": true, "halaman": true,
	"страница": true, "стр": true, "сторінка": true, "с": true, "из": true, "σελίδα": true, "עמוד": true, "صفحة": true,
	"页": true, "頁": true, "第": true, "共": true, "ページ": true, "쪽": true, "페이지": true, "i": true,
}

// isPageNumber reports whether a key is a number, or two as in “2/7”, with nothing beside it
// except signs and words for pages.
func isPageNumber(key string) bool {
	numbers := 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(key), func(r rune) bool { return !unicode.IsLetter(r) && r != '#' }) {
		for i, part := range strings.Split(word, "#") {
			if i > 0 {
				numbers++
			}
			if part == "i" {
				numbers++
			}
			if part != "" && !pageWords[part] {
				return false
			}
		}
	}
	return (numbers == 1 || numbers == 2) && !strings.Contains(key, "#.#") && !strings.Contains(key, "#,#")
}
