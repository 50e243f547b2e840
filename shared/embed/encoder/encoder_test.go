package encoder

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/vector"
)

// fixtures are random models with results from testdata/make/reference.py.
var fixtures = []string{"bert-f32-mean", "bert-f16-first-prompts", "xlmr-bf16-mean"}

type expected struct {
	Texts            []string
	Vectors, Queries [][]float64
}

func readExpected(t testing.TB, name string) (e expected) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func openFixture(t testing.TB, name string) *Model {
	t.Helper()
	m, err := Open(os.DirFS(filepath.Join("testdata", name)), name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func vectors(t testing.TB, e embed.Embedder, texts ...string) vector.Matrix {
	t.Helper()
	m, err := e.Embed(t.Context(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// furthest returns the largest difference between a number of m and want.
func furthest(m vector.Matrix, want [][]float64) (most float64) {
	for i, row := range want {
		for j, x := range row {
			most = max(most, math.Abs(float64(m.Row(i)[j])-x))
		}
	}
	return most
}

// Vectors must match a forward pass in NumPy with float64.
func TestEqualsReference(t *testing.T) {
	for _, name := range fixtures {
		want, m := readExpected(t, name), openFixture(t, name)
		got := vectors(t, m, want.Texts...)
		if got.Check() != nil || got.Rows != len(want.Texts) || got.Dim != m.Width {
			t.Fatalf("%s: %d×%d", name, got.Rows, got.Dim)
		}
		if d := furthest(got, want.Vectors); d > 3e-6 {
			t.Errorf("%s: vectors are %.2g off", name, d)
		}
		queries := vectors(t, embed.For(m.Embedder(), embed.Queries), want.Texts[:len(want.Queries)]...)
		if d := furthest(queries, want.Queries); d > 3e-6 {
			t.Errorf("%s: queries are %.2g off", name, d)
		}
	}
}

// A text's vector must have length 1 and must not depend on other texts, to the bit.
func TestCompanyDoesNotMatter(t *testing.T) {
	for _, name := range fixtures {
		m, texts := openFixture(t, name), readExpected(t, name).Texts
		all := vectors(t, m, slices.Repeat(texts, 9)...)
		for i, s := range texts {
			alone := vectors(t, m, s).Row(0)
			for copy := range 9 {
				if !slices.Equal(alone, all.Row(i+copy*len(texts))) {
					t.Errorf("%s: text %d differs in company", name, i)
				}
			}
			length := math.Sqrt(vector.Dot(alone, alone))
			if s == "" && length != 0 || s != "" && math.Abs(length-1) > 1e-6 {
				t.Errorf("%s: text %d has length %v", name, i, length)
			}
		}
	}
}

// Prompts must depend on the role. A model without prompts is its own embedder.
func TestRoles(t *testing.T) {
	plain := openFixture(t, "bert-f32-mean")
	if e := plain.Embedder(); e != embed.Embedder(plain) || !embed.ByText(e) {
		t.Error("a model without prompts is not its own embedder")
	}
	m := openFixture(t, "bert-f16-first-prompts")
	e := m.Embedder()
	if !embed.ByText(e) || e.ID() != m.ID() {
		t.Error("a model with prompts gives a text several vectors in one role, or has another ID")
	}
	const s = "A doctor works."
	as := func(r embed.Role) []float32 { return vectors(t, embed.For(e, r), s).Row(0) }
	if slices.Equal(as(embed.Chunks), as(embed.Queries)) || slices.Equal(as(embed.Chunks), as(embed.Sentences)) {
		t.Error("roles have one vector")
	}
	if !slices.Equal(as(embed.Sentences), vectors(t, m, s).Row(0)) || !slices.Equal(as(embed.Sentences), vectors(t, e, s).Row(0)) {
		t.Error("sentences have a prompt")
	}
	if zero := vectors(t, embed.For(e, embed.Queries), "").Row(0); vector.Dot(zero, zero) != 0 {
		t.Error("a prompt alone has a vector")
	}
}

// A text of any length must have a vector, and a long text's windows must be as even as
// possible.
func TestWindows(t *testing.T) {
	m := openFixture(t, "bert-f32-mean")
	for n := range 200 {
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(5 + i)
		}
		var again []uint32
		least, most := n, 0
		for _, w := range m.windows(ids, nil, m.Window-2) {
			if len(w) > m.Window || w[0] != m.before[0] || w[len(w)-1] != m.after[0] {
				t.Fatalf("%d: a window %v", n, w)
			}
			again = append(again, w[1:len(w)-1]...)
			least, most = min(least, len(w)-2), max(most, len(w)-2)
		}
		if !slices.Equal(again, ids) || most-least > 1 {
			t.Fatalf("%d: windows of %d to %d hold %v", n, least, most, again)
		}
	}
	vectors(t, m, strings.Repeat("rain fell ", 5000), strings.Repeat("x", 100000), "\x00\xff")
}

// An ended context and an error of the progress hook must stop the work.
func TestStopped(t *testing.T) {
	m, texts := openFixture(t, "bert-f32-mean"), slices.Repeat([]string{"A doctor works."}, 5000)
	ctx, stop := context.WithCancel(t.Context())
	_, err := m.Embed(ctx, texts, func(done, total int) error {
		if total != len(texts) {
			t.Errorf("%d of %d", done, total)
		}
		if done > 0 {
			stop()
		}
		return nil
	})
	if err != context.Canceled {
		t.Errorf("a context that has ended gives %v", err)
	}
	if _, err := m.Embed(t.Context(), texts, func(done, _ int) error {
		if done > 0 {
			return os.ErrClosed
		}
		return nil
	}); err != os.ErrClosed {
		t.Errorf("a hook's error gives %v", err)
	}
}

func TestID(t *testing.T) {
	m := openFixture(t, "bert-f32-mean")
	if id, ok := strings.CutPrefix(m.ID(), "encoder:bert-f32-mean@"); !ok || len(id) != 12 {
		t.Errorf("ID %s", m.ID())
	}
	if m.Counter().Count("rain fell") < 2 || len(m.Counter().Spans("rain fell")) != m.Counter().Count("rain fell") || m.Counter().Name() != "model" {
		t.Error("the model does not count its tokens")
	}
}
