package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// versions returns a document with distinct sentences, later versions of it, and the number
// of new sentences in each.
func versions(n int) (first string, later map[string]string, fresh map[string]int) {
	sentences := make([]string, n)
	for i := range sentences {
		sentences[i] = fmt.Sprintf("The %d. windmill of the valley grinds %d sacks of corn a day.", i, i*i)
	}
	join := func(list ...[]string) string { return strings.Join(slices.Concat(list...), " ") }
	added := []string{"A lathe turns the work.", "Venus turns backwards."}
	middle := n / 2
	later = map[string]string{
		"nothing":    join(sentences),
		"beginning":  join(added, sentences),
		"middle":     join(sentences[:middle], added, sentences[middle:]),
		"end":        join(sentences, added),
		"changed":    join(sentences[:middle], added[:1], sentences[middle+1:]),
		"removed":    join(sentences[:middle], sentences[middle+3:]),
		"turned":     join(sentences[middle:], sentences[:middle]),
		"everything": join(added),
	}
	return join(sentences), later, map[string]int{"beginning": 2, "middle": 2, "end": 2, "changed": 1, "everything": 2}
}

// After Replace, a session must give the same bytes as a new session, and embed only the
// new sentences.
func TestReplaceIsAFreshSession(t *testing.T) {
	first, later, fresh := versions(60)
	for name, body := range later {
		for _, set := range []Settings{{}, {Method: "cluster"}, {Method: "notebook-percentile"}, {Embedder: "lexical"}} {
			s := NewSession(text.NewPlain(first))
			chunked(t, s, set)
			s.Replace(text.NewPlain(body))
			got, want := chunked(t, s, set), chunked(t, NewSession(text.NewPlain(body)), set)
			if fingerprint(got) != fingerprint(want) || !slices.Equal(got.Vectors.Data, want.Vectors.Data) {
				t.Errorf("%s, %+v: other results than those of a fresh session", name, set)
			}
			n := len(got.Sentences)
			made := fresh[name]
			if set.Embedder == "lexical" && name != "nothing" { // its vectors depend on all sentences together
				made = n
			}
			if set.Method != "notebook-percentile" && (got.Embedded != made || got.Reused != n-made) {
				t.Errorf("%s, %+v: %d embedded, %d used again; want %d of %d", name, set, got.Embedded, got.Reused, made, n)
			}
			if want.Embedded != n || want.Reused != 0 {
				t.Errorf("%s, %+v: a fresh session says %d and %d of %d", name, set, want.Embedded, want.Reused, n)
			}
			if again := chunked(t, s, set); again.Embedded != 0 || again.Reused != n {
				t.Errorf("%s, %+v: cut again, %d are embedded", name, set, again.Embedded)
			}
		}
	}
}

// counting counts the texts that a model is asked to embed.
type counting struct {
	embed.Embedder
	texts *int
}

func (c counting) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	*c.texts += len(texts)
	return c.Embedder.Embed(ctx, texts, progress)
}

// No text may be embedded twice, even if the document is replaced before it is cut, or
// another view has the same sentences.
func TestReplaceAsksForNothingTwice(t *testing.T) {
	first, later, _ := versions(40)
	builtin, err := model()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	hooks := Hooks{Embedder: func(string) (embed.Embedder, error) { return counting{builtin, &asked}, nil }}
	s := NewSession(text.NewPlain(first))
	for _, step := range []struct {
		body string
		want int
	}{{first, 40}, {later["end"], 2}, {later["beginning"], 0}, {first, 0}} {
		s.Replace(text.NewPlain(step.body))
		s.Replace(text.NewPlain(step.body)) // replaced again before it is cut
		before := asked
		r, err := s.Run(context.Background(), plan(t, Settings{}), hooks)
		if err != nil || asked-before != step.want || r.Embedded != step.want {
			t.Errorf("asked for %d, told of %d, want %d (%v)", asked-before, r.Embedded, step.want, err)
		}
	}
	before := asked
	if _, err := s.Run(context.Background(), plan(t, Settings{View: text.Content}), hooks); err != nil || asked != before {
		t.Errorf("the same sentences of the other view: asked for %d (%v)", asked-before, err)
	}
}

// Chunks far from a change must keep their IDs, and edits their places.
func TestReplaceKeepsIdsAndEdits(t *testing.T) {
	body := strings.Join(pdftest.Paragraphs, "\n\n")
	set := Settings{Method: "sections"}
	s := NewSession(text.NewPlain(body))
	chunked(t, s, set)
	for _, words := range []string{"Shavings fly", "Venus turns"} {
		if _, err := s.Edit(context.Background(), plan(t, set), Edit{Action: "split", At: strings.Index(body, words)}, local); err != nil {
			t.Fatal(err)
		}
	}
	before := chunked(t, s, set)
	other := strings.Replace("One more.\n\n"+body, "Venus turns backwards, and so slowly", "Venus is slow, so slow", 1)
	if lost := s.Replace(text.NewPlain(other)); lost != 1 {
		t.Errorf("%d changes lost, want that before Venus", lost)
	}
	after := chunked(t, s, set)
	if after.Edits.Count != 1 {
		t.Fatalf("%+v", after.Edits)
	}
	ids := map[string]string{}
	for _, c := range after.Chunks {
		ids[c.ID] = c.Of(after.Text.Text)
	}
	kept := 0
	for _, c := range before.Chunks {
		if ids[c.ID] == c.Of(before.Text.Text) {
			kept++
		}
	}
	if kept != len(before.Chunks)-2 { // all except the two next to Venus
		t.Errorf("%d of %d chunks have their ids", kept, len(before.Chunks))
	}
}

// wide is a model with vectors so long that few are kept.
type wide struct{}

func (wide) ID() string             { return "wide" }
func (wide) Counter() token.Counter { return token.Words }
func (wide) Embed(_ context.Context, texts []string, _ embed.Progress) (vector.Matrix, error) {
	m := vector.New(len(texts), mostCached/4/30)
	for i, t := range texts {
		m.Row(i)[len(t)%m.Dim] = 1
	}
	return m, nil
}

func TestVectorsAreBounded(t *testing.T) {
	first, later, _ := versions(40)
	hooks := Hooks{Embedder: func(string) (embed.Embedder, error) { return wide{}, nil }}
	s := NewSession(text.NewPlain(first))
	for _, name := range []string{"end", "beginning"} {
		if _, err := s.Run(context.Background(), plan(t, Settings{Method: "percentile"}), hooks); err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, c := range s.vectors {
			size += len(c.vectors.Data)
		}
		for _, list := range s.before {
			for _, c := range list {
				size += len(c.vectors.Data)
			}
		}
		if 4*size > mostCached {
			t.Errorf("%d bytes of vectors are cached", 4*size)
		}
		s.Replace(text.NewPlain(later[name]))
	}
}
