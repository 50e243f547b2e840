package experiment

import (
	"reflect"
	"testing"

	"seam/shared/eval"
)

// Refusals must be counted separately, and so must answers to questions that the text does
// not answer.
func TestJudged(t *testing.T) {
	run := func(faithful, relevant float64, change func(*Run)) Run {
		r := Run{Answerable: true, Scores: map[string]float64{Faithfulness: faithful, Relevancy: relevant}, Tokens: 10, TokensOut: 2}
		if change != nil {
			change(&r)
		}
		return r
	}
	runs := []Run{
		run(1, 0.5, nil),
		run(0, 0, func(r *Run) { r.Refused = true }),
		run(0, 0, func(r *Run) { r.Answerable, r.Refused, r.Tokens = false, true, 40 }),
		run(0, 0, func(r *Run) { r.Answerable = false }),
	}
	in, out := 100.0, 200.0
	dollars := 0.00215
	if got, want := Judged(runs, 1, &in, &out), (eval.Judged{Faithful: []float64{1, 0}, Relevant: []float64{0.5, 0}, Repeats: []float64{0.375}, Refused: 1, Unanswerable: 2, Rightly: 1, Read: 17.5, Written: 2, Dollars: &dollars}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	twice := Judged(runs, 2, &in, nil)
	if twice.Dollars != nil || !reflect.DeepEqual(twice.Faithful, []float64{0.5}) || !reflect.DeepEqual(twice.Relevant, []float64{0.25}) || !reflect.DeepEqual(twice.Repeats, []float64{0.75, 0}) {
		t.Errorf("each question twice: %+v", twice)
	}
}
