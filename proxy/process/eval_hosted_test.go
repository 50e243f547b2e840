package process

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/experiment"
)

// A pipeline through a proxy produces the same report as with the provider itself.
func TestPipelinesBehindAProxy(t *testing.T) {
	l := linktest.Start(t, limit.Limits{})
	l.Provider.By(scholar)
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document, questions := file(t, "planets.txt", []byte(planets)), file(t, "questions.json", []byte(planetQuestions))
	for i, name := range []string{"semantic-chunking", "chunk-size", "knowledge-chunks", "contextual-headers"} {
		args := []string{"--questions", questions, "--model", "c", "--embedding-model", "e"}
		direct, want := evalPipeline(t, p, "off", name, document, args...)
		cache, to := t.TempDir(), filepath.Join(t.TempDir(), "report.json")
		hostedArgs := append([]string{"eval", "pipeline", name, document, "--json", to}, args...)
		r := hostedWith(t, l, cache, hostedArgs...)
		if r.status != 0 || direct.status != 0 || r.out != direct.out {
			t.Fatalf("%s: %+v, without a proxy %+v", name, r, direct)
		}
		var got experiment.Report
		if err := json.Unmarshal(mustRead(t, to), &got); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if !bytes.Equal(a, b) || got.Requests == 0 || got.Tokens == 0 {
			t.Errorf("%s: %s, without a proxy %s", name, a, b)
		}
		if l.Sockets.Load() != int64(2*i+1) || !strings.Contains(r.err, "seam: sent ") || strings.Contains(r.err, "were embedded") != strings.Contains(direct.err, "were embedded") {
			t.Errorf("%s: %d connections, %s", name, l.Sockets.Load(), r.err)
		}
		// The run continues from its stored answers, with either provider.
		before := len(l.Provider.Requests())
		if again := hostedWith(t, l, cache, hostedArgs...); again.out != r.out || len(l.Provider.Requests()) != before {
			t.Errorf("%s: %+v after %d requests, before %d", name, again, len(l.Provider.Requests()), before)
		}
	}
	for _, wrong := range []string{"--model", "--judge-model", "--embedding-model"} {
		args := []string{"eval", "pipeline", "chunk-size", document, "--question", "Why?", "--model", "c", "--embedding-model", "e", wrong, "nonsense"}
		before := len(l.Provider.Requests())
		if r := hosted(t, l, args...); r.status != 2 || !strings.Contains(r.err, `has no model "`) || strings.Count(r.err, "\n") != 1 || len(l.Provider.Requests()) != before {
			t.Errorf("%s: %+v", wrong, r)
		}
	}
}
