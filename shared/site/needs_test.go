package site

import (
	"maps"
	"testing"

	"seam/shared/site/shards"
)

// An index that has answered other queries must report the same files for a query as a
// fresh index.
func TestNeeds(t *testing.T) {
	entry, files := indexed(t, "en")
	kept := open(t, entry, files)
	for _, q := range queries {
		if q.Language != "en" {
			continue
		}
		needed := map[string]bool{entry: true}
		kept.Needs = func(name string) { needed[name] = true }
		found, err := kept.Search(shards.Query{Text: q.Query, Typing: q.Typing})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			needed[kept.TextName(h.Chunks[0])] = true
		}
		if read := readFor(t, entry, files, q); !maps.Equal(needed, read) {
			t.Errorf("%q needs %v, and reads %v", q.Query, needed, read)
		}
	}
}

// readFor returns the files that an index reads for its first query, including those for
// showing the results.
func readFor(t *testing.T, entry string, files shards.Files, q golden) map[string]bool {
	read := map[string]bool{}
	x, err := shards.Open(func(name string) ([]byte, error) {
		read[name] = true
		return files[name], nil
	}, entry)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(shards.Query{Text: q.Query, Typing: q.Typing})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if _, err := x.Show(found, h.Chunks[0]); err != nil {
			t.Fatal(err)
		}
	}
	return read
}
