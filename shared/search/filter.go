package search

import (
	"path"
	"slices"
	"strings"

	"seam/shared/index"
	"seam/shared/text"
	"seam/shared/vector"
)

// allowed returns a function that reports whether a chunk may be found. It returns nil if
// all may.
func (s *Searcher) allowed(f Filter) func(int) bool {
	if f.Sources == nil && f.Pages == [2]int{} && f.Section == "" && f.Formats == nil && f.Meta == nil {
		return nil
	}
	of := make([]bool, len(s.results))
	for i, r := range s.results {
		extension := strings.ToLower(strings.TrimPrefix(path.Ext(r.Document.Name), "."))
		of[i] = (f.Sources == nil || slices.Contains(f.Sources, i)) && (f.Formats == nil || slices.Contains(f.Formats, extension)) && hasMeta(r.Document, f.Meta)
	}
	section := strings.ToLower(f.Section)
	return func(i int) bool {
		p := s.places[i]
		if !of[p.source] {
			return false
		}
		r := s.results[p.source]
		if section != "" && !strings.Contains(strings.ToLower(r.Section(p.chunk)), section) {
			return false
		}
		if f.Pages == [2]int{} {
			return true
		}
		return slices.ContainsFunc(r.Pages(p.chunk), func(n int) bool {
			return n >= f.Pages[0] && (f.Pages[1] == 0 || n <= f.Pages[1])
		})
	}
}

// hasMeta reports whether a document has all the values.
func hasMeta(d *text.Document, wanted map[string]string) bool {
	for name, value := range wanted {
		name = strings.ToLower(name)
		own := map[string]string{"author": d.Author, "title": d.Title, "language": d.Language}[name]
		is := func(v string) bool { return strings.EqualFold(v, value) }
		if !slices.ContainsFunc(d.Meta[name], is) && (own == "" || !is(own)) {
			return false
		}
	}
	return true
}

// pool is the number of hits among which diverse ones are chosen.
const pool = 50

// diverse chooses q.K hits. Each time it takes the hit that adds most: its share of the
// best score, less its likeness to a hit already chosen.
func (s *reading) diverse(hits []index.Hit, q Query) []index.Hit {
	lambda := min(1, q.Diversity)
	var chosen []index.Hit
	likest := make([]float64, len(hits))
	for len(chosen) < q.K && len(hits) > 0 {
		best, most := 0, 0.0
		for i, h := range hits {
			worth := float64((1-lambda)*h.Score)/hits[0].Score - float64(lambda*likest[i])
			if i == 0 || worth > most {
				best, most = i, worth
			}
		}
		h := hits[best]
		chosen = append(chosen, h)
		hits, likest = slices.Delete(hits, best, best+1), slices.Delete(likest, best, best+1)
		for i, other := range hits {
			likest[i] = max(likest[i], s.likeness(h.Text, other.Text))
		}
	}
	return chosen
}

// likeness returns the likeness of two chunks from 0 to 1, by their vectors, or by their
// words if there are no vectors.
func (s *reading) likeness(a, b int) float64 {
	for _, sp := range s.spaces {
		i, first := slices.BinarySearch(sp.chunks, a)
		j, second := slices.BinarySearch(sp.chunks, b)
		if first && second {
			return max(0, vector.Cosine(sp.vectors.Row(i), sp.vectors.Row(j)))
		}
	}
	return index.Likeness(s.text(a), s.text(b))
}
