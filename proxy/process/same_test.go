package process

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"seam/proxy/nearby/nearbytest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// A question is the same request to the byte, whichever way it takes: through a proxy's
// socket, over OpenAI's interface with the same messages, and from the command line, with
// an address or with --local.
func TestOneQuestionIsOneRequest(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	ollama := nearbytest.Start(t, nearbytest.Ollama(p, nearbytest.Model{Name: "c", Capabilities: answers}))
	none := nearbytest.Silent(t)
	s := serveLocal(t, nil, "--base-url", p.BaseURL, "--chat-model", "c")
	doc := file(t, "manual.md", []byte(warranty))
	ask := func(args ...string) {
		t.Helper()
		args = slices.Concat([]string{"ask", "--model", "c", "What does the “warranty” cover? <b> & ü\u2028"}, args, []string{doc})
		if r := runIn(t, t.TempDir(), []string{"OPENAI_API_KEY=", "SEAM_PROXY=", "SEAM_CACHE=off", nearbytest.Ports(ollama.Port(), none, none)}, args...); r.status != 0 {
			t.Fatalf("%q: %+v", args, r)
		}
	}
	ask("--proxy", s.url, "--proxy-token", s.token)
	ask("--base-url", p.BaseURL)
	ask("--local")
	var sent struct {
		Messages  []protocol.ChatMessage `json:"messages"`
		MaxTokens int                    `json:"max_tokens"`
	}
	first := p.Requests()[0].Body
	if err := json.Unmarshal(first, &sent); err != nil || len(sent.Messages) < 2 {
		t.Fatalf("%s: %v", first, err)
	}
	for _, stream := range []bool{false, true} {
		b, err := json.Marshal(map[string]any{"model": "c", "messages": sent.Messages, "max_tokens": sent.MaxTokens, "stream": stream})
		if err != nil {
			t.Fatal(err)
		}
		if status, body := s.post(t, "/v1/chat/completions", string(b)); status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
	}
	all := p.Requests()
	if len(all) != 5 {
		t.Fatalf("%d requests", len(all))
	}
	for i, name := range []string{"the socket", "an address", "--local", "OpenAI's interface", "OpenAI's interface, streamed"} {
		if got := string(all[i].Body); got != string(first) {
			t.Errorf("%s:\n%s\nthe socket:\n%s", name, got, first)
		}
	}
	if !strings.Contains(string(first), "“warranty”") {
		t.Errorf("%s", first)
	}
}
