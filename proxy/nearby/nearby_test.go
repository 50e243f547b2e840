package nearby

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/proxy/nearby/nearbytest"
	"seam/shared/protocol"
)

// found returns the servers at three ports, in the order of places.
func found(t *testing.T, ollama, llamaCpp, lmStudio string) []Server {
	t.Helper()
	name, value, _ := strings.Cut(nearbytest.Ports(ollama, llamaCpp, lmStudio), "=")
	t.Setenv(name, value)
	return Find(t.Context(), "")
}

// lines lists models as "name: kinds".
func lines(s Server) (all []string) {
	for _, m := range s.Models {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s: %v", m.Name, m.Kinds)))
	}
	return all
}

var ollamas = []nearbytest.Model{
	{Name: "llama3.2:latest", Capabilities: []string{"completion", "tools"}, Family: "llama"},
	{Name: "nomic-embed-text:latest", Capabilities: []string{"embedding"}, Family: "nomic-bert"},
	{Name: "old:latest", Family: "llama"}, // of a version without capabilities
	{Name: "old-vectors:latest", Family: "bert"},
	{Name: "gpt-oss:120b-cloud", Remote: "https://ollama.com:443", Capabilities: []string{"completion"}},
	{Name: "bad\nname", Capabilities: []string{"completion"}},
}

func TestFind(t *testing.T) {
	ollama := nearbytest.Start(t, nearbytest.Ollama(nil, ollamas...))
	llama := nearbytest.Start(t, nearbytest.LlamaCpp(nil, "models/SmolLM2.Q4_1.gguf", false, true))
	studio := nearbytest.Start(t, nearbytest.LMStudio(nil, nearbytest.Model{Name: "qwen2-vl-7b", Type: "vlm"}, nearbytest.Model{Name: "meta-llama-3.1-8b", Type: "llm"}, nearbytest.Model{Name: "text-embedding-nomic-embed-text-v1.5", Type: "embeddings"}))
	all := found(t, ollama.Port(), llama.Port(), studio.Port())
	for i, want := range [][]string{
		{"llama3.2:latest: [chat]", "nomic-embed-text:latest: [embed]", "old:latest: []", "old-vectors:latest: [embed]"},
		{"models/SmolLM2.Q4_1.gguf: [chat]"},
		{"qwen2-vl-7b: [chat]", "meta-llama-3.1-8b: [chat]", "text-embedding-nomic-embed-text-v1.5: [embed]"},
	} {
		if got := lines(all[i]); !slices.Equal(got, want) || all[i].State != Lists {
			t.Errorf("%s: %s, %q", all[i].Program, all[i].State, got)
		}
	}
	if !slices.Equal(all[0].Away, []string{"gpt-oss:120b-cloud"}) {
		t.Errorf("on other machines: %q", all[0].Away)
	}
	// Every request is listed, also those to an address where nobody is.
	for i, s := range []*nearbytest.Server{ollama, llama, studio} {
		var seen []string
		for _, r := range all[i].Asked {
			seen = append(seen, strings.Replace(r, "http://"+all[i].Address, "", 1))
		}
		if !slices.Equal(seen, s.Seen()) && i > 0 || len(seen) != len(s.Seen()) {
			t.Errorf("listed %q, made %q", seen, s.Seen())
		}
	}
	if nobody := found(t, nearbytest.Silent(t), "0", "0")[0]; len(nobody.Asked) != 2 || !strings.HasPrefix(nobody.Asked[1], "GET http://[::1]:") {
		t.Errorf("%q", nobody.Asked)
	}
	// No request has a text or names a model in a way that would load it.
	for _, s := range []*nearbytest.Server{ollama, llama, studio} {
		for _, r := range s.Seen() {
			if !slices.Contains([]string{"GET /api/tags", "POST /api/show", "GET /v1/models", "POST /v1/embeddings", "POST /v1/chat/completions", "GET /api/v0/models"}, r) {
				t.Errorf("a request: %s", r)
			}
		}
	}
	if n := len(llama.Seen()); n != 3 {
		t.Errorf("llama.cpp got %d requests", n)
	}
}

