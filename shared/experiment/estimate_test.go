package experiment

import (
	"strings"
	"testing"

	"seam/shared/text"
)

// For each pipeline, the estimate must be close to the real demand.
func TestEstimatesAreNearTheTruth(t *testing.T) {
	many := document(t, "many.md", []byte(strings.Repeat(trees+"\n\n", 12)))
	// As in the pages of many PDFs, no line is blank.
	dense := document(t, "dense.txt", []byte(strings.Repeat(strings.ReplaceAll(trees, "\n\n", "\n")+"\n", 150)))
	near := func(d *text.Document, p Pipeline, deviations ...string) {
		t.Helper()
		o := Options{Deviations: deviations}
		report := run(t, p.Name, d, o, &model{answer: says})
		e := p.Estimate(d, asked, o)
		if ratio := float64(e.Answers) / float64(report.Requests); ratio < .6 || ratio > 1.7 {
			t.Errorf("%s %v: %d answers were told before, %d were asked for", p.Name, deviations, e.Answers, report.Requests)
		}
		if e.Texts == 0 || e.TextTokens == 0 || e.Tokens < e.Answers || e.TokensOut == 0 {
			t.Errorf("%s %v: %+v", p.Name, deviations, e)
		}
	}
	for _, p := range Pipelines() {
		near(many, p)
	}
	p, _ := Find("knowledge-chunks")
	near(dense, p, "chunks")
}
