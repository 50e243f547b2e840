package index

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"seam/shared/vector"
)

var texts = []string{
	"The engine burns fuel.",
	"Tomatoes grow in the garden. Tomatoes need water and water.",
	"Water cools the engine of the car.",
	"Nothing of the kind.",
	"",
}

func unwatched(int, int) error { return nil }

func build(t *testing.T, withVectors bool) *Index {
	t.Helper()
	var m vector.Matrix
	if withVectors {
		m = vector.New(len(texts), 2)
		copy(m.Data, []float32{1, 0, 0, 1, 0.8, 0.6, 0.1, -1, 0, 0})
	}
	x, err := New(texts, m, unwatched)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func rows(hits []Hit) []int {
	out := []int{}
	for _, h := range hits {
		out = append(out, h.Text)
	}
	return out
}

func TestKeyword(t *testing.T) {
	x := build(t, false)
	for _, tt := range []struct {
		query string
		want  []int
	}{
		{"tomato", []int{}},       // no stemmer beyond the plural's s
		{"tomatoes", []int{1}},    // the same form
		{"Engines!", []int{0, 2}}, // shorter texts first
		{"water engine", []int{2, 0, 1}},
		{"", []int{}},
		{"absent", []int{}},
		{"the fuel of it", []int{0}}, // function words do not count,
		{"of", []int{3, 2}},          // unless there is nothing else
	} {
		if got := rows(x.Search(tt.query, nil, 10, Keyword)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q finds %v, want %v", tt.query, got, tt.want)
		}
	}
}

// The weight of one term in one text, from the formula in the Framework.
func TestBM25(t *testing.T) {
	hit := build(t, false).Search("fuel", nil, 1, Keyword)[0]
	words, average := 4.0, float64(4+10+7+4+0)/5
	idf := math.Log(1 + (5-1+0.5)/(1+0.5))
	want := idf * 2.2 / (1 + 1.2*(0.25+0.75*words/average))
	if math.Abs(hit.Score-want) > 1e-12 {
		t.Errorf("score %v, want %v", hit.Score, want)
	}
	if hit.Why != "words: fuel" {
		t.Errorf("why: %s", hit.Why)
	}
}

func TestDense(t *testing.T) {
	hits := build(t, true).Search("anything", []float32{1, 0}, 10, Dense)
	if got := rows(hits); !reflect.DeepEqual(got, []int{0, 2, 3}) {
		t.Errorf("%v", got)
	}
	if hits[0].Score != 1 || !strings.HasPrefix(hits[0].Why, "similarity 1.00") {
		t.Errorf("%+v", hits[0])
	}
}

func TestHybridPutsWhatBothFindFirst(t *testing.T) {
	x := build(t, true)
	hits := x.Search("fuel", []float32{1, 0}, 10, Hybrid)
	if hits[0].Text != 0 || math.Abs(hits[0].Score-1) > 1e-12 {
		t.Errorf("%+v", hits)
	}
	if got := rows(x.Search("water", []float32{1, 0}, 2, Hybrid)); len(got) != 2 {
		t.Errorf("%v", got)
	}
	// Without a vector it is a keyword search.
	if got, want := x.Search("water", nil, 10, Hybrid), build(t, false).Search("water", nil, 10, Keyword); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What is no nearer than the embedder's noise is no hit, and words find it still.
func TestFloor(t *testing.T) {
	x, err := New([]string{"water", "wine", "milk"}, vector.Matrix{Rows: 3, Dim: 2, Data: []float32{1, 0, .8, .6, .1, 1}}, unwatched)
	if err != nil {
		t.Fatal(err)
	}
	query := []float32{1, 0}
	if got := rows(x.Search("milk", query, 9, Dense)); len(got) != 3 {
		t.Errorf("%v", got)
	}
	x.SetFloor(.15)
	if got := rows(x.Search("milk", query, 9, Dense)); !reflect.DeepEqual(got, []int{0, 1}) {
		t.Errorf("%v", got)
	}
	if got := rows(x.Search("milk", query, 9, Hybrid)); len(got) != 3 {
		t.Errorf("%v", got)
	}
	if got := x.Search("beer", []float32{-1, 0}, 9, Hybrid); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestMarks(t *testing.T) {
	in := "Water, waters and WATER; no wine. Engine's."
	var got []string
	for _, s := range Marks(in, "water engines") {
		got = append(got, s.Of(in))
	}
	if want := []string{"Water", "waters", "WATER", "Engine's"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if got := Marks("a swarm of bees", "what is a bee"); len(got) != 1 || got[0].Start != 11 {
		t.Errorf("%v", got)
	}
	if Marks(in, "") != nil || Marks("", "x") != nil {
		t.Error("marks without a reason")
	}
}

func TestNewRefusesOtherNumbersOfVectors(t *testing.T) {
	if _, err := New(texts, vector.New(3, 2), unwatched); err == nil {
		t.Error("3 vectors for 5 texts pass")
	}
	if x, err := New(nil, vector.Matrix{}, unwatched); err != nil || len(x.Search("a", nil, 5, Hybrid)) != 0 {
		t.Errorf("an empty index: %v", err)
	}
}

func TestParseMode(t *testing.T) {
	if m, err := ParseMode(""); m != Hybrid || err != nil {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := ParseMode("psychic"); err == nil || !strings.Contains(err.Error(), "hybrid, dense, keyword") {
		t.Errorf("%v", err)
	}
}
