package shards

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// scorer returns the function that computes the score of chunk c of page at.
func (x *Index) scorer(q Query, s *scores, n *near, found *Found) func(c, at int) float64 {
	if q.Dense && n != nil {
		return func(c, _ int) float64 { return n.score(c) }
	}
	chunk, page, summary := s.chunk.standardised(), s.page.standardised(), s.summary.standardised()
	return func(c, at int) float64 {
		v := chunk(c) + page(at) + float64(ofSummary*summary(at))
		if n != nil {
			v += n.score(c)
		}
		if w, ok := x.weights[at]; ok {
			v = float64(v * w)
		}
		v += s.asTyped[c]
		if found.All > 0 && s.heads[c] == found.All {
			v += ofHeading
			if oneName(q.Text) {
				v += ofName - ofHeading
			}
		}
		if t := s.titles[at]; t > 0 && t == found.All && t == x.titles[at] {
			v += exactTitle
		} else if t > 0 && (t == found.All || t == x.titles[at]) {
			v += float64(ofTitle * (float64(t) / float64(max(found.All, x.titles[at]))))
		}
		return v
	}
}

// oneName reports whether a query is one name or word, without blanks.
func oneName(query string) bool { return !strings.ContainsAny(strings.TrimSpace(query), " \t\n") }

// rank orders the pages, each with its best chunks.
func (x *Index) rank(q Query, s *scores, n *near, found *Found, keep int) {
	score := x.scorer(q, s, n, found)
	allowed := x.allowed(q.Filters)
	type scored struct {
		chunk int
		score float64
	}
	touched := s.chunk.inOrder()
	if n != nil {
		touched = slices.Compact(slices.Sorted(slices.Values(append(touched, n.best(x.allows(allowed))...))))
	}
	found.Hits = nil
	at := 0
	var list []scored // chunks of page at
	end := func() {
		if len(list) == 0 {
			return
		}
		slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), a.chunk-b.chunk) })
		h := Hit{Page: at, Score: list[0].score}
		for _, c := range list[:min(len(list), keep)] {
			h.Chunks = append(h.Chunks, c.chunk)
		}
		found.Hits = append(found.Hits, h)
		list = list[:0]
	}
	for _, c := range touched {
		if x.first[at+1] <= c {
			end()
			at = x.pageFrom(at, c)
		}
		if allowed != nil && !allowed[at] {
			continue
		}
		found.Together = max(found.Together, s.chunk.words[c])
		list = append(list, scored{c, score(c, at)})
	}
	end()
	best := func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), a.Page-b.Page) }
	if !q.Newest {
		slices.SortFunc(found.Hits, best)
		x.oneVersion(found)
		return
	}
	most := 0
	for _, h := range found.Hits {
		most = max(most, s.page.words[h.Page])
	}
	found.Hits = slices.DeleteFunc(found.Hits, func(h Hit) bool { return s.page.words[h.Page] < most })
	slices.SortFunc(found.Hits, func(a, b Hit) int { return cmp.Or(x.Days[b.Page]-x.Days[a.Page], best(a, b)) })
	x.oneVersion(found)
}

// allows returns a function that reports whether a chunk's page is allowed.
func (x *Index) allows(pages map[int]bool) func(chunk int) bool {
	return func(chunk int) bool {
		return pages == nil || pages[sort.SearchInts(x.first, chunk+1)-1]
	}
}

// allowed returns the pages that pass the filters. Nil means all.
func (x *Index) allowed(filters map[string][]string) map[int]bool {
	var out map[int]bool
	for name, values := range filters {
		if len(values) == 0 {
			continue
		}
		next := map[int]bool{}
		for _, v := range values {
			for _, p := range x.Filters[name][v] {
				if out == nil || out[p] {
					next[p] = true
				}
			}
		}
		out = next
	}
	return out
}
