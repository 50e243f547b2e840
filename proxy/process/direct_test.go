package process

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
)

// These tests run the program with the user's own key and a scripted provider.

const ownKey = "sk-a-key-of-the-users-own"

// own runs seam with the key and a cache folder. It fails if the key is printed.
func own(t *testing.T, cache string, args ...string) result {
	t.Helper()
	r := runIn(t, t.TempDir(), []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=" + cache}, args...)
	if strings.Contains(r.out+r.err, ownKey) {
		t.Errorf("seam %q prints the key: %+v", args, r)
	}
	return r
}

func TestWithAKeyOfOnesOwn(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	path, cache := pdf(t), t.TempDir()
	r := own(t, cache, "chunk", "--base-url", p.BaseURL, "--embedder", "openai:e", "--format", "json", "--dry-run", path)
	if r.status != 0 || len(p.Requests()) != 0 || !strings.HasPrefix(r.out, "would send 12 texts (about 82 tokens) in 1 call to openai:e at 127.0.0.1:") || !strings.HasSuffix(r.out, ": price unknown\n") {
		t.Errorf("%+v", r)
	}
	if r = own(t, cache, "chunk", "--base-url", p.BaseURL, "--embedder", "openai:e", "--price", "130", "--dry-run", path); !strings.HasSuffix(r.out, ": about $0.0107\n") {
		t.Errorf("%+v", r)
	}
	if r = own(t, cache, "chunk", "--base-url", p.BaseURL, "--embedder", "openai:e", "--price", "-1", "--dry-run", path); r.status != 2 {
		t.Errorf("%+v", r)
	}
	r = own(t, cache, "chunk", "--base-url", p.BaseURL, "--embedder", "openai:e", "--format", "json", path)
	var got chunksOut
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.status != 0 || len(got.Chunks) == 0 || !strings.HasPrefix(r.err, "seam: sending 12 texts ") {
		t.Fatalf("%+v: %v", r, err)
	}
	sent := p.Requests()
	if len(sent) != 1 || len(sent[0].Texts) != 12 || sent[0].Model != "e" || sent[0].Header.Get("Authorization") != "Bearer "+ownKey {
		t.Errorf("%+v", sent)
	}
	// Paid vectors are stored, and only for this address.
	if r = own(t, cache, "chunk", "--base-url", p.BaseURL+"/", "--embedder", "openai:e", "--format", "json", path); r.status != 0 || r.err != "" || len(p.Requests()) != 1 {
		t.Errorf("%+v, %d requests", r, len(p.Requests()))
	}
	if r = own(t, cache, "search", "--base-url", p.BaseURL, "--embedder", "openai:e", "--mode", "dense", "--max-tokens", "12", "--json", "venus", path); r.status != 0 || !strings.Contains(r.out, `"hits":[{`) {
		t.Errorf("%+v", r)
	}
	texts := file(t, "texts.txt", []byte(strings.Repeat("a text\n", 3)+strings.Repeat("another\n", 700)))
	if r = own(t, cache, "embed", "--base-url", p.BaseURL, "--embedder", "openai:e", "--format", "jsonl", texts); r.status != 0 || strings.Count(r.out, "\n") != 703 {
		t.Errorf("%+v", r.err)
	}
}

// If there are more texts than fit in a request, they are split, and each gets its vector.
func TestManyTextsWithAKey(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	var in strings.Builder
	for i := range 700 {
		in.WriteString(strings.Repeat("x", i%50+1) + " of " + strings.Repeat("y", i/50+1) + "\n")
	}
	r := own(t, "off", "embed", "--base-url", p.BaseURL, "--embedder", "openai:e", "--format", "jsonl", file(t, "texts.txt", []byte(in.String())))
	alone := own(t, "off", "embed", "--base-url", p.BaseURL, "--embedder", "openai:e", "--format", "jsonl", file(t, "last.txt", []byte(strings.Split(in.String(), "\n")[699])))
	lines := strings.SplitAfter(r.out, "\n")
	if r.status != 0 || !strings.Contains(r.err, "700 texts") || !strings.Contains(r.err, "in 3 calls") || len(lines) != 701 || lines[699] != alone.out {
		t.Errorf("%d lines, %s", len(lines), r.err)
	}
	if n := len(p.Requests()); n != 4 || slices.ContainsFunc(p.Requests(), func(q *upstreamtest.Request) bool { return len(q.Texts) > 256 }) {
		t.Errorf("%d requests", n)
	}
}

func TestAskWithAKey(t *testing.T) {
	p := upstreamtest.Start(upstreamtest.Script{Words: []string{"Venus ", "turns ", "backwards [1]."}})
	defer p.Close()
	path := pdf(t)
	r := own(t, t.TempDir(), "ask", "--base-url", p.BaseURL, "--model", "openai:c", "-k", "1", "--max-tokens", "12", "What does Venus do?", path)
	if r.status != 0 || r.err != "" || r.out != "Venus turns backwards [1].\n\nSources:\n[1] "+path+"\n" {
		t.Errorf("%+v", r)
	}
	if q := p.Requests()[0]; q.Model != "c" || !strings.Contains(string(q.Body), "Venus turns backwards.") || !strings.Contains(string(q.Body), "from nothing else") {
		t.Errorf("the provider got %s", q.Body)
	}
}

// A dry run lists every request, and the same question then makes them.
func TestAskDryRun(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	path, cache := pdf(t), t.TempDir()
	ask := func(args ...string) string {
		t.Helper()
		r := own(t, cache, append([]string{"ask", "--base-url", p.BaseURL, "-k", "2", "--max-tokens", "12", "What does Venus do?", path}, args...)...)
		if r.status != 0 {
			t.Errorf("%q: %+v", args, r)
		}
		return strings.ReplaceAll(r.out, p.BaseURL, "")
	}
	dry := func(args ...string) []string {
		return strings.Split(strings.TrimSpace(ask(append(args, "--dry-run")...)), "\n")
	}
	at := " at " + strings.TrimSuffix(strings.TrimPrefix(p.BaseURL, "http://"), "/v1")
	chat := "would send the question and at most 2 passages, with text next to them, each with a line that names its document, section, page and date, in 1 request to c" + at
	if got := dry(); !slices.Equal(got, []string{"nothing would be sent"}) {
		t.Errorf("%q", got)
	}
	if got := dry("--model", "c"); len(got) != 3 || !strings.HasPrefix(got[1], "[1] begins with: Article · Planets · saved 20") || !strings.HasPrefix(got[2], "[2] begins with: Article · Planets · saved 20") || !strings.HasPrefix(got[0], "would send the question and 2 passages (about ") || !strings.HasSuffix(got[0], " tokens) in 1 request to c"+at+": price unknown, with an answer of at most 1024 tokens") {
		t.Errorf("%q", got)
	}
	if got := dry("--model", "c", "--no-source-lines"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := dry("--model", "c", "--no-source-lines", "--parts"); got[len(got)-1] != strings.Replace(chat, ", each with a line that names its document, section, page and date", "", 1) {
		t.Errorf("%q", got)
	}
	if got := dry("--model", "c", "--parts"); !slices.Equal(got, []string{"would send the question in 1 request to c" + at + ", to split it", chat}) {
		t.Errorf("%q", got)
	}
	if got := dry("--model", "c", "--embedder", "openai:e"); len(got) != 3 || !strings.HasPrefix(got[0], "would send 12 texts ") || !strings.HasPrefix(got[1], "would send the query (about ") || got[2] != chat {
		t.Errorf("%q", got)
	}
	if n := len(p.Requests()); n != 0 {
		t.Errorf("%d requests in dry runs", n)
	}
	ask("--model", "c", "--embedder", "openai:e")
	before := len(p.Requests())
	// Now all vectors are stored, also of the question, so that the passages are known.
	if got := dry("--model", "c", "--embedder", "openai:e"); len(got) != 3 || !strings.HasPrefix(got[0], "would send the question and 2 passages (about ") || len(p.Requests()) != before {
		t.Errorf("%q", got)
	}
}

// A model that loads for a while is waited for, as long as --timeout says.
func TestAskWaitsForALoadingModel(t *testing.T) {
	p := upstreamtest.Start(
		upstreamtest.Script{Status: http.StatusServiceUnavailable, Body: `{"error":{"message":"Loading model","code":503}}`},
		upstreamtest.Script{Words: []string{"Venus turns backwards [1]."}})
	defer p.Close()
	args := []string{"ask", "--base-url", p.BaseURL, "--model", "c", "What does Venus do?", pdf(t)}
	if r := own(t, t.TempDir(), args...); r.status != 0 || r.err != "" || !strings.HasPrefix(r.out, "Venus turns backwards [1].") || len(p.Requests()) != 2 {
		t.Errorf("%+v after %d requests", r, len(p.Requests()))
	}
	p.Always(upstreamtest.Script{HeaderDelay: time.Hour})
	if r := own(t, t.TempDir(), append(args, "--timeout", "300ms")...); r.status != 1 || r.err != "seam: The provider did not answer in time.\n" {
		t.Errorf("%+v", r)
	}
}

func TestErrorsWithAKey(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.Always(upstreamtest.Script{Status: http.StatusUnauthorized})
	l, path := linktest.Start(t, limit.Limits{}), pdf(t)
	for _, tt := range []struct {
		args   []string
		status int
		says   []string
	}{
		{[]string{"chunk", "--base-url", p.BaseURL, "--embedder", "openai:e", path}, 1, []string{"turns.pdf", "rejected the key in OPENAI_API_KEY"}},
		{[]string{"ask", "--base-url", p.BaseURL, "--model", "c", "What does Venus do?", path}, 1, []string{"OPENAI_API_KEY"}},
		{[]string{"chunk", "--base-url", "http://provider.example.org/v1", "--embedder", "openai:e", path}, 2, []string{"https"}},
		{[]string{"chunk", "--base-url", "nowhere", "--embedder", "openai:e", path}, 2, []string{"--base-url"}},
		{[]string{"chunk", "--base-url", "https://me:secret@provider.example.org/v1", "--embedder", "openai:e", path}, 2, []string{"must not have a user"}},
	} {
		r := own(t, "off", tt.args...)
		lines := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
		last := lines[len(lines)-1]
		if r.status != tt.status || r.out != "" || !strings.HasPrefix(last, "seam: ") || strings.Contains(r.err, "secret") {
			t.Errorf("seam %q: %+v", tt.args, r)
		}
		for _, s := range tt.says {
			if !strings.Contains(last, s) {
				t.Errorf("seam %q does not say %q: %s", tt.args, s, r.err)
			}
		}
	}
	// Without an address a key is OpenAI's. A dry run sends nothing.
	if r := own(t, "off", "chunk", "--embedder", "openai:text-embedding-3-small", "--dry-run", path); r.status != 0 || !strings.Contains(r.out, "openai:text-embedding-3-small at api.openai.com: ") {
		t.Errorf("%+v", r)
	}
	// The proxy takes precedence over a key.
	asked := len(p.Requests())
	r := own(t, "off", "chunk", "--proxy", l.URL, "--proxy-token", linktest.Token, "--base-url", p.BaseURL, "--embedder", "openai:e", path)
	if r.status != 0 || len(p.Requests()) != asked || len(l.Provider.Requests()) == 0 {
		t.Errorf("%+v", r)
	}
}
