package command

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"seam/shared/site"
	"seam/shared/site/shards"
	"seam/shared/vector"
)

// dearest is a search that takes the most bytes of those that were tried.
type dearest struct {
	Query string `json:"query"`
	Bytes int    `json:"bytes"`
	Tried int    `json:"tried"`
}

// dearestTried are about how many searches are tried, spread over the site, and
// dearestShown how many results of each are shown: the widget's.
const (
	dearestTried = 100
	dearestShown = 10
)

// dearestOf searches the index of the most pages for pages of its own, by title and last
// heading, each time as a reader who has nothing of it yet, and counts the bytes of the
// files that this takes.
func (x *indexer) dearestOf(files map[string][]byte, l shards.Language) (*dearest, error) {
	var queries []string
	for _, name := range slices.Sorted(maps.Keys(x.known)) {
		p := x.known[name].page
		if p == nil || site.Primary(p.Language) != l.Language || p.Title == "" {
			continue
		}
		query := p.Title
		if n := len(p.Headings); n > 0 && p.Headings[n-1].Title != p.Title {
			query += " " + p.Headings[n-1].Title
		}
		queries = append(queries, query)
	}
	step := len(queries)/dearestTried + 1
	costs, errs := make([]int, (len(queries)+step-1)/step), make([]error, (len(queries)+step-1)/step)
	vector.Divide(len(costs), 1, func(i, _ int) {
		costs[i], errs[i] = costOf(files, l.Meta, queries[i*step])
	})
	out := &dearest{Tried: len(costs)}
	for i, cost := range costs {
		if errs[i] != nil {
			return nil, fmt.Errorf("search the new index for %q: %w", queries[i*step], errs[i])
		}
		if cost > out.Bytes {
			out.Bytes, out.Query = cost, queries[i*step]
		}
	}
	return out, nil
}

// costOf is how many bytes of an index a first search takes until its results are shown.
func costOf(files map[string][]byte, entry, query string) (bytes int, err error) {
	index, err := shards.Open(func(name string) ([]byte, error) {
		b, there := files[name]
		if !there {
			return nil, fs.ErrNotExist
		}
		bytes += len(b)
		return b, nil
	}, entry)
	if err != nil {
		return 0, err
	}
	found, err := index.Search(shards.Query{Text: query, K: dearestShown})
	if err != nil {
		return 0, err
	}
	for _, hit := range found.Hits {
		if _, err := index.Show(found, hit.Chunks[0]); err != nil {
			return 0, err
		}
	}
	return bytes, nil
}
