package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
)

// sentTexts returns the texts of all requests for embeddings since a number of requests.
func sentTexts(p *upstreamtest.Server, from int) (texts []string) {
	for _, r := range p.Requests()[from:] {
		texts = append(texts, r.Texts...)
	}
	slices.Sort(texts)
	return texts
}

// A model that was trained with prefixes gets them to the byte; its vectors are not taken for
// vectors of the bare texts, and a bundle says which ones it has.
func TestPrefixes(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	dir, cache := t.TempDir(), t.TempDir()
	text := filepath.Join(dir, "planets.txt")
	if err := os.WriteFile(text, []byte("Venus turns backwards.\n\nMars is red."), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(model string, args ...string) result {
		t.Helper()
		r := own(t, cache, append([]string{args[0], "--base-url", p.BaseURL, "--embedder", "openai:" + model}, args[1:]...)...)
		if r.status > 1 { // the vectors are random, and a search may find nothing
			t.Fatalf("%q: %+v", args, r)
		}
		return r
	}
	search := []string{"search", "--mode", "dense", "venus", text}
	for _, tt := range []struct {
		model string
		args  []string
		want  []string
	}{
		{"nomic-embed-text:latest", search, []string{"search_document: Mars is red.", "search_document: Venus turns backwards.", "search_query: venus"}},
		{"nomic-embed-text:latest", search, nil}, // all vectors are stored
		{"nomic-embed-text:latest", append([]string{"search", "--query-prefix", "", "--passage-prefix", ""}, search[1:]...), []string{"Mars is red.", "Venus turns backwards.", "venus"}},
		{"nomic-embed-text:latest", append([]string{"search", "--query-prefix", "Q: "}, search[1:]...), []string{"Q: venus", "search_document: Mars is red.", "search_document: Venus turns backwards."}},
		{"text-embedding-3-small", search, []string{"Mars is red.", "Venus turns backwards.", "venus"}},
	} {
		before := len(p.Requests())
		run(tt.model, tt.args...)
		if got := sentTexts(p, before); !slices.Equal(got, tt.want) {
			t.Errorf("%s %q: sent %q, want %q", tt.model, tt.args, got, tt.want)
		}
	}
	if r := run("nomic-embed-text", "chunk", "--dry-run", text); !strings.HasSuffix(r.out, `: price unknown; each passage begins with "search_document: ", each query with "search_query: "`+"\n") {
		t.Errorf("%+v", r)
	}

	// A bundle's queries get the prefixes of its vectors, even if the user's are others now.
	bare := []string{"--query-prefix", "", "--passage-prefix", ""}
	for name, args := range map[string][]string{"with.seam": nil, "bare.seam": bare} {
		run("nomic-embed-text", append(append([]string{"bundle", "-o", filepath.Join(dir, name)}, args...), text)...)
	}
	for name, want := range map[string]string{"with.seam": "search_query: mars", "bare.seam": "mars"} {
		before := len(p.Requests())
		r := own(t, t.TempDir(), "search", "--mode", "dense", "--base-url", p.BaseURL, "mars", filepath.Join(dir, name))
		if got := sentTexts(p, before); r.status > 1 || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: sent %q, %+v", name, got, r)
		}
	}
}

// The lines of seam embed with a query get the prefix of queries, in the order of the file.
func TestPrefixesOfQueries(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	lines := filepath.Join(t.TempDir(), "lines.jsonl")
	if err := os.WriteFile(lines, []byte("{\"query\":\"venus\"}\n{\"text\":\"Mars is red.\"}\n{\"query\":\"Mars is red.\"}\n{\"text\":\"venus\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"embed", "--base-url", p.BaseURL, "--embedder", "openai:nomic-embed-text", "--format", "jsonl"}
	cache := t.TempDir()
	if r := own(t, cache, append(args, "--dry-run", lines)...); r.status != 0 || !strings.Contains(r.out, "4 texts") || len(p.Requests()) > 0 {
		t.Errorf("%+v", r)
	}
	r := own(t, cache, append(args, lines)...)
	want := []string{"search_document: Mars is red.", "search_document: venus", "search_query: Mars is red.", "search_query: venus"}
	if got := sentTexts(p, 0); r.status != 0 || !slices.Equal(got, want) {
		t.Errorf("sent %q: %+v", got, r)
	}
	var rows []string
	for line := range strings.Lines(r.out) {
		var row struct {
			Text   string
			Vector []float64
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil || len(row.Vector) == 0 {
			t.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, fmt.Sprint(row.Text, row.Vector))
	}
	slices.Sort(rows)
	if len(slices.Compact(rows)) != 4 || !strings.HasPrefix(r.out, `{"text":"venus"`) {
		t.Errorf("a query has the vector of a text: %s", r.out)
	}
}

// A proxy announces the prefixes, and a call over OpenAI's interface is passed on unchanged.
func TestPrefixesBehindAProxy(t *testing.T) {
	l := linktest.Start(t, limit.Limits{})
	text := filepath.Join(t.TempDir(), "planets.txt")
	if err := os.WriteFile(text, []byte("Venus turns backwards."), 0o600); err != nil {
		t.Fatal(err)
	}
	r := hosted(t, l, "search", "--mode", "dense", "--embedder", "openai:e", "--query-prefix", "query: ", "--passage-prefix", "passage: ", "venus", text)
	if got := sentTexts(l.Provider, 0); r.status > 1 || !slices.Equal(got, []string{"passage: Venus turns backwards.", "query: venus"}) {
		t.Errorf("sent %q, %+v", got, r)
	}
}
