package eval

import (
	"math"
	"testing"
)

// scoresOf returns n scores with ones at the given share, spread evenly.
func scoresOf(n int, share float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		if int(float64(i+1)*share) > int(float64(i)*share) {
			v[i] = 1
		}
	}
	return v
}

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		scores [][]float64
		wins   bool
		needed bool
	}{
		"all alike":             {[][]float64{scoresOf(4, 1), scoresOf(4, 1), scoresOf(4, 1)}, false, false},
		"one question":          {[][]float64{{1}, {0}}, false, false},
		"three of three":        {[][]float64{{1, 1, 1}, {0, 0, 0}}, false, false},
		"four of four":          {[][]float64{{1, 1, 1, 1}, {0, 0, 0, 0}}, true, false},
		"a copy of the first":   {[][]float64{scoresOf(50, 0.9), scoresOf(50, 0.9), scoresOf(50, 0.1)}, false, false},
		"one question more":     {[][]float64{{1, 1, 1, 0, 1, 1}, {1, 1, 1, 0, 1, 0}}, false, true},
		"nine tenths to a half": {[][]float64{scoresOf(60, 0.9), scoresOf(60, 0.5)}, true, false},
	} {
		got := Choose(c.scores, 0)
		if got.Wins != c.wins || (got.Needed > 0) != c.needed || got.Needed > 0 && got.Needed <= len(c.scores[0]) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// As many questions as needed, with the same shares, single out the first setting.
	few := [][]float64{scoresOf(30, 0.8), scoresOf(30, 0.7)}
	c := Choose(few, 0)
	if c.Wins || c.Needed == 0 {
		t.Fatalf("%+v", c)
	}
	many := [][]float64{scoresOf(2*c.Needed, 0.8), scoresOf(2*c.Needed, 0.7)}
	if c := Choose(many, 0); !c.Wins {
		t.Errorf("%d questions: %+v", len(many[0]), c)
	}
}

// Scores without variation must not give an interval without width.
func TestShareInterval(t *testing.T) {
	for _, c := range []struct {
		v         []float64
		low, high float64
	}{
		{[]float64{1, 1, 1, 1}, 0.3976, 1}, // Clopper and Pearson for 4 of 4
		{[]float64{0, 0, 0, 0}, 0, 0.6024},
		{scoresOf(100, 1), 0.9638, 1},
		{[]float64{0.5, 0.5, 0.5, 0.5}, 0.1988, 0.8012},
		{[]float64{0, 1, 0, 1}, 0, 1},
	} {
		got := ShareInterval(c.v)
		if math.Abs(got.Low-c.low) > 1e-4 || math.Abs(got.High-c.high) > 1e-4 {
			t.Errorf("%v: %+v", c.v, got)
		}
	}
	if got := ShareInterval([]float64{1}); !math.IsNaN(got.Low) {
		t.Errorf("one question: %+v", got)
	}
}

// The first of equal settings is the one with the better second figure.
func TestGridOrdersEqualSettings(t *testing.T) {
	refs := [][]Range{{{100, 120}}, {{100, 120}}, {{100, 120}}, {{100, 120}}}
	of := []int{0, 0, 0, 0}
	at := func(first, then int) (found [][]FoundChunk) {
		for range of {
			found = append(found, []FoundChunk{{Passage{0, Range{first, first + 100}}, 20}, {Passage{0, Range{then, then + 100}}, 20}})
		}
		return found
	}
	late := Ranking{Setting: Setting{Method: "late", Ranker: "keyword"}, Found: at(500, 100), Refs: refs, Of: of}
	early := Ranking{Setting: Setting{Method: "early", Ranker: "keyword"}, Found: at(100, 500), Refs: refs, Of: of}
	r := Grid([]Ranking{late, early}, Budgets{Depths: []int{1, 2}, Tokens: []int{100}})
	if r.Rows[0].Method != "early" || r.Winner != "" || r.Needed != 0 {
		t.Errorf("first %s, winner %q, needed %d", r.Rows[0].Method, r.Winner, r.Needed)
	}
}
