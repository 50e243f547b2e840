package process

import (
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

const gauges = `# Gauges

## Errors

| Lamp | Reason | Remedy |
|---|---|---|
| amber | The float of the gauge sticks in frost | Press key 1 twice |
| blue | The lever of the gauge sticks in frost | Press key 2 twice |
| cyan | The spring of the gauge sticks in frost | Press key 3 twice |
| red | The wheel of the gauge sticks in frost | Press key 4 twice |

## Storage

The gauge is kept in a box with straw.
`

// The passage that goes to a model has the other rows of its table, and nothing of the next
// section. The same request goes out for a dry run, for --each and for no model, and
// --no-neighbours sends the chunk alone.
func TestAskSendsNeighbours(t *testing.T) {
	dir := tree(t, map[string]string{"gauges.md": gauges})
	p := upstreamtest.Start()
	defer p.Close()
	p.Always(upstreamtest.Script{Words: []string{"Key 4 [1]."}})
	ask := func(args ...string) result {
		t.Helper()
		args = append([]string{"ask", "-k", "1", "--mode", "keyword", "--method", "recursive", "--max-tokens", "20"}, append(args, "Why does the red wheel stick?", "gauges.md")...)
		r := runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=off"}, args...)
		if r.status != 0 {
			t.Fatalf("%+v", r)
		}
		return r
	}
	sent := func(args ...string) string {
		t.Helper()
		ask(append(args, "--base-url", p.BaseURL, "--model", "c")...)
		all := p.Requests()
		passages := passagesOf(messagesOf(t, all[len(all)-1])[1].Content)
		if len(passages) != 1 {
			t.Fatalf("%q", passages)
		}
		return passages[0]
	}
	wide := sent()
	if !strings.HasPrefix(wide, "Gauges · Errors") || !strings.Contains(wide, "| Press key 4 twice") || !strings.Contains(wide, "| Press key 3 twice") || strings.Contains(wide, "straw") {
		t.Errorf("sent %q", wide)
	}
	if each := sent("--each"); each != wide {
		t.Errorf("--each sent %q, not %q", each, wide)
	}
	if bare := sent("--no-neighbours"); strings.Contains(bare, "key 3") || !strings.Contains(bare, "key 4") {
		t.Errorf("--no-neighbours sent %q", bare)
	}
	_, text, _ := strings.Cut(wide, "\n")
	if r := ask(); !strings.Contains(r.out, text) {
		t.Errorf("without a model: %q has no %q", r.out, text)
	}
	r := ask("--each", "--format", "json", "--base-url", p.BaseURL, "--model", "c")
	if !strings.Contains(r.out, `"quote":"| red | The wheel`) || !strings.Contains(r.out, "Press key 3 twice") {
		t.Errorf("the evidence is not as sent: %s", r.out)
	}
}
