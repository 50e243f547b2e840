package site

import (
	"maps"
	"testing"

	"seam/shared/site/shards"
)

// An index that has answered other queries must report the same parts of files for a query
// as a fresh index, and no file that the fresh one does not read.
func TestNeeds(t *testing.T) {
	entry, files := indexed(t, "en")
	kept := open(t, entry, files)
	for _, q := range queries {
		if q.Language != "en" {
			continue
		}
		needed := map[shards.Piece]bool{}
		kept.Needs = func(at shards.Piece) { needed[at] = true }
		found, err := kept.Search(shards.Query{Text: q.Query, Typing: q.Typing})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			needed[kept.TextAt(h.Chunks[0])] = true
		}
		read, parts := readFor(t, entry, files, q)
		if !maps.Equal(needed, parts) {
			t.Errorf("%q needs %v, and a fresh index %v", q.Query, needed, parts)
		}
		for at := range needed {
			if !read[at.Name] {
				t.Errorf("%q needs %v, and does not read it", q.Query, at)
			}
		}
	}
}

// readFor returns the files that an index reads for its first query, including those for
// showing the results, and the parts of them that it needs.
func readFor(t *testing.T, entry string, files shards.Files, q goldenQuery) (read map[string]bool, parts map[shards.Piece]bool) {
	read, parts = map[string]bool{}, map[shards.Piece]bool{}
	x, err := shards.Open(func(name string) ([]byte, error) {
		read[name] = true
		return files[name], nil
	}, entry)
	if err != nil {
		t.Fatal(err)
	}
	x.Needs = func(at shards.Piece) { parts[at] = true }
	found, err := x.Search(shards.Query{Text: q.Query, Typing: q.Typing})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if _, err := x.Show(found, h.Chunks[0]); err != nil {
			t.Fatal(err)
		}
	}
	return read, parts
}
