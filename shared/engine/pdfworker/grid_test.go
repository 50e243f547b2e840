package pdfworker

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/eval"
)

// asked returns the worker's answer to a grid with params.
func asked(t *testing.T, params any) []byte {
	t.Helper()
	request, err := json.Marshal(map[string]any{"id": 1, "method": "grid", "params": params})
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	s := rpc.NewServer(rpc.Host{Post: func(b []byte, _ [][]byte) { got = b }, Now: func() time.Duration { return 0 }}, Methods(nil, nil, nil))
	<-s.Receive(request, nil)
	return got
}

// A grid must give the figures of seam eval grid.
func TestGridAgrees(t *testing.T) {
	b, err := os.ReadFile("../../eval/testdata/grid.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Budgets  eval.Budgets
		Rankings []eval.Ranking
		Report   map[string]any
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		var answers [][][2]int
		for _, refs := range c.Rankings[0].Refs {
			var of [][2]int
			for _, r := range refs {
				of = append(of, [2]int{r.Start, r.End})
			}
			answers = append(answers, of)
		}
		var rankings []gridRanking
		for _, r := range c.Rankings {
			one := gridRanking{Setting: r.Setting}
			for _, found := range r.Found {
				var of [][3]int
				for _, f := range found {
					of = append(of, [3]int{f.Start, f.End, f.Tokens})
				}
				one.Found = append(one.Found, of)
			}
			rankings = append(rankings, one)
		}
		var got struct{ Result map[string]any }
		if err := json.Unmarshal(asked(t, map[string]any{"budgets": c.Budgets, "answers": answers, "rankings": rankings}), &got); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"bestAnswers", "answersWin", "answersNeeded", "answerHalves"} { // depends on answers not given here
			delete(c.Report, key)
		}
		for _, row := range c.Report["rows"].([]any) {
			delete(row.(map[string]any), "answers")
		}
		if !reflect.DeepEqual(got.Result, c.Report) {
			t.Errorf("got %v\nwant %v", got.Result, c.Report)
		}
	}
}

// Inconsistent data of any kind must be an error.
func TestGridRefuses(t *testing.T) {
	type params = map[string]any
	budgets := params{"depths": []int{1}, "tokens": []int{}}
	one := params{"method": "fixed", "ranker": "keyword", "found": [][][3]int{{{0, 5, 2}}}}
	run := params{"answerable": true, "scores": params{"faithfulness": 1, "relevancy": 1}}
	with := func(runs ...params) []params {
		return []params{{"method": "fixed", "ranker": "keyword", "found": [][][3]int{{{0, 5, 2}}}, "runs": runs}}
	}
	answers := [][][2]int{{{0, 3}}}
	for says, p := range map[string]params{
		"by a number of chunks":       {"budgets": params{}, "answers": answers, "rankings": []params{one}},
		"by 0 chunks":                 {"budgets": params{"depths": []int{0}}, "answers": answers, "rankings": []params{one}},
		"1 of 2 questions":            {"budgets": budgets, "answers": append(answers, answers...), "rankings": []params{one}},
		"1 answers to 1 questions, 0": {"budgets": budgets, "answers": answers, "rankings": with(run)},
		"1 answers to 1 questions, 2": {"budgets": budgets, "answers": answers, "rankings": with(run), "times": 2},
		"come first":                  {"budgets": budgets, "answers": answers, "rankings": with(params{"answerable": false}), "times": 1},
		"unknown field":               {"budgets": budgets, "answer": answers},
	} {
		if got := string(asked(t, p)); !strings.Contains(got, `"code":"bad-request"`) || !strings.Contains(got, says) {
			t.Errorf("%s: %s", says, got)
		}
	}
	for _, p := range []params{{"budgets": budgets, "answers": [][][2]int{}, "rankings": []params{}}, {"budgets": budgets, "answers": answers, "rankings": with(run), "times": 1}, {"budgets": params{"tokens": []int{1}}, "answers": answers, "rankings": []params{{"method": "fixed", "ranker": "keyword", "found": [][][3]int{{{0, 5, 0}, {9, 3, -4}}}}}}} {
		if got := string(asked(t, p)); !strings.Contains(got, `"result"`) {
			t.Errorf("%v: %s", p, got)
		}
	}
}
