package shards

import "slices"

// sameIn are the numbers of the pages that are versions of one page, newest first.
type sameIn struct{ pages []int }

// writeSame writes the pages that are versions of one.
func writeSame(p *packer, pages []Page) {
	number := map[string]int{}
	for i, page := range pages {
		number[page.URL] = i
	}
	var groups [][]int
	for i, page := range pages {
		var group []int
		for _, v := range page.Versions {
			if n, ok := number[v.URL]; ok {
				group = append(group, n)
			}
		}
		if len(group) > 1 && i == slices.Min(group) {
			groups = append(groups, group)
		}
	}
	p.uint(len(groups))
	for _, group := range groups {
		p.uint(len(group))
		for _, n := range group {
			p.uint(n)
		}
	}
}

func (x *Index) readSame(u *unpacker) {
	x.same = map[int]*sameIn{}
	for range u.count() {
		s := &sameIn{}
		for range u.count() {
			n := u.uint()
			if n >= x.pages() {
				u.fail("a version of a page")
				return
			}
			s.pages = append(s.pages, n)
			x.same[n] = s
		}
	}
}

// oneVersion keeps one hit of the versions of a page: the newest, at the place of the best.
// It sets the number of pages found.
func (x *Index) oneVersion(found *Found) {
	if len(x.same) > 0 {
		hits := map[int]Hit{}
		for _, h := range found.Hits {
			hits[h.Page] = h
		}
		seen := map[*sameIn]bool{}
		kept := found.Hits[:0]
		for _, h := range found.Hits {
			s := x.same[h.Page]
			if s == nil {
				kept = append(kept, h)
				continue
			}
			if seen[s] {
				continue
			}
			seen[s] = true
			for _, n := range s.pages {
				if newest, ok := hits[n]; ok {
					newest.Score = h.Score
					kept = append(kept, newest)
					break
				}
			}
		}
		found.Hits = kept
	}
	found.Count = len(found.Hits)
}
