package experiment

import (
	"strings"
	"testing"
)

func TestReadQuestions(t *testing.T) {
	got, err := ReadQuestions([]byte(`[{"question":" Why? ","ideal_answer":"So.","has_answer":true,"reasoning":"x"},{"question":"Who?","has_answer":false},{"question":"How?"}]`))
	if err != nil || len(got) != 3 || got[0] != (Question{"Why?", "So.", true}) || got[1] != (Question{"Who?", "", false}) || got[2] != (Question{"How?", "", true}) {
		t.Errorf("%+v, %v", got, err)
	}
	for in, says := range map[string]string{"": "JSON array", `{"question":"Why?"}`: "JSON array", "[]": "no question", `[{"question":"Why?"},{"ideal_answer":"x"}]`: "number 2"} {
		if _, err := ReadQuestions([]byte(in)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// What is told before is near what is asked for, for each pipeline.
func TestEstimatesAreNearTheTruth(t *testing.T) {
	d := document(t, "many.md", []byte(strings.Repeat(trees+"\n\n", 12)))
	for _, p := range Pipelines() {
		m := &model{answer: says}
		report := run(t, p.Name, d, Options{}, m)
		e := p.Estimate(d, asked, Options{})
		if near := float64(e.Answers) / float64(report.Requests); near < .6 || near > 1.7 {
			t.Errorf("%s: %d answers were told before, %d were asked for", p.Name, e.Answers, report.Requests)
		}
		if e.Texts == 0 || e.TextTokens == 0 || e.Tokens < e.Answers || e.TokensOut == 0 {
			t.Errorf("%s: %+v", p.Name, e)
		}
	}
}
