package sites

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"seam/shared/site"
	"seam/shared/site/shards"
)

// dearest is the tried search that loads the most bytes.
type dearest struct {
	Query string `json:"query"`
	Bytes int    `json:"bytes"`
	Tried int    `json:"tried"`
}

// dearestTried is about how many searches are tried, spread over the site. dearestShown is
// the number of results shown for each, the same as in the widget.
const (
	dearestTried = 100
	dearestShown = 10
)

// dearestOf searches the new index for pages of the site by title and last heading, and
// returns the search that loads the most bytes. Each search counts as if the reader had
// loaded nothing before.
func (x *indexer) dearestOf(files map[string][]byte, l shards.Language) (*dearest, error) {
	var queries []string
	for _, name := range slices.Sorted(maps.Keys(x.Known)) {
		p := x.Known[name].Page
		if p == nil || site.Primary(p.Language) != l.Language || p.Title == "" {
			continue
		}
		query := p.Title
		if n := len(p.Headings); n > 0 && p.Headings[n-1].Title != p.Title {
			query += " " + p.Headings[n-1].Title
		}
		queries = append(queries, query)
	}
	index, err := shards.Open(sourceOf(files), l.Meta)
	if err != nil {
		return nil, fmt.Errorf("search the new index: %w", err)
	}
	out := &dearest{}
	for i := 0; i < len(queries); i += len(queries)/dearestTried + 1 {
		needed, err := neededFor(index, queries[i])
		if err != nil {
			return nil, fmt.Errorf("search the new index for %q: %w", queries[i], err)
		}
		out.Tried++
		cost := len(files[l.Meta])
		for at := range needed {
			cost += at.Size
		}
		if cost > out.Bytes {
			out.Bytes, out.Query = cost, queries[i]
		}
	}
	return out, nil
}

// sourceOf returns the files of an index that is not written yet.
func sourceOf(files map[string][]byte) shards.Source {
	return func(name string) ([]byte, error) {
		if b, ok := files[name]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}
}

// neededFor returns the parts of the index files that a search loads until its results are
// shown, without the first file. It also counts parts the index has read before, because
// the searches of a site share most of their words.
func neededFor(index *shards.Index, query string) (map[shards.Piece]bool, error) {
	needed := map[shards.Piece]bool{}
	index.Needs = func(at shards.Piece) { needed[at] = true }
	found, err := index.Search(shards.Query{Text: query, K: dearestShown})
	if err != nil {
		return nil, err
	}
	for _, hit := range found.Hits {
		needed[index.TextAt(hit.Chunks[0])] = true
	}
	return needed, nil
}
