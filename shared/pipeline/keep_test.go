package pipeline

import (
	"context"
	"reflect"
	"testing"

	"seam/shared/edit"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/text"
)

// Hooks.Vectors must not change chunks, and must provide vectors for every method.
func TestVectorsThatAreAskedFor(t *testing.T) {
	d := article(t)
	for _, m := range Methods() {
		p := plan(t, Settings{Method: m.Name})
		hooks := local
		hooks.Vectors, hooks.ChunksAlone = true, true
		r, err := NewSession(d).Run(context.Background(), p, hooks)
		if err != nil {
			t.Fatal(err)
		}
		if want := chunked(t, NewSession(d), Settings{Method: m.Name}); !reflect.DeepEqual(r.Chunks, want.Chunks) {
			t.Errorf("%s: other chunks with vectors than without", m.Name)
		}
		if len(r.Sentences) == 0 || r.Vectors.Rows != len(r.Sentences) || r.Vectors.Dim == 0 {
			t.Errorf("%s: %d×%d vectors of %d sentences", m.Name, r.Vectors.Rows, r.Vectors.Dim, len(r.Sentences))
		}
	}
}

// A new session must reuse vectors from an earlier one and restore its edits.
func TestASessionGoesOnElsewhere(t *testing.T) {
	d := article(t)
	s := NewSession(d)
	p := plan(t, Settings{Method: "percentile"})
	hooks := local
	hooks.Vectors = true
	r, err := s.Run(context.Background(), p, hooks)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = s.Edit(context.Background(), p, Edit{Action: "merge", At: r.Chunks[0].End}, hooks); err != nil {
		t.Fatal(err)
	}
	model, err := local.Open(r.Plan.Embedder)
	if err != nil {
		t.Fatal(err)
	}
	next := NewSession(d)
	next.Know(model.ID(), r.texts(), r.Vectors)
	if err := next.Load(s.Logs()); err != nil {
		t.Fatal(err)
	}
	got := chunked(t, next, Settings{Method: "percentile"})
	if got.Embedded != 0 || got.Reused != len(got.Sentences) || fingerprint(got) != fingerprint(r) || got.Edits.Count != 1 {
		t.Errorf("%d embedded, %d edits", got.Embedded, got.Edits.Count)
	}
	if _, vectors := next.Kept(got); len(vectors.Data) == 0 || &vectors.Data[0] != &r.Vectors.Data[0] {
		t.Error("vectors of the very same sentences are not taken over as they are")
	}
	if !reflect.DeepEqual(next.Marks(), s.Marks()) || NewSession(d).Marks() != nil {
		t.Errorf("%v, want %v", next.Marks(), s.Marks())
	}
	for _, bad := range []map[text.ViewName]edit.Log{{"margin": {}}, {text.Reading: {Base: []edit.Mark{{At: 1 << 30}}}}} {
		if err := next.Load(bad); err == nil || !reflect.DeepEqual(next.Marks(), s.Marks()) {
			t.Errorf("%v was taken", bad)
		}
	}
}

// With several embedders, Kept must return the vectors of the one that made the chunks.
func TestKeptVectorsAreOfTheResult(t *testing.T) {
	s := NewSession(article(t))
	results := []*Result{
		chunked(t, s, Settings{Method: "percentile", Embedder: lexical.Name}),
		chunked(t, s, Settings{Method: "percentile", Embedder: builtin.Name}),
	}
	for range 20 { // for any iteration order of the map
		for _, r := range results {
			if id, m := s.Kept(r); id != r.embedder || m.Rows != len(r.Sentences) {
				t.Fatalf("%d vectors of %s, not %s", m.Rows, id, r.embedder)
			}
		}
	}
	r := chunked(t, s, Settings{Method: "sentences"})
	first, _ := s.Kept(r)
	for range 20 {
		if id, _ := s.Kept(r); id != first {
			t.Fatalf("%s, then %s", first, id)
		}
	}
}
