package shards

import (
	"cmp"
	"slices"
)

// Part is the part of a site's index for one language.
type Part struct {
	// Open opens the index of the part, with the encoder of queries or nil. It is called for
	// each search, so it should remember the result.
	Open func() (*Index, func(text string) ([]float32, error), error)
}

// FoundIn is a page that was found in a part.
type FoundIn struct {
	Hit
	Part  int // its number
	Index *Index
	Found *Found // the result of its part
}

// FoundAll is the result of a search in all parts.
type FoundAll struct {
	Hits  []FoundIn // best page first
	Count int       // number of pages with any of the words, or found by meaning
	// Unknown are words of the query that no part has, except those in Corrections.
	Unknown     []string
	Corrections []Correction
}

// SearchAll searches the parts of a site. The first part is in the reader's language. The
// others are searched if it lacks a word of the query, so a word is unknown only if no part
// has it. Parts with more words of the query come first in the results, then the first part.
// In q, Vector is replaced by the encoder of each part; with onlyWords none is used.
func SearchAll(parts []Part, q Query, onlyWords bool) (*FoundAll, error) {
	type result struct {
		FoundIn
		known int
	}
	var all []result
	for i, p := range parts {
		x, vector, err := p.Open()
		if err != nil {
			return nil, err
		}
		if q.Vector = vector; onlyWords {
			q.Vector = nil
		}
		found, err := x.Search(q)
		if err != nil {
			return nil, err
		}
		all = append(all, result{FoundIn{Part: i, Index: x, Found: found}, found.All - len(found.Corrections)})
		if i == 0 && len(found.Unknown)+len(found.Corrections) == 0 && len(found.Hits) > 0 {
			break
		}
	}
	lacks := func(r result, word string) bool {
		return slices.Contains(r.Found.Unknown, word) || slices.ContainsFunc(r.Found.Corrections, func(c Correction) bool { return c.Word == word })
	}
	inNone := func(word string) bool {
		return !slices.ContainsFunc(all, func(r result) bool { return !lacks(r, word) })
	}
	out := &FoundAll{}
	for _, c := range all[0].Found.Corrections {
		if inNone(c.Word) {
			out.Corrections = append(out.Corrections, c)
		}
	}
	for _, w := range all[0].Found.Unknown {
		if inNone(w) {
			out.Unknown = append(out.Unknown, w)
		}
	}
	most := 0
	for _, r := range all {
		most = max(most, r.known)
	}
	slices.SortStableFunc(all, func(a, b result) int { return cmp.Compare(b.known, a.known) })
	for _, r := range all {
		if r.known == 0 && (r.Part > 0 || most > 0 && len(r.Found.Corrections) > 0) {
			continue // pages for words that another part has, or that are resembled in another language
		}
		out.Count += r.Found.Count
		for _, h := range r.Found.Hits {
			r.Hit = h
			out.Hits = append(out.Hits, r.FoundIn)
		}
	}
	out.Hits = out.Hits[:min(len(out.Hits), cmp.Or(max(q.K, 0), usualK))]
	return out, nil
}
