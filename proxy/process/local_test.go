package process

import (
	"slices"
	"strings"
	"testing"

	"seam/proxy/nearby/nearbytest"
	"seam/proxy/upstream/upstreamtest"
)

// These tests run the program with scripted servers of models on this machine.

const warranty = "# Warranty\n\nThe warranty covers the pump for two years.\n\n# Care\n\nClean the filter every month.\n"

var answers, embeds = []string{"completion"}, []string{"embedding"}

func TestAskLocal(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	llama, nomic := nearbytest.Model{Name: "llama3.2:latest", Capabilities: answers}, nearbytest.Model{Name: "nomic-embed-text:latest", Capabilities: embeds}
	ollama := nearbytest.Start(t, nearbytest.Ollama(p, llama, nomic))
	studio := nearbytest.Start(t, nearbytest.LMStudio(p, nearbytest.Model{Name: "qwen3", Type: "llm"}))
	web := nearbytest.Start(t, nearbytest.Web())
	none := nearbytest.Silent(t)
	doc := file(t, "manual.md", []byte(warranty))
	const question = "What does the warranty cover?"
	local := func(ports string, args ...string) result {
		t.Helper()
		return runIn(t, t.TempDir(), []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=http://127.0.0.1:1", "SEAM_CACHE=off", ports}, args...)
	}
	// The only chat model is taken, and no key goes to it.
	r := local(nearbytest.Ports(ollama.Port(), none, none), "ask", "--local", question, doc)
	sent := p.Requests()
	if r.status != 0 || !strings.Contains(r.out, "It comes apart where") || !strings.Contains(r.err, "seam: using llama3.2:latest of Ollama at 127.0.0.1:"+ollama.Port()) || len(sent) != 1 || sent[0].Model != "llama3.2:latest" || sent[0].Header.Get("Authorization") != "" {
		t.Errorf("%+v, %d requests", r, len(sent))
	}
	// A dry run finds the model and sends nothing.
	r = local(nearbytest.Ports(ollama.Port(), none, none), "ask", "--local", "--dry-run", question, doc)
	if r.status != 0 || !strings.Contains(r.out, "to llama3.2:latest at 127.0.0.1:"+ollama.Port()+": free") || len(p.Requests()) != 1 {
		t.Errorf("%+v", r)
	}
	// Several are listed, with the option that chooses.
	both := nearbytest.Ports(ollama.Port(), web.Port(), studio.Port())
	if r = local(both, "ask", "--local", question, doc); r.status != 2 || r.err != "seam: found 2 models on this machine that can answer questions: choose one with --model NAME: llama3.2:latest (Ollama), qwen3 (LM Studio)\n" {
		t.Errorf("%+v", r)
	}
	if r = local(both, "ask", "--local", "--model", "qwen3", question, doc); r.status != 0 || p.Requests()[1].Model != "qwen3" {
		t.Errorf("%+v", r)
	}
	// Chat and embeddings may come from two servers. A short name is completed.
	r = local(both, "ask", "--local", "--model", "qwen3", "--embedder", "openai:nomic-embed-text", question, doc)
	var models []string
	for _, q := range p.Requests()[2:] {
		models = append(models, q.Model)
	}
	if r.status != 0 || !slices.Contains(models, "nomic-embed-text:latest") || models[len(models)-1] != "qwen3" {
		t.Errorf("%+v, %q", r, models)
	}
	if sent := p.Requests()[2]; len(sent.Texts) == 0 || !strings.HasPrefix(sent.Texts[0], "search_") {
		t.Errorf("the prefix of nomic is missing: %q", sent.Texts)
	}
	// Errors say how to proceed, in one line.
	before := len(p.Requests())
	for _, tt := range []struct {
		ports  string
		status int
		args   []string
		says   []string
	}{
		{nearbytest.Ports(none, none, none), 1, nil, []string{"found no model on this machine", "nothing listens on 127.0.0.1:" + none + " (Ollama)", "`ollama serve`", "--base-url"}},
		{nearbytest.Ports(none, web.Port(), none), 1, nil, []string{"the program at 127.0.0.1:" + web.Port() + " does not list models", "llama.cpp listens on another port"}},
		{both, 2, []string{"--model", "mistral"}, []string{`found no model "mistral"`, "--model NAME: llama3.2:latest (Ollama)"}},
		{both, 2, []string{"--model", "nomic-embed-text"}, []string{"nomic-embed-text:latest of Ollama cannot answer questions", "--model NAME"}},
		{both, 2, []string{"--model", "qwen3", "--embedder", "openai:llama3.2"}, []string{"llama3.2:latest of Ollama cannot embed", "--embedder openai:NAME: nomic-embed-text:latest (Ollama)"}},
		{both, 2, []string{"--base-url", "http://127.0.0.1:1/v1"}, []string{"--local and --base-url exclude each other"}},
	} {
		r := local(tt.ports, slices.Concat([]string{"ask", "--local"}, tt.args, []string{question, doc})...)
		if r.status != tt.status || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", tt.args, r)
		}
		for _, s := range tt.says {
			if !strings.Contains(r.err, s) {
				t.Errorf("%q does not say %q: %s", tt.args, s, r.err)
			}
		}
	}
	if n := len(p.Requests()); n != before {
		t.Errorf("errors sent %d requests", n-before)
	}
}
