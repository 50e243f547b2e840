package bundle

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/text"
	"seam/shared/vector"
)

// model returns the built-in model. Tests read it from its file, because in a browser the
// program does not contain it.
func model(t testing.TB) embed.Embedder {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "embed", "builtin", "model.bin"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := builtin.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func hooks(t testing.TB) pipeline.Hooks {
	m := model(t)
	return pipeline.Hooks{Vectors: true, Embedder: func(string) (embed.Embedder, error) { return m, nil }}
}

const markdown = `On mills.

They turn. They grind.

# Windmills

A windmill turns its cap into the wind. The sails drive a shaft of oak. – Größe zählt: 字 and 😀.

## Stones

The shaft drives the stones. They need dressing every few weeks.
` + "\f" + `
# Lathes

A lathe turns the work and holds the tool still. Shavings fly from the chisel.
`

// documents returns one document of each kind.
func documents(t testing.TB) []*text.Document {
	t.Helper()
	paper, err := pdftext.Extract(pdftest.Article(pdftest.Paragraphs...), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	paper.Outline = []text.Bookmark{{Title: "Top", Level: 1, Page: 0, Y: 12.5}, {Title: "Nowhere", Level: 2, Page: -1}}
	paper.Author, paper.Language, paper.Notes = "A. Miller", "en-GB", []string{"page 9: nothing"}
	mills, err := read.All().Read("mills.md", []byte(markdown), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	front, err := read.All().Read("front.md", []byte("---\ntitle: Of mills\ntags: [wind]\n---\n\n# Mills\n\nOne turns.\fAnother grinds.\n"), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	docs := []*text.Document{paper, mills, text.NewPlain("One line, nothing more"), text.NewPlain(""), front}
	for i, d := range docs {
		d.Name = fmt.Sprintf("folder/document %d", i)
	}
	return docs
}

func plan(t testing.TB, s pipeline.Settings) pipeline.Plan {
	t.Helper()
	p, err := pipeline.NewPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func cut(t testing.TB, s *pipeline.Session, set pipeline.Settings, h pipeline.Hooks) *pipeline.Result {
	t.Helper()
	r, err := s.Run(context.Background(), plan(t, set), h)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// items returns documents that were cut. The first has an edited boundary.
func items(t testing.TB, set pipeline.Settings) (all []*Item) {
	t.Helper()
	h := hooks(t)
	for i, d := range documents(t) {
		s := pipeline.NewSession(d)
		r := cut(t, s, set, h)
		if i == 0 && len(r.Chunks) > 1 && set.MaxTokens == 0 {
			var err error
			if r, err = s.Edit(context.Background(), r.Plan, pipeline.Edit{Action: "merge", At: r.Chunks[0].End}, h); err != nil {
				t.Fatal(err)
			}
		}
		id := ""
		if r.Vectors.Dim > 0 {
			id = model(t).ID()
			if r.Plan.Embedder == lexical.Name {
				id = lexical.Name
			}
		}
		all = append(all, ItemOf(s, r, Source{Format: "test", Size: int64(i)}, r.Plan.Embedder, id))
	}
	return all
}

func write(t testing.TB, loose bool, all []*Item) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	w.Loose = loose
	for _, it := range all {
		if err := w.Add(it); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readAll reads a whole bundle.
func readAll(b []byte) (all []*Item, err error) {
	opened, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	for i := range opened.Manifest.Documents {
		it, err := opened.Item(i)
		if err == nil {
			err = errors.Join(opened.Vectors(i, it), opened.OfChunks(i, it), opened.Index(i, it))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, it)
	}
	return all, nil
}

// Documents, sentences, vectors, chunks and edits must be read as they were written, and be
// written again to the same bytes.
func TestRoundTrip(t *testing.T) {
	for _, set := range []pipeline.Settings{{}, {Method: "notebook-percentile", Headers: true}, {Method: "recursive", MaxTokens: 30, Overlap: 5}} {
		want := items(t, set)
		b := write(t, false, want)
		got, err := readAll(b)
		if err != nil {
			t.Fatal(err)
		}
		for i, it := range got {
			w := want[i]
			if !reflect.DeepEqual(it.Chunking, w.Chunking) || !reflect.DeepEqual(it.Edits, w.Edits) || !reflect.DeepEqual(it.Logs, w.Logs) || it.Source != w.Source {
				t.Errorf("%s: %+v\n%+v", w.Document.Name, it.Chunking, w.Chunking)
			}
			if !reflect.DeepEqual(it.Vectors, w.Vectors) && w.Vectors.Rows > 0 || !reflect.DeepEqual(it.Texts(), w.Texts()) {
				t.Errorf("%s: other sentences or vectors", w.Document.Name)
			}
			rounded(w.Document)
			// Encode covers the whole document.
			if !bytes.Equal(text.Encode(it.Document), text.Encode(w.Document)) {
				t.Errorf("%s is another document", w.Document.Name)
			}
		}
		if !bytes.Equal(b, write(t, false, got)) {
			t.Errorf("%+v: written again it is another file", set)
		}
		if b[30] != 'm' || string(b[38:38+len(MediaType)]) != MediaType {
			t.Errorf("it begins with %q", b[:60])
		}
	}
}

// rounded rounds boxes to hundredths of points.
func rounded(d *text.Document) {
	for _, p := range d.Pages {
		for i, w := range p.Words {
			p.Words[i].Box = text.Box{X0: cents(w.Box.X0), Y0: cents(w.Box.Y0), X1: cents(w.Box.X1), Y1: cents(w.Box.Y1)}
		}
	}
}

// Every method must cut a document from a bundle like the original. If the bundle has
// its sentences, the method must not embed them again.
func TestEveryMethodCutsTheSame(t *testing.T) {
	for _, view := range []text.ViewName{text.Reading, text.Content} {
		all, err := readAll(write(t, false, items(t, pipeline.Settings{View: view})))
		if err != nil {
			t.Fatal(err)
		}
		h := hooks(t)
		h.Vectors = false
		for i, d := range documents(t) {
			it := all[i]
			it.Edits, it.Logs = nil, nil
			c := NewCache("x.seam", it.Chunking.Model, model(t))
			if err := c.Add(it.Texts(), it.Vectors); err != nil {
				t.Fatal(err)
			}
			cached := h
			cached.Embedder = func(string) (embed.Embedder, error) { return c.Embedder(), nil }
			for _, m := range pipeline.Methods() {
				s, err := it.Session()
				if err != nil {
					t.Fatal(err)
				}
				want := cut(t, pipeline.NewSession(d), pipeline.Settings{Method: m.Name, View: view, Embedder: "builtin"}, h)
				got := cut(t, s, pipeline.Settings{Method: m.Name, View: view, Embedder: "builtin"}, h)
				if !reflect.DeepEqual(got.Chunks, want.Chunks) {
					t.Errorf("%s, %s, %s: other chunks", d.Name, view, m.Name)
				}
				if s, err = it.Session(); err != nil {
					t.Fatal(err)
				}
				r, err := s.Run(context.Background(), plan(t, pipeline.Settings{Method: m.Name, View: view, Embedder: "cache:x.seam"}), cached)
				if m.Embeds && m.Sentences != it.Chunking.Plan.Sentences && len(it.Sentences) > 1 {
					if err == nil || !strings.Contains(err.Error(), "x.seam has no vector for") {
						t.Errorf("%s, %s, %s: %v", d.Name, view, m.Name, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(r.Chunks, want.Chunks) {
					t.Errorf("%s, %s, %s: other chunks with kept vectors", d.Name, view, m.Name)
				}
			}
		}
	}
}

func TestCache(t *testing.T) {
	m := model(t)
	v, err := m.Embed(context.Background(), []string{"One  line.\n", "Another."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := NewCache("x.seam", m.ID(), nil)
	if err := c.Add([]string{"One  line.\n", "Another."}, v); err != nil {
		t.Fatal(err)
	}
	e := c.Embedder()
	got, err := e.As(embed.Sentences).Embed(context.Background(), []string{" \t", "Another.", "One line."}, nil)
	if err != nil || !reflect.DeepEqual(got.Row(2), v.Row(0)) || !reflect.DeepEqual(got.Row(1), v.Row(1)) {
		t.Errorf("%v", err)
	}
	if e.ID() != m.ID() || e.As(embed.Chunks) != nil || e.As(embed.Queries) != nil || e.Counter() == nil {
		t.Errorf("%s", e.ID())
	}
	if _, ok := e.(embed.OpeningModel); ok {
		t.Error("without its model it knows how sections begin")
	}
	_, err = e.Embed(context.Background(), []string{"One line.", "Two lines.", "Three."}, nil)
	if err == nil || !strings.Contains(err.Error(), `x.seam has no vector for 2 of 3 sentences, the first is "Two lines."`) {
		t.Errorf("%v", err)
	}
	v.Dim, v.Rows = v.Dim/2, v.Rows*2
	if err := c.Add(make([]string, 4), v); err == nil {
		t.Error("vectors of two lengths were taken")
	}
	if e = NewCache("x.seam", m.ID(), m).Embedder(); e.As(embed.Queries) != m {
		t.Error("with its model it embeds no queries")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Embed(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

var update = flag.Bool("update", false, "write the fixtures anew: those of a version that was published are never written again")

// The fixtures of version 1 must stay readable forever. Those that are not deflated must be
// written again to the same bytes; another Go version may deflate differently.
func TestFixtures(t *testing.T) {
	fixtures := map[string]pipeline.Settings{
		"semantic":   {Headers: true},
		"notebook":   {Method: "notebook-percentile", Embedder: "lexical"},
		"page-join":  {Method: "percentile", View: text.Content, PageJoin: new(string)},
		"no-vectors": {Method: "fixed", MaxTokens: 20},
	}
	for name, set := range fixtures {
		path := func(kind string) string { return filepath.Join("testdata", "v1", name+kind+".seam") }
		if *update {
			all := items(t, set)
			for _, it := range all {
				if name == "no-vectors" {
					it.Sentences, it.Vectors, it.Chunking.Model, it.Chunking.Dimensions = nil, vector.Matrix{}, "", 0
				}
				small(it)
			}
			for kind, loose := range map[string]bool{"": false, "-stored": true} {
				if err := os.WriteFile(path(kind), write(t, loose, all), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		stored, err := os.ReadFile(path("-stored"))
		if err != nil {
			t.Fatal(err)
		}
		all, err := readAll(stored)
		if err != nil {
			t.Fatalf("%s: %v", path("-stored"), err)
		}
		if !bytes.Equal(write(t, true, all), stored) {
			t.Errorf("%s: written again it is another file", path("-stored"))
		}
		deflated, err := os.ReadFile(path(""))
		if err != nil {
			t.Fatal(err)
		}
		again, err := readAll(deflated)
		if err != nil {
			t.Fatalf("%s: %v", path(""), err)
		}
		if !bytes.Equal(write(t, true, again), stored) {
			t.Errorf("%s holds something else than %s", path(""), path("-stored"))
		}
		if len(all) != 4 || all[0].Document.Name != "folder/document 0" || all[1].Document.Title != "On mills" || len(all[0].Chunking.Chunks) == 0 {
			t.Errorf("%s: %d documents", name, len(all))
		}
	}
}

// small keeps eight numbers of each vector, because fixtures stay forever.
func small(it *Item) {
	v := &it.Vectors
	if v.Dim <= 8 {
		return
	}
	var data []float32
	for i := range v.Rows {
		data = append(data, v.Row(i)[:8]...)
	}
	v.Dim, v.Data, it.Chunking.Dimensions = 8, data, 8
}