// A program other than llama.cpp gets no POST.
func TestOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		h    http.Handler
		want State
	}{
		"a web server": {nearbytest.Web(), Other},
		"not found":    {http.NotFoundHandler(), Other},
		"a redirect":   {http.RedirectHandler("http://127.0.0.1:1/v1/models", http.StatusFound), Other},
		"a key":        {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }), Locked},
		"a long body": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"data":[],"x":"`+strings.Repeat("x", mostBody)+`"}`)
		}), Other},
		"a JSON value": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"status":"ok"}`) }), Other},
		"loading":      {nearbytest.Loading(), Loading},
		"OpenAI's": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			io.WriteString(w, `{"object":"list","data":[{"id":"mystery"},{"id":"bge-m3"},{"id":"bge-reranker"}]}`)
		}), Lists},
	} {
		s := nearbytest.Start(t, tt.h)
		for i, at := range [][3]string{{s.Port(), "0", "0"}, {"0", s.Port(), "0"}, {"0", "0", s.Port()}} {
			got := found(t, at[0], at[1], at[2])[i]
			if got.State != tt.want {
				t.Errorf("%s as %s: %s", name, got.Usual, got.State)
			}
			if known := got.Program != ""; known != (name == "loading" && i == 1) {
				t.Errorf("%s as %s is %q", name, got.Usual, got.Program)
			}
			if tt.want == Lists && !slices.Equal(lines(got), []string{"mystery: []", "bge-m3: [embed]", "bge-reranker: []"}) {
				t.Errorf("%q", lines(got))
			}
			if tt.want != Lists && Explain([]Server{got}) == "" {
				t.Errorf("%s: no explanation", got.State)
			}
		}
		if slices.ContainsFunc(s.Seen(), func(r string) bool { return strings.HasPrefix(r, "POST") }) {
			t.Errorf("%s got %q", name, s.Seen())
		}
	}
}

// A program that accepts and says nothing ends the search in time; one that speaks another
// protocol is another program.
func TestSilence(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ssh, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ssh.Close()
	go func() {
		for {
			c, err := ssh.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n")
			c.Close()
		}
	}()
	port := func(l net.Listener) string { _, p, _ := net.SplitHostPort(l.Addr().String()); return p }
	began := time.Now()
	all := found(t, nearbytest.Silent(t), port(l), port(ssh))
	if took := time.Since(began); took > 3*within {
		t.Errorf("it took %s", took)
	}
	if all[0].State != Silent || all[1].State != Slow || all[2].State != Other {
		t.Errorf("%s, %s, %s", all[0].State, all[1].State, all[2].State)
	}
}

// The port of the caller is left out.
func TestOwnPort(t *testing.T) {
	s := nearbytest.Start(t, nearbytest.Web())
	t.Setenv(portsVariable, "0,"+s.Port()+",0")
	if all := Find(t.Context(), s.Port()); all[1].State != Silent || len(s.Seen()) > 0 {
		t.Errorf("%s, %q", all[1].State, s.Seen())
	}
}

// A server on ::1 alone is found.
func TestSixth(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("skipping: this machine has no ::1")
	}
	server := &http.Server{Handler: nearbytest.LlamaCpp(nil, "m.gguf", true, false)}
	defer server.Close()
	go server.Serve(l)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if s := found(t, "0", port, "0")[1]; s.Address != "[::1]:"+port || !slices.Equal(lines(s), []string{"m.gguf: [embed]"}) {
		t.Errorf("%+v", s)
	}
}

func TestChoose(t *testing.T) {
	chat, embed := []protocol.Kind{protocol.Chatting}, []protocol.Kind{protocol.Embedding}
	one := []Server{{Program: Ollama, Address: "127.0.0.1:11434", State: Lists, Models: []Model{{"llama3.2:latest", chat}, {"nomic-embed-text:latest", embed}}}}
	two := append(slices.Clone(one), Server{Program: LMStudio, Address: "127.0.0.1:1234", State: Lists, Models: []Model{{"org/qwen.gguf", nil}}})
	for _, tt := range []struct {
		servers []Server
		name    string
		kind    protocol.Kind
		want    string
	}{
		{one, "", protocol.Chatting, "llama3.2:latest"},
		{one, "", protocol.Embedding, "nomic-embed-text:latest"},
		{two, "", protocol.Chatting, "llama3.2:latest"}, // the other is unknown
		{one, "llama3.2", protocol.Chatting, "llama3.2:latest"},
		{two, "qwen", protocol.Chatting, "org/qwen.gguf"},
		{two, "qwen.gguf", protocol.Embedding, "org/qwen.gguf"},
		{one, "llama3.2", protocol.Embedding, "llama3.2:latest of Ollama cannot embed: choose one with --x: nomic-embed-text:latest (Ollama)"},
		{one[:0], "", protocol.Chatting, "found no model on this machine: "},
		{[]Server{{Program: Ollama, Address: "127.0.0.1:11434", State: Lists, Models: one[0].Models[:1]}}, "llama3.2", protocol.Embedding, "llama3.2:latest of Ollama cannot embed: no other model there can: get one with `ollama pull nomic-embed-text`"},
		{[]Server{{Program: Ollama, Address: "127.0.0.1:11434", State: Lists, Models: one[0].Models[1:]}}, "", protocol.Chatting, "found no model on this machine that can answer questions: get one with `ollama pull llama3.2`"},
		{two, "mistral", protocol.Chatting, `found no model "mistral" on this machine: choose one with --x: llama3.2:latest (Ollama), org/qwen.gguf (LM Studio)`},
		{append(two, two...), "", protocol.Chatting, "found 4 models on this machine that can answer questions: choose one with --x: "},
	} {
		_, m, err := Choose(tt.servers, tt.name, tt.kind, "--x")
		got := m.Name
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != tt.want || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q, %s: %s", tt.name, tt.kind, got)
		}
	}
}
