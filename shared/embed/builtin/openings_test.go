package builtin

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"seam/shared/vector"
)

var aboutARiver = []string{
	"The river rises in the mountains and flows north.", "It is fed by melting snow.", "Its valley was settled early.",
	"In 1850 the first bridge was built.", "Trade grew quickly after that.", "The cuisine of the region is known for its cheese.",
	"“Farmers” sell it at weekly markets.", "However, exports fell in the 1990s.", "See also the list of rivers.",
	"12 tributaries are named.", "Élan is one of them.", "",
}

func openingsOf(t *testing.T, m *Model, texts []string) []float64 {
	t.Helper()
	v, err := m.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	odds, err := m.Openings(texts, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(odds) != max(0, len(texts)-1) {
		t.Fatalf("%d values for %d texts", len(odds), len(texts))
	}
	return odds
}

func modelFile(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("model.bin")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func shipped(t *testing.T) *Model {
	t.Helper()
	m, err := Load(modelFile(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The expected numbers come from train/openings.py's features and the matrices of
// model.bin, multiplied by numpy.
func TestOpeningsAreThoseOfTheTraining(t *testing.T) {
	want := []float64{-0.5136, 1.8204, 0.0356, -0.1347, 1.1593, 0.3712, -1.6915, -0.4331, 0.8387, 1.5428, 0.4978}
	for i, got := range openingsOf(t, shipped(t), aboutARiver) {
		if math.Abs(got-want[i]) > 2e-3 {
			t.Errorf("gap %d: %.4f, want %.4f", i, got, want[i])
		}
	}
}

// A vector's squared length is reused for several cosines. Each must equal the cosine
// computed from both vectors.
func TestCosinesOfGaps(t *testing.T) {
	m := shipped(t)
	v, err := m.Embed(context.Background(), slices.Repeat(aboutARiver, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.openings.gaps(slices.Repeat(aboutARiver, 4), v)
	if err != nil {
		t.Fatal(err)
	}
	g.mover()(1, v.Rows)
	of := func(a, b []float32) float32 { return cosine(vector.Dot(a, b), square(a), square(b)) }
	whole := moving{m: v, sum: make([]float32, v.Dim)}
	whole.upTo(0, v.Rows)
	window := func() *moving { return &moving{m: v, sum: make([]float32, v.Dim)} }
	near, nearBefore, far, farBefore := window(), window(), window(), window()
	for c := range v.Rows {
		if g.squares[c] != square(v.Row(c)) || g.whole[c] != of(v.Row(c), whole.sum) {
			t.Errorf("sentence %d: %g, %g", c, g.squares[c], g.whole[c])
		}
		if c == 0 {
			continue
		}
		near.upTo(c, c+nearby)
		nearBefore.upTo(c-nearby, c)
		far.upTo(c, c+around)
		farBefore.upTo(c-around, c)
		want := [3]float32{of(near.sum, nearBefore.sum), of(far.sum, farBefore.sum), of(v.Row(c), farBefore.sum)}
		if g.moved[c] != want {
			t.Errorf("gap before %d: %v, want %v", c, g.moved[c], want)
		}
	}
}

// A window that moves by one row must give the same bits as an addition followed by a
// subtraction.
func TestMoving(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	m := vector.New(30, 7)
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64())
	}
	w := moving{m: m, sum: make([]float32, m.Dim)}
	from, to, want := 0, 0, make([]float32, m.Dim)
	for c := range m.Rows {
		w.upTo(c-around, c+nearby)
		for ; to < min(c+nearby, m.Rows); to++ {
			for j, x := range m.Row(to) {
				want[j] += x
			}
		}
		for ; from < c-around; from++ {
			for j, x := range m.Row(from) {
				want[j] -= x
			}
		}
		if !slices.Equal(w.sum, want) {
			t.Fatalf("rows %d to %d: %v, want %v", from, to, w.sum, want)
		}
	}
}

func TestOpeningsOfShortAndUglyTexts(t *testing.T) {
	m := shipped(t)
	for n := range 5 {
		openingsOf(t, m, aboutARiver[:n])
		for _, v := range openingsOf(t, m, make([]string, n)) { // empty texts have no vectors
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%d empty texts: %g", n, v)
			}
		}
	}
	first := openingsOf(t, m, aboutARiver)
	if !slices.Equal(first, openingsOf(t, m, aboutARiver)) {
		t.Error("other values the second time")
	}
	if _, err := m.Openings(aboutARiver, vector.New(3, m.Dim()), nil); err == nil {
		t.Error("3 vectors for 12 texts are taken")
	}
	if odds, err := (&Model{Model: m.Model}).Openings(aboutARiver[:2], vector.New(2, m.Dim()), nil); odds != nil || err != nil {
		t.Errorf("of a model without openings: %v, %v", odds, err)
	}
}

func TestDamagedOpeningsAreRefused(t *testing.T) {
	b := modelFile(t)
	h, _, err := readHeader(b)
	if err != nil {
		t.Fatal(err)
	}
	part := b[len(b)-32-h.Openings : len(b)-32]
	if _, err := readOpenings(part, h.Dim); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(part); i += 1 + i/50 {
		if _, err := readOpenings(part[:i], h.Dim); err == nil {
			t.Fatalf("%d of %d bytes are taken", i, len(part))
		}
	}
	if _, err := readOpenings(part, h.Dim+4); err == nil {
		t.Error("taken for another number of dimensions")
	}
	if _, err := readOpenings(append(slices.Clone(part), 0), h.Dim); err == nil {
		t.Error("taken with a byte more")
	}
}
