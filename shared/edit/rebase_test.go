package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/edit"
	"seam/shared/text"
	"seam/shared/token"
)

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The %d. sentence tells of the number %d. ", i, i*i)
	}
	return strings.TrimSpace(b.String())
}

func TestRebase(t *testing.T) {
	body := numbered(40)
	e := newEditor(t, "rebase", chunkers["sections"], chunktest.Input(text.NewPlain(body)), chunk.Limits{Counter: token.Words})
	places := []string{"The 5.", "The 20.", "The 35."}
	for _, s := range places {
		if err := e.o.Split(e.Cut, strings.Index(body, s)); err != nil {
			t.Fatal(err)
		}
		e.apply()
	}
	for name, tt := range map[string]struct {
		text string
		kept []string
	}{
		"the same":        {body, places},
		"more in front":   {"New. " + body, places},
		"more behind":     {body + " New.", places},
		"one changed":     {strings.Replace(body, "number 64.", "number sixty-four.", 1), places},
		"a place changed": {strings.Replace(body, "The 20. sentence", "The twentieth", 1), []string{"The 5.", "The 35."}},
		"doubled":         {body + "\n\n" + body, []string{"The 5.", "The 20.", "The 35."}}, // the beginning is unchanged
		"doubled behind":  {"New. " + body + "\n\n" + body, nil},
		"another text":    {"Nothing of that is in here.", nil},
		"nothing":         {"", nil},
		"cut off":         {body[:strings.Index(body, "The 20.")+3], []string{"The 5."}},
	} {
		moved, lost := e.o.Rebase(tt.text)
		if lost != len(places)-len(tt.kept) || moved.Count() != len(tt.kept) {
			t.Errorf("%s: %d lost, marks %v; want %q", name, lost, moved.Marks(), tt.kept)
			continue
		}
		for i, m := range moved.Marks() {
			if !strings.HasPrefix(tt.text[m.At:], tt.kept[i]) {
				t.Errorf("%s: mark %d is at %.20q, want %q", name, i, tt.text[m.At:], tt.kept[i])
			}
		}
	}
	if len(e.o.Marks()) != 3 {
		t.Error("the old one was changed")
	}
}

func FuzzRebase(f *testing.F) {
	f.Add("One. Two. Three.", "Zero. One. Two.", 5)
	f.Fuzz(func(t *testing.T, a, b string, at int) {
		in := chunktest.Input(text.NewPlain(a))
		e := newEditor(t, "rebase", chunkers["sections"], in, chunk.Limits{Counter: token.Characters})
		if at < 0 || e.o.Split(e.Cut, at%(len(a)+1)) != nil {
			return
		}
		moved, lost := e.o.Rebase(b)
		if moved.Count()+lost != e.o.Count() {
			t.Fatalf("%d of %d marks, %d lost", moved.Count(), e.o.Count(), lost)
		}
		if err := edit.New(b).SetLog(moved.Log()); err != nil {
			t.Fatal(err)
		}
	})
}
