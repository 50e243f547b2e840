package process

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// The cost of a run adds up the usage of every model, each at its own price.
func TestWhatAPipelineHasCost(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document, questions, cache := file(t, "planets.txt", []byte(planets)), file(t, "questions.json", []byte(planetQuestions)), t.TempDir()
	args := []string{"--questions", questions, "--faithful", "--model", "writer", "--judge-model", "judge", "--price", "1000", "--chat-price", "20000,30000"}
	first, _ := evalPipeline(t, p, cache, "contextual-headers", document, append(args, "--judge-price", "500000,700000")...)
	dollars, texts, embedded := 0.0, 0, 0
	for _, q := range p.Requests() {
		if strings.HasSuffix(q.Path, "/embeddings") {
			texts, embedded = texts+len(q.Texts), embedded+upstreamtest.Tokens(q.Texts...)
			continue
		}
		var body struct {
			Messages []struct{ Content string }
		}
		if err := json.Unmarshal(q.Body, &body); err != nil {
			t.Fatal(err)
		}
		in, out := 20000.0, 30000.0
		if q.Model == "judge" {
			in, out = 500000, 700000
		}
		for _, m := range body.Messages {
			dollars += float64(upstreamtest.Tokens(m.Content)) * in / 1e6
		}
		dollars += float64(len(scholar(q).Words)) * out / 1e6
	}
	want := fmt.Sprintf("; embedded %d texts of %d tokens, about $%.4f; the run is stored", texts, embedded, dollars+float64(embedded)*1000/1e6)
	if first.status != 0 || texts == 0 || !strings.Contains(first.err, want) || !strings.Contains(first.err, "to writer and judge, and about") || strings.Contains(first.err, "unknown") {
		t.Errorf("%s instead of %q", first.err, want)
	}
	// Stored answers cost nothing, and the price of another judge is not known.
	again, _ := evalPipeline(t, p, cache, "contextual-headers", document, args...)
	if again.status != 0 || !strings.Contains(again.err, "price unknown") || !strings.Contains(again.err, "sent 0 requests: 0 tokens read, 0 written; the run is stored") {
		t.Errorf("%+v", again)
	}
}
