package eval

import (
	"math"
	"strings"
	"testing"
)

// chunksOf cuts a text of a hundred characters, four per token, into pieces of the given
// size.
func chunksOf(size int) (out []FoundChunk) {
	for at := 0; at < 100; at += size {
		out = append(out, FoundChunk{Passage{0, Range{at, min(at+size, 100)}}, size / 4})
	}
	return out
}

// ranked returns a ranking in which best(q) is the first chunk of each question, followed
// by the others.
func ranked(setting Setting, size int, answers []Range, best func(q int) int) Ranking {
	r := Ranking{Setting: setting}
	for q, a := range answers {
		all := chunksOf(size)
		b := best(q) % len(all)
		r.Found = append(r.Found, append([]FoundChunk{all[b]}, append(append([]FoundChunk{}, all[:b]...), all[b+1:]...)...))
		r.Refs, r.Of, r.Millis = append(r.Refs, []Range{a}), append(r.Of, 0), append(r.Millis, float64(q))
	}
	return r
}

func TestGridScores(t *testing.T) {
	// The answer to the only question is characters 20 to 40. The second chunk of 20 is
	// first.
	r := ranked(Setting{Method: "fixed", Size: 5, Ranker: "bm25"}, 20, []Range{{20, 40}}, func(int) int { return 1 })
	report := Grid([]Ranking{r}, Budgets{Depths: []int{1, 2, 9}, Tokens: []int{3, 5, 100}})
	row := report.Rows[0]
	for i, want := range []struct {
		recall, precision, read float64
	}{{1, 1, 5}, {1, .5, 10}, {1, .2, 25}} {
		if d := row.Depths[i]; d.Recall.Mean != want.recall || d.Precision.Mean != want.precision || d.Read != want.read || d.Success.Mean != 1 {
			t.Errorf("%+v instead of %v", d, want)
		}
	}
	for i, want := range []float64{.6, 1, 1} { // of three tokens out of five, 12 of 20 characters
		if b := row.Budgets[i]; math.Abs(b.Recall.Mean-want) > 1e-9 {
			t.Errorf("%+v instead of %v", b, want)
		}
	}
	if row.Reciprocal.Mean != 1 || report.Questions != 1 || report.Halves != nil || report.Goal != "recall in 3 tokens" || row.Name() != "fixed 5, bm25" {
		t.Errorf("%+v %+v", row, report)
	}
}

func TestRankIsOfAnyOfTheAnswer(t *testing.T) {
	r := ranked(Setting{}, 20, []Range{{20, 40}, {39, 41}, {20, 21}}, func(int) int { return 0 })
	for q, want := range []int{2, 2, 2} {
		if got := r.Rank(q); got != want {
			t.Errorf("question %d: %d instead of %d", q, got, want)
		}
	}
	r.Of[0] = 1 // its answer is in another text
	r.Found[1] = nil
	for q, want := range []int{0, 0, 2} {
		if got := r.Rank(q); got != want {
			t.Errorf("question %d: %d instead of %d", q, got, want)
		}
	}
}

func TestGridOrdersAndTies(t *testing.T) {
	var answers []Range
	for q := range 40 {
		answers = append(answers, Range{20 * (q % 5), 20*(q%5) + 20})
	}
	right := ranked(Setting{Method: "right", Ranker: "bm25"}, 20, answers, func(q int) int { return q })
	wrong := ranked(Setting{Method: "wrong", Ranker: "bm25"}, 20, answers, func(q int) int { return q + 1 })
	odd := ranked(Setting{Method: "nearly", Ranker: "bm25"}, 20, answers, func(q int) int {
		if q == 7 {
			return q + 1
		}
		return q
	})
	report := Grid([]Ranking{wrong, odd, right}, Budgets{Depths: []int{1}, Tokens: []int{5}})
	var order []string
	for _, row := range report.Rows {
		order = append(order, row.Method)
	}
	if strings.Join(order, " ") != "right nearly wrong" {
		t.Errorf("%v", order)
	}
	if !report.Rows[0].Tie || !report.Rows[1].Tie || report.Rows[2].Tie || report.Rows[2].Against.High >= 0 {
		t.Errorf("%+v", report.Rows)
	}
	// The only question that distinguishes right from nearly has an odd index. The even
	// ones choose the first of the two, which are equal there, and it misses that question.
	h := report.Halves
	if h == nil || h.Odd != "nearly, bm25" || h.Even != "right, bm25" || h.Seen.Mean != 1 || h.Unseen.Mean != 39.0/40 {
		t.Errorf("%+v", h)
	}
}

func TestGridOfNothing(t *testing.T) {
	if r := Grid(nil, Budgets{Depths: []int{1}}); len(r.Rows) != 0 {
		t.Errorf("%+v", r)
	}
	empty := Ranking{Found: [][]FoundChunk{nil}, Refs: [][]Range{{{0, 5}}}, Of: []int{0}}
	if r := Grid([]Ranking{empty}, Budgets{Depths: []int{3}}); r.Rows[0].Depths[0].Recall.Mean != 0 || r.Goal != "recall at 3" {
		t.Errorf("%+v", r)
	}
}
