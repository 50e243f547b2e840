package enginetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

// Shape is the shape of the suite's collections.
var Shape = remote.Shape{Version: remote.Version, Embedder: "test:1", Name: "test", Dimensions: 8, Metric: remote.Cosine, Words: "english"}

// Opener opens a collection by name.
type Opener func(t testing.TB, collection string) remote.Engine

// Suite runs the tests that every engine must pass. start starts an engine.
func Suite(t *testing.T, start func(testing.TB) Opener) {
	open := start(t)
	t.Run("shape", func(t *testing.T) { shape(t, open(t, "shapes")) })
	t.Run("whole", func(t *testing.T) { whole(t, made(t, open(t, "whole"))) })
	t.Run("again", func(t *testing.T) { again(t, made(t, open(t, "again"))) })
	t.Run("search", func(t *testing.T) { searches(t, made(t, open(t, "searches"))) })
	t.Run("filters", func(t *testing.T) { filters(t, made(t, open(t, "filters"))) })
	t.Run("many", func(t *testing.T) { many(t, made(t, open(t, "many"))) })
	t.Run("apart", func(t *testing.T) { apart(t, made(t, open(t, "one")), made(t, open(t, "other"))) })
}

// Opened opens the collection of an address until the test ends. It fails the test on an
// error.
func Opened(t testing.TB, address string, open func(a remote.Address, key string) (remote.Engine, error)) remote.Engine {
	t.Helper()
	a, err := remote.ParseAddress(address)
	must(t, err)
	e, err := open(a, "")
	must(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// made creates the collection.
func made(t testing.TB, e remote.Engine) remote.Engine {
	t.Helper()
	must(t, e.Create(t.Context(), Shape))
	return e
}

// write writes chunks and settles, so that searches find them.
func write(t testing.TB, e remote.Engine, chunks ...remote.Chunk) {
	t.Helper()
	must(t, e.Upsert(t.Context(), chunks))
	must(t, e.Settle(t.Context()))
}

// unit returns a vector of length 1 at an angle in the plane of the first two axes.
func unit(degrees float64) []float32 {
	v := make([]float32, Shape.Dimensions)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	v[0], v[1] = float32(cos), float32(sin)
	return v
}

// chunk makes a chunk of a text.
func chunk(file, id, text string, degrees float64, change ...func(*remote.Record)) remote.Chunk {
	r := remote.Record{File: file, Chunk: id, Start: len(id), End: len(id) + len(text), Tokens: len(strings.Fields(text)), Text: text}
	for _, c := range change {
		c(&r)
	}
	c := remote.ChunkOf(r)
	c.Vector = unit(degrees)
	return c
}

func shape(t *testing.T, e remote.Engine) {
	ctx := t.Context()
	must(t, e.Health(ctx))
	if s, err := e.Shape(ctx); err != nil || s != nil {
		t.Fatalf("before: shape %v, %v", s, err)
	}
	for range 2 { // the second must change nothing
		must(t, e.Create(ctx, Shape))
	}
	if s, err := e.Shape(ctx); err != nil || s == nil || *s != Shape {
		t.Fatalf("shape %v, %v", s, err)
	}
	if n, err := e.Count(ctx); n != 0 || err != nil {
		t.Fatalf("count %d, %v", n, err)
	}
	hits, err := e.Search(ctx, remote.Query{Text: "anything", Vector: unit(0), K: 3})
	if len(hits) != 0 || err != nil {
		t.Fatalf("hits %v, %v", hits, err)
	}
}

// ugly is a text with characters that engines escape, and a NUL, which PostgreSQL replaces
// with a space.
const ugly = "Quotes \" ' ` and \\ back\\u0041slash, tab\t, line\nend, {curly} [square] ${dollar} %s, “Größe” 日本語 \U0001F600 é, null:"

func whole(t *testing.T, e remote.Engine) {
	c := chunk("näme with blanks & 'quotes'.pdf", "c1", ugly, 0, func(r *remote.Record) {
		r.Title, r.Section, r.Header, r.Reason, r.Topic = "A “title”", "One › Two", "A “title” › One", "a heading", 3
		r.Labels, r.Part = []string{"iii", "iv"}, "references"
		r.Pages, r.Boxes = []int{3, 4}, []remote.Box{{3, 72.25, 100, 500.125, 112}, {4, 72, 90, 300, 102}}
		r.Meta = map[string][]string{"author": {"Jane Doe", "O'Brien"}, "tags": {"a=b", "c"}}
	})
	words := chunk("words.md", "c1", "This one has no vector at all.", 0)
	words.Vector = nil
	write(t, e, c, words)
	for _, want := range []remote.Chunk{c, words} {
		hits, err := e.Search(t.Context(), remote.Query{Text: "quotes vector", K: 5, Mode: remote.Keyword})
		must(t, err)
		i := slices.IndexFunc(hits, func(h remote.Hit) bool { return h.ID == want.ID })
		if i < 0 {
			t.Fatalf("%s is not among %v", want.File, hits)
		}
		if !reflect.DeepEqual(hits[i].Record, want.Record) {
			t.Errorf("a record has changed on its way:\n%#v\n%#v", hits[i].Record, want.Record)
		}
	}
	nul := chunk("nul.txt", "c1", "A NUL \x00 byte", 90)
	write(t, e, nul)
	hits, err := e.Search(t.Context(), remote.Query{Vector: unit(90), K: 1, Mode: remote.Dense})
	must(t, err)
	if got := hits[0].Text; got != nul.Text && got != "A NUL   byte" {
		t.Errorf("a NUL came back as %q", got)
	}
}

// again pushes a document that has changed.
func again(t *testing.T, e remote.Engine) {
	ctx := t.Context()
	first := []remote.Chunk{chunk("a.md", "1", "one one", 0), chunk("a.md", "2", "two two", 30), chunk("a.md", "3", "three three", 60)}
	other := chunk("b.md", "1", "other", 90)
	push := func(file string, chunks []remote.Chunk) remote.Change {
		t.Helper()
		held, err := e.Digests(ctx, file)
		must(t, err)
		c := remote.Compare(file, chunks, held)
		p := remote.NewPusher(e, nil)
		var send []remote.Chunk
		for _, i := range c.Send {
			send = append(send, chunks[i])
		}
		must(t, p.Add(ctx, send, c.Gone))
		must(t, p.Close(ctx))
		return c
	}
	if c := push("a.md", first); c.New != 3 || c.Changed+c.Same+len(c.Gone) != 0 {
		t.Fatalf("first: %+v", c)
	}
	push("b.md", []remote.Chunk{other})
	if c := push("a.md", first); !c.None() || c.Same != 3 {
		t.Fatalf("again: %+v", c)
	}
	second := []remote.Chunk{first[0], chunk("a.md", "2", "two changed", 30), chunk("a.md", "4", "four", 80)}
	if c := push("a.md", second); c.New != 1 || c.Changed != 1 || c.Same != 1 || len(c.Gone) != 1 {
		t.Fatalf("changed: %+v", c)
	}
	if c := push("a.md", second); !c.None() {
		t.Fatalf("changed, again: %+v", c)
	}
	docs, err := e.Documents(ctx)
	if want := []remote.Document{{File: "a.md", Chunks: 3}, {File: "b.md", Chunks: 1}}; err != nil || !reflect.DeepEqual(docs, want) {
		t.Fatalf("documents %v, %v", docs, err)
	}
	must(t, e.Delete(ctx, "a.md"))
	must(t, e.Settle(ctx))
	if n, err := e.Count(ctx); n != 1 || err != nil {
		t.Fatalf("count %d, %v", n, err)
	}
}

// ids returns the chunk ids of hits.
func ids(hits []remote.Hit) (all []string) {
	for _, h := range hits {
		all = append(all, h.Chunk)
	}
	return all
}

func searches(t *testing.T, e remote.Engine) {
	write(t, e,
		chunk("a.md", "battery", "The battery lasts two days on one charge.", 0),
		chunk("a.md", "screen", "The screen is bright, even in the sun.", 60),
		chunk("a.md", "energy", "Energy for long trips comes from the accumulator.", 10),
		chunk("a.md", "camera", "Its cameras take pictures at night.", 120))
	for _, c := range []struct {
		name string
		q    remote.Query
		want []string
	}{
		{"words", remote.Query{Text: "battery", K: 4}, []string{"battery"}},
		{"stems", remote.Query{Text: "camera picture", K: 4, Mode: remote.Keyword, Vector: unit(0)}, []string{"camera"}},
		{"any word", remote.Query{Text: "unheard-of screen", K: 4, Mode: remote.Keyword}, []string{"screen"}},
		{"vectors", remote.Query{Text: "nothing of it", Vector: unit(5.5), K: 2, Mode: remote.Dense}, []string{"energy", "battery"}},
		{"both", remote.Query{Text: "battery", Vector: unit(6), K: 2}, []string{"battery", "energy"}},
		{"no word", remote.Query{Text: "zebra", K: 4, Mode: remote.Keyword}, nil},
		{"one", remote.Query{Text: "battery screen energy", Vector: unit(60), K: 1}, []string{"screen"}},
	} {
		hits, err := e.Search(t.Context(), c.q)
		must(t, err)
		if !slices.Equal(ids(hits), c.want) {
			if c.name == "stems" && stemless(e) {
				continue
			}
			t.Errorf("%s: found %v, want %v", c.name, ids(hits), c.want)
		}
		if !slices.IsSortedFunc(hits, func(a, b remote.Hit) int { return cmpScore(b.Score, a.Score) }) {
			t.Errorf("%s: %v are not by score", c.name, hits)
		}
	}
	for _, text := range []string{"", "   ", "\"", "(", "a & b | !", "\\", "\x00", strings.Repeat("long ", 2000), "{\"x\":1}", "日本語", "'; DROP TABLE searches; --"} {
		if _, err := e.Search(t.Context(), remote.Query{Text: text, Vector: unit(0), K: 2}); err != nil {
			t.Errorf("the query %.20q: %v", text, err)
		}
		if _, err := e.Search(t.Context(), remote.Query{Text: text, K: 2}); err != nil {
			t.Errorf("the query %.20q by words: %v", text, err)
		}
	}
	if n, err := e.Count(t.Context()); n != 4 || err != nil {
		t.Errorf("afterwards: %d, %v", n, err)
	}
}

func cmpScore(a, b float64) int {
	switch {
	case a < b-1e-9:
		return -1
	case a > b+1e-9:
		return 1
	}
	return 0
}

// stemless reports whether an engine compares words without stemming.
func stemless(e remote.Engine) bool { return strings.Contains(fmt.Sprintf("%T", e), "weaviate") }

func filters(t *testing.T, e remote.Engine) {
	page := func(pages ...int) func(*remote.Record) { return func(r *remote.Record) { r.Pages = pages } }
	meta := func(name string, values ...string) func(*remote.Record) {
		return func(r *remote.Record) {
			if r.Meta == nil {
				r.Meta = map[string][]string{}
			}
			r.Meta[name] = values
		}
	}
	section := func(s string) func(*remote.Record) { return func(r *remote.Record) { r.Section = s } }
	var abstract strings.Builder // longer than any index accepts, compressed or not
	for random := rand.New(rand.NewPCG(3, 4)); abstract.Len() < 40_000; {
		fmt.Fprintf(&abstract, "%x ", random.Uint64())
	}
	write(t, e,
		chunk("a.pdf", "a", "engine parts", 0, page(1, 2), section("Parts › The Engine"), meta("author", "Jane Doe")),
		chunk("b.PDF", "b", "engine oil", 10, page(3), section("Care"), meta("author", "John"), meta("tags", "oil", "care")),
		chunk("c.md", "c", "engine noise", 20, section("50% off_* (engine)"), meta("abstract", abstract.String())),
	)
	for name, c := range map[string]struct {
		f    remote.Filter
		want []string
	}{
		"none":         {remote.Filter{}, []string{"a", "b", "c"}},
		"file":         {remote.Filter{File: "a.pdf"}, []string{"a"}},
		"types":        {remote.Filter{Types: []string{"pdf"}}, []string{"a", "b"}},
		"two types":    {remote.Filter{Types: []string{"md", "PDF"}}, []string{"a", "b", "c"}},
		"section":      {remote.Filter{Section: "the engine"}, []string{"a"}},
		"odd section":  {remote.Filter{Section: "% off_* (e"}, []string{"c"}},
		"wildcards":    {remote.Filter{Section: "p*ts"}, nil},
		"from":         {remote.Filter{Pages: [2]int{2, 0}}, []string{"a", "b"}},
		"to":           {remote.Filter{Pages: [2]int{0, 2}}, []string{"a"}},
		"from to":      {remote.Filter{Pages: [2]int{3, 9}}, []string{"b"}},
		"meta":         {remote.Filter{Meta: map[string][]string{"author": {"jane doe"}}}, []string{"a"}},
		"one of two":   {remote.Filter{Meta: map[string][]string{"author": {"jane doe", "JOHN"}, "tags": {"oil"}}}, []string{"b"}},
		"long meta":    {remote.Filter{Meta: map[string][]string{"abstract": {abstract.String()}}}, []string{"c"}},
		"another long": {remote.Filter{Meta: map[string][]string{"abstract": {abstract.String() + "x"}}}, nil},
		"nobody":       {remote.Filter{Meta: map[string][]string{"author": {"jane"}}}, nil},
		"several ways": {remote.Filter{Types: []string{"pdf"}, Pages: [2]int{1, 1}, Section: "parts"}, []string{"a"}},
	} {
		for mode, q := range map[string]remote.Query{"hybrid": {Text: "engine", Vector: unit(0), K: 5}, "words": {Text: "engine", K: 5}, "vectors": {Vector: unit(0), K: 5, Mode: remote.Dense}} {
			q.Filter = c.f
			hits, err := e.Search(t.Context(), q)
			if got := ids(hits); err != nil || len(got) != len(c.want) || slices.ContainsFunc(c.want, func(id string) bool { return !slices.Contains(got, id) }) {
				t.Errorf("%s, %s: found %v, %v, want %v", name, mode, got, err, c.want)
			}
		}
	}
}

// many writes a document with more chunks than an engine returns at a time.
func many(t *testing.T, e remote.Engine) {
	const n = 12000
	r := rand.New(rand.NewPCG(1, 2))
	p := remote.NewPusher(e, nil)
	want := map[uuid.UUID]string{}
	for i := range n {
		c := chunk("large.txt", fmt.Sprint(i), fmt.Sprintf("Chunk number %d of them.", i), r.Float64()*360, func(r *remote.Record) { r.Start, r.End = 30*i, 30*i+24 })
		want[c.ID] = c.Digest
		must(t, p.Add(t.Context(), []remote.Chunk{c}, nil))
	}
	must(t, p.Close(t.Context()))
	if p.Sent() != n {
		t.Errorf("%d sent", p.Sent())
	}
	held, err := e.Digests(t.Context(), "large.txt")
	if err != nil || !reflect.DeepEqual(held, want) {
		t.Errorf("%d of %d are held: %v", len(held), n, err)
	}
	var all []uuid.UUID
	for id := range want {
		all = append(all, id)
	}
	must(t, e.Remove(t.Context(), all[:n/2]))
	must(t, e.Settle(t.Context()))
	if count, err := e.Count(t.Context()); count != n/2 || err != nil {
		t.Errorf("%d are left, %v", count, err)
	}
	must(t, e.Delete(t.Context(), "large.txt"))
	must(t, e.Settle(t.Context()))
	if count, err := e.Count(t.Context()); count != 0 || err != nil {
		t.Errorf("%d are left of a document that was deleted, %v", count, err)
	}
}

// apart checks that collections are isolated from each other.
func apart(t *testing.T, one, other remote.Engine) {
	write(t, one, chunk("a.md", "secret", "the secret of one", 0))
	hits, err := other.Search(t.Context(), remote.Query{Text: "secret", Vector: unit(0), K: 9})
	if err != nil || len(hits) != 0 {
		t.Errorf("another collection has %v, %v", hits, err)
	}
	held, err := other.Digests(t.Context(), "a.md")
	if err != nil || len(held) != 0 {
		t.Errorf("another collection holds %v, %v", held, err)
	}
}

// Stopped checks that cancelling ctx ends a call at once. e must be an engine that accepts
// connections and never answers.
func Stopped(t *testing.T, e remote.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Search(ctx, remote.Query{Text: "x", K: 1}); err == nil {
		t.Error("a search that was stopped has hits")
	}
}
