package bundle

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/shared/text"
)

// stated returns an item with two statements.
func stated(t *testing.T) *Item {
	t.Helper()
	it := asked(t)
	it.Questions = nil
	it.Statements = []Statement{
		{text.Reading, text.Span{Start: 0, End: 23}, "Weber: Er saß <am> Ufer.", true, false, "model:m"},
		{text.Content, text.Span{Start: 24, End: 40}, "Eine Frage", false, true, ""},
	}
	return it
}

// Statements must be restored unchanged. Without any there must be no member.
func TestStatementsAreKept(t *testing.T) {
	it := stated(t)
	all, err := readAll(write(t, false, []*Item{it}))
	if err != nil || !reflect.DeepEqual(all[0].Statements, it.Statements) {
		t.Errorf("statements %+v, %v", all[0].Statements, err)
	}
	it.Statements = nil
	if raw := write(t, true, []*Item{it}); strings.Contains(string(raw), writtenName) {
		t.Error("there is a list of no statements")
	}
}

func TestTooManyStatements(t *testing.T) {
	it := stated(t)
	it.Statements = slices.Repeat(it.Statements[:1], mostStatements+1)
	w, err := NewWriter(&strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(it); err == nil || !strings.Contains(err.Error(), "200001 statements: the limit is 200000") {
		t.Errorf("%v", err)
	}
}

// Parts outside the text must be refused by a Writer and be damage to a reader.
func TestForeignStatementsAreDamage(t *testing.T) {
	for what, bad := range map[string]Statement{
		"nothing":               {View: text.Reading},
		"an unknown view":       {View: "rear", Text: "a"},
		"behind the text":       {text.Reading, text.Span{Start: 0, End: 1000}, "a", true, false, ""},
		"before the text":       {text.Reading, text.Span{Start: -1, End: 3}, "a", true, false, ""},
		"ends before it begins": {text.Reading, text.Span{Start: 9, End: 3}, "a", true, false, ""},
		"inside of a letter":    {text.Reading, text.Span{Start: 13, End: 20}, "a", true, false, ""},
		"much too far":          {text.Content, text.Span{Start: 1 << 40, End: 1 << 41}, "a", true, false, ""},
	} {
		it := stated(t)
		it.Statements = append(it.Statements, bad)
		w, err := NewWriter(&strings.Builder{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(it); err == nil {
			t.Errorf("%s: it is written", what)
		}
		list, err := json.Marshal(it.Statements)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if w, err = NewWriter(&out); err != nil {
			t.Fatal(err)
		}
		it.Statements = nil
		if err := errors.Join(w.Add(it), w.member("documents/1/"+writtenName, true, stringTo(string(list))), w.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll([]byte(out.String())); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: read with %v", what, err)
		}
	}
}
