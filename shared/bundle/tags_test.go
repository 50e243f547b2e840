package bundle

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"seam/shared/text"
)

// tagged returns an item with two tags.
func tagged() *Item {
	d := text.NewPlain("Ein Weber saß am Ufer.")
	d.Name = "weber.txt"
	return &Item{Document: d, Tags: []string{"<Märchen> & more", "to read"}}
}

// Tags must be restored unchanged. Without any there must be no field.
func TestTagsAreKept(t *testing.T) {
	it := tagged()
	all, err := readAll(write(t, false, []*Item{it}))
	if err != nil || !reflect.DeepEqual(all[0].Tags, it.Tags) {
		t.Errorf("tags %q, %v", all[0].Tags, err)
	}
	it.Tags = nil
	if raw := write(t, true, []*Item{it}); strings.Contains(string(raw), `"tags"`) {
		t.Error("there is a list of no tags")
	}
}

// Tags that no list can show must be refused by a Writer and be damage to a reader.
func TestForeignTagsAreDamage(t *testing.T) {
	const was = `["<Märchen> & more","to read"]`
	many := make([]string, mostTags+1)
	for i := range many {
		many[i] = strings.Repeat("a", i%100+1) + strings.Repeat("b", i/100)
	}
	for what, bad := range map[string][]string{
		"empty":    {"a", " "},
		"twice":    {"a", "b", "a"},
		"too long": {strings.Repeat("ä", maxTag/2+1)},
		"no UTF-8": {"a\xff"},
		"too many": many,
	} {
		it := tagged()
		it.Tags = bad
		w, err := NewWriter(&strings.Builder{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(it); err == nil {
			t.Errorf("%s: it was stored", what)
		}
		it = tagged()
		list, err := json.Marshal(bad)
		if err != nil {
			t.Fatal(err)
		}
		u := replace(t, "documents/1/"+recordName, was, string(list))(unpack(t, write(t, true, []*Item{it})))
		if _, err := readAll(u.pack(t, true)); what != "no UTF-8" && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: read with %v", what, err) // JSON of a reader has no bytes that are not UTF-8
		}
	}
}
