package upstream_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"seam/proxy/upstream"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
	"seam/shared/token"
)

// A server nearby says the context of its loaded model in one of four ways.
func TestContext(t *testing.T) {
	for name, tt := range map[string]struct {
		path, body string
		want       int
	}{
		"llama.cpp":           {"/props", `{"default_generation_settings":{"n_ctx":2048,"params":{}},"total_slots":1}`, 2048},
		"Ollama":              {"/api/ps", `{"models":[{"name":"other:7b","context_length":9},{"name":"m:latest","model":"m:latest","context_length":4096}]}`, 4096},
		"an older Ollama":     {"/api/ps", `{"models":[{"name":"m:latest"}]}`, 0},
		"LM Studio":           {"/api/v0/models", `{"data":[{"id":"m","state":"loaded","max_context_length":131072,"loaded_context_length":8192}]}`, 8192},
		"LM Studio, unloaded": {"/api/v0/models", `{"data":[{"id":"m","state":"not-loaded","max_context_length":131072}]}`, 0},
		"vLLM":                {"/v1/models", `{"data":[{"id":"m","max_model_len":16384}]}`, 16384},
		"another model":       {"/v1/models", `{"data":[{"id":"n","max_model_len":16384}]}`, 0},
		"a web page":          {"/props", "<!doctype html><title>Welcome</title>", 0},
		"a negative number":   {"/props", `{"default_generation_settings":{"n_ctx":-5}}`, 0},
		"a text":              {"/props", `{"default_generation_settings":{"n_ctx":"2048"}}`, 0},
		"nothing":             {"/other", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := upstreamtest.Start()
			t.Cleanup(s.Close)
			s.Gets = map[string]string{tt.path: tt.body}
			if got := modelAt(t, s).Context(context.Background(), "m"); got != tt.want {
				t.Errorf("%d tokens, want %d", got, tt.want)
			}
		})
	}
}

// The configured context counts if the server says none, and for a provider far away, which
// is not asked.
func TestConfiguredContext(t *testing.T) {
	s := upstreamtest.Start()
	t.Cleanup(s.Close)
	for _, base := range []string{s.BaseURL, "https://provider.example/v1"} {
		c, err := upstream.New(upstream.Provider{Name: "p", BaseURL: base, Models: []upstream.Model{{Model: protocol.Model{ID: "m", Kind: protocol.Chatting, Context: 3000}}}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // a request would fail
		if got := c.Context(ctx, "m"); got != 3000 {
			t.Errorf("%s: %d tokens", base, got)
		}
	}
}

// A prompt that is longer than the context is noticed by its count, and one that is shorter
// is not doubted, however few tokens are counted.
func TestPromptAndContext(t *testing.T) {
	s := upstreamtest.Start()
	t.Cleanup(s.Close)
	s.Gets = map[string]string{"/api/ps": `{"models":[{"name":"m","context_length":2048}]}`}
	tokens := tokenizers(t)[token.O200K]
	s.Count = func(messages []string) (int, int) { return min(tokens(strings.Join(messages, "\n")), 2048), 0 }
	c := modelAt(t, s)
	r, from := rand.New(rand.NewPCG(1, 2)), sources(t)["English"]
	for range 40 {
		messages := prompt(r, from)
		n := tokens(contents(messages))
		usage := reads(t, c, messages)
		switch {
		case usage.Context != 2048:
			t.Errorf("a context of %d", usage.Context)
		case n < 2046 && usage.Sent > 0: // a count of the last two is not distinguished from a full context
			t.Errorf("%d tokens: called cut, %+v", n, usage)
		case n > 2300 && usage.Sent == 0:
			t.Errorf("%d tokens: not noticed, %+v", n, usage)
		}
	}
}

// If nothing raises a doubt, the provider gets the questions and nothing else.
func TestNoSamplesWithoutDoubt(t *testing.T) {
	s := upstreamtest.Start()
	t.Cleanup(s.Close)
	model := &server{tokens: func(s string) int { return len(s)/4 + 1 }}
	s.Count = model.count
	c := modelAt(t, s)
	r, from := rand.New(rand.NewPCG(1, 2)), sources(t)["English"]
	for range 20 {
		if usage := reads(t, c, prompt(r, from)); usage.Sent > 0 || usage.Read == 0 {
			t.Errorf("%+v", usage)
		}
	}
	if n := len(s.Requests()); n > 20+3 {
		t.Errorf("%d requests for 20 questions", n)
	}
}

// A provider that does not say how many tokens it read claims nothing, nor does one whose
// number is impossible.
func TestNothingIsClaimedWithoutACount(t *testing.T) {
	r, from := rand.New(rand.NewPCG(1, 2)), sources(t)["English"]
	for name, count := range map[string]int{"none": 0, "one": 1, "fewer than a context has": 50, "a huge one": 1 << 40} {
		s := upstreamtest.Start()
		t.Cleanup(s.Close)
		if name == "none" {
			s.Always(upstreamtest.Script{Fault: upstreamtest.NoUsage})
		}
		s.Count = func([]string) (int, int) { return count, 0 }
		if usage := reads(t, modelAt(t, s), prompt(r, from)); usage.Sent > 0 {
			t.Errorf("%s: %+v", name, usage)
		} else if name == "none" && (usage.Read > 0 || !usage.Estimated) {
			t.Errorf("an estimate without a mark: %+v", usage)
		}
	}
}
