package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// These tests run the program as a process, with a complete proxy in front of a scripted
// provider.

// hosted runs seam with the proxy in its environment, and an empty cache.
func hosted(t *testing.T, l *linktest.Line, args ...string) result {
	t.Helper()
	return hostedWith(t, l, t.TempDir(), args...)
}

// hostedWith is like hosted, with a given cache folder.
func hostedWith(t *testing.T, l *linktest.Line, cache string, args ...string) result {
	t.Helper()
	cmd := exec.Command(seam, args...)
	cmd.Env = append(os.Environ(), "SEAM_PROXY="+l.URL, "SEAM_PROXY_TOKEN="+linktest.Token, "SEAM_CACHE="+cache)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if _, exited := cmd.Run().(*exec.ExitError); cmd.ProcessState == nil {
		t.Fatalf("it did not run: %v", exited)
	}
	if strings.Contains(out.String()+errs.String(), linktest.Token) {
		t.Errorf("the token was printed: %s", errs.String())
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func TestHostedChunks(t *testing.T) {
	l, path := linktest.Start(t, limit.Limits{}), pdf(t)
	r := hosted(t, l, "chunk", "--embedder", "openai:e", "--format", "json", path)
	var got chunksOut
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.status != 0 || len(got.Chunks) == 0 || len(got.Curve.Values) != got.Curve.Sentences-1 {
		t.Fatalf("%+v: %v", r, err)
	}
	sent := 0
	for _, q := range l.Provider.Requests() {
		sent += len(q.Texts)
	}
	if strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "seam: sending 12 texts (about ") || !strings.Contains(r.err, "openai:e at 127.0.0.1:") || !strings.Contains(r.err, "less than $0.0001") || sent != 12 {
		t.Errorf("%d texts were sent; it said %q", sent, r.err)
	}
	r = hosted(t, l, "chunk", "--embedder", "openai:free", "--format", "jsonl", path, file(t, "b.txt", []byte("Another. File.")))
	if r.status != 0 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "sending 14 texts") || !strings.Contains(r.err, "price unknown") {
		t.Errorf("%+v", r)
	}
	before := len(l.Provider.Requests())
	if r = hosted(t, l, "chunk", path); r.status != 0 || r.err != "" || len(l.Provider.Requests()) != before || l.Sockets.Load() != 2 {
		t.Errorf("the lexical embedder: %+v, %d connections", r, l.Sockets.Load())
	}
}

// Before the texts of lines are sent, only the destination is printed. If the destination
// does not answer, the run fails as a whole, because no line is at fault.
func TestHostedLines(t *testing.T) {
	lines := file(t, "lines.jsonl", []byte(`{"id":1,"text":"One thing. Another."}`+"\n"+`{"id":2,"path":"none.txt"}`+"\n"+`{"id":3,"text":"A third. A fourth."}`+"\n"))
	r := hosted(t, linktest.Start(t, limit.Limits{}), "chunk", "--embedder", "openai:e", "--lines", lines)
	said := strings.Split(r.err, "\n")
	if r.status != 0 || strings.Count(r.out, "\n") != 5 || len(said) != 3 || !strings.HasPrefix(said[0], "seam: sending the texts of all lines to openai:e at 127.0.0.1:") || !strings.HasPrefix(said[1], "seam: 1 of 3 lines") {
		t.Errorf("%+v", r)
	}
	r = hosted(t, linktest.Start(t, limit.Limits{Day: limit.Amount{Tokens: 1}}), "chunk", "--embedder", "openai:e", "--lines", lines)
	if r.status != 1 || r.out != "" || strings.Count(r.err, "\n") != 2 {
		t.Errorf("%+v", r)
	}
}

func TestHostedSearch(t *testing.T) {
	l := linktest.Start(t, limit.Limits{})
	r := hosted(t, l, "search", "--embedder", "openai:e", "--mode", "dense", "--max-tokens", "12", "--json", "venus", pdf(t))
	requests := l.Provider.Requests()
	if last := requests[len(requests)-1].Texts; r.status != 0 || !strings.Contains(r.out, `"hits":[{`) || len(last) != 1 || last[0] != "venus" {
		t.Errorf("%+v, last sent %q", r, last)
	}
}

func TestAsk(t *testing.T) {
	l, path := linktest.Start(t, limit.Limits{}, upstreamtest.Script{Words: []string{"Venus ", "turns ", "backwards [1]."}}, upstreamtest.Script{Words: []string{protocol.Refusal}}), pdf(t)
	r := hosted(t, l, "ask", "--model", "openai:c", "-k", "2", "--max-tokens", "12", "What does Venus do?", path)
	answer, sources, _ := strings.Cut(r.out, "\n\nSources:\n")
	if r.status != 0 || r.err != "" || answer != "Venus turns backwards [1]." || sources != "[1] "+path+"\n" {
		t.Errorf("%+v", r)
	}
	if body := string(l.Provider.Requests()[0].Body); !strings.Contains(body, "Venus turns backwards.") || !strings.Contains(body, "What does Venus do?") {
		t.Errorf("the provider got %s", body)
	}
	r = hosted(t, l, "ask", "--model", "c", "Who is the miller?", path)
	if r.status != 0 || r.out != protocol.Refusal+"\n" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "do not hold the answer") {
		t.Errorf("%+v", r)
	}
}

// A model refuses with the mark, which is never printed, or in its own words. Scripts always
// find the published sentence in place of the mark.
func TestAskRefused(t *testing.T) {
	words := [][]string{{"[[NO", " ANSWER]", "]"}, {"**[[no answer]]**", " The passages are about planets."}, {"Les passages ne contiennent", " pas la réponse."}, {protocol.Refusal}, {"[[NO ANSWER]] But Venus turns [1]."}}
	want := []string{protocol.Refusal, "The passages are about planets.", "Les passages ne contiennent pas la réponse.", protocol.Refusal, "But Venus turns [1].\n\nSources:\n[1] "}
	var scripts []upstreamtest.Script
	for _, w := range words {
		scripts = append(scripts, upstreamtest.Script{Words: w})
	}
	l, path := linktest.Start(t, limit.Limits{}, scripts...), pdf(t)
	for i, w := range want {
		r := hosted(t, l, "ask", "--model", "c", "-k", "2", "--max-tokens", "12", "What does Venus do?", path)
		refused := strings.Contains(r.err, "do not hold the answer")
		if r.status != 0 || !strings.HasPrefix(r.out, w) || refused != !strings.Contains(w, "[1]") || refused && r.out != w+"\n" {
			t.Errorf("%q: %+v", words[i], r)
		}
	}
}

// A citation of a passage that does not exist is removed from the answer, in however many
// pieces it arrives. The sources are the cited passages.
func TestAskInvented(t *testing.T) {
	l, path := linktest.Start(t, limit.Limits{}, upstreamtest.Script{Words: []string{"Venus turns [", "2, 9] backwards [", "7", "]. It is [hot", "] [1"}},
		upstreamtest.Script{Words: []string{"Venus turns backwards."}}), pdf(t)
	r := hosted(t, l, "ask", "--model", "c", "-k", "2", "--max-tokens", "12", "What does Venus do?", path)
	if want := "Venus turns [2] backwards. It is [hot] [1\n\nSources:\n[2] " + path + "\n"; r.status != 0 || r.out != want ||
		r.err != "seam: the model cited passages it was not given: removed 2 numbers\n" {
		t.Errorf("%+v\nwant %q", r, want)
	}
	r = hosted(t, l, "ask", "--model", "c", "-k", "1", "--max-tokens", "12", "What does Venus do?", path)
	if want := "Venus turns backwards.\n\nPassages sent (the answer cites none of them):\n[1] " + path + "\n"; r.out != want || r.err != "" {
		t.Errorf("%+v\nwant %q", r, want)
	}
}

// Without a model the passages are printed and nothing is sent, with or without a proxy.
func TestAskNobody(t *testing.T) {
	l, path := linktest.Start(t, limit.Limits{}), pdf(t)
	for _, r := range []result{hosted(t, l, "ask", "-k", "1", "--max-tokens", "12", "What does Venus do?", path), run(t, "", "ask", "-k", "1", "--max-tokens", "12", "What does Venus do?", path)} {
		if r.status != 0 || !strings.HasPrefix(r.out, "[1] "+path+"\n") || !strings.Contains(r.out, "Venus") || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "--model") {
			t.Errorf("%+v", r)
		}
	}
	if r := run(t, "", "ask", "What does Venus do?", file(t, "empty.txt", nil)); r != (result{out: "nothing found\n"}) {
		t.Errorf("%+v", r)
	}
	if n := len(l.Provider.Requests()); n != 0 {
		t.Errorf("%d requests upstream", n)
	}
}

// Errors with a proxy are one line, too, and say what to do.
func TestHostedErrors(t *testing.T) {
	l, path := linktest.Start(t, limit.Limits{Session: limit.Amount{Tokens: 30}}), pdf(t)
	long := file(t, "long.txt", []byte(strings.Repeat("endless ", 200)+"."))
	for _, tt := range []struct {
		args   []string
		status int
		says   []string
	}{
		{[]string{"chunk", "--proxy", "", "--embedder", "openai:e", path}, 2, []string{"openai:e", "--proxy"}},
		{[]string{"ask", "--proxy", "", "--model", "c", "why?", path}, 2, []string{"--proxy"}},
		{[]string{"chunk", "--embedder", "oracle", path}, 2, []string{"oracle", "openai:MODEL"}},
		{[]string{"chunk", "--proxy", "http://seam.example.org", "--embedder", "openai:e", path}, 2, []string{"https"}},
		{[]string{"chunk", "--embedder", "openai:nobody", path}, 2, []string{"nobody", "openai:e, openai:free"}},
		{[]string{"ask", "--model", "e", "why?", path}, 2, []string{"openai:c"}},
		{[]string{"ask", "--model", "c", " ", path}, 2, []string{"empty"}},
		{[]string{"ask", "--model", "c", "-k", "0", "why?", path}, 2, []string{"-k 0"}},
		{[]string{"chunk", "--proxy-token", "wrong", "--embedder", "openai:e", path}, 1, []string{"proxy 127.0.0.1", "token"}},
		{[]string{"chunk", "--proxy", "http://127.0.0.1:1", "--embedder", "openai:e", path}, 1, []string{"127.0.0.1:1", "cannot be reached"}},
		{[]string{"chunk", "--embedder", "openai:e", long}, 1, []string{"long.txt", "Text 0 is", "1000"}},
	} {
		r := hosted(t, l, tt.args...)
		if r.status != tt.status || strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "seam: ") || r.out != "" {
			t.Errorf("seam %v: %+v", tt.args, r)
		}
		for _, s := range tt.says {
			if !strings.Contains(r.err, s) {
				t.Errorf("seam %v does not say %q: %s", tt.args, s, r.err)
			}
		}
	}
	if n := len(l.Provider.Requests()); n != 0 {
		t.Errorf("%d requests upstream", n)
	}
	// The error follows the line with the expected cost, because the budget is used up.
	r := hosted(t, l, "chunk", "--embedder", "openai:e", path, path)
	if lines := strings.Split(r.err, "\n"); r.status != 1 || len(lines) != 3 || !strings.HasPrefix(lines[1], "seam: "+path) || r.out != "" {
		t.Errorf("%+v", r)
	}
}

// If the proxy says when to retry, so does the program. It does not wait that long itself.
func TestHostedLater(t *testing.T) {
	l := linktest.Start(t, limit.Limits{}, upstreamtest.Script{Status: 429, RetryAfter: "300"})
	r := hosted(t, l, "ask", "--method", "percentile", "--model", "c", "Who is the miller?", pdf(t))
	if r.status != 1 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "try again in 30") {
		t.Errorf("%+v", r)
	}
}

// Ctrl-C during a request cancels everything, including the request to the provider.
func TestInterruptWhileWaiting(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	l := linktest.Start(t, limit.Limits{}, upstreamtest.Script{Hold: hold})
	cmd := exec.Command(seam, "chunk", "--cache", t.TempDir(), "--proxy", l.URL, "--proxy-token", linktest.Token, "--embedder", "openai:e", pdf(t))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for len(l.Provider.Requests()) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	lines := strings.Split(errs.String(), "\n")
	if cmd.ProcessState.ExitCode() != 130 || len(lines) != 3 || lines[1] != "seam: stopped" {
		t.Errorf("status %d, stderr %q", cmd.ProcessState.ExitCode(), errs.String())
	}
	<-l.Provider.Requests()[0].Gone()
}

// The proxy served with the page accepts only requests with the printed address: not from
// other users of this machine, and not through a tunnel.
func TestServeIsForOne(t *testing.T) {
	provider := httptest.NewServer(&upstreamtest.Provider{Dims: 16})
	defer provider.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>page"), 0o644); err != nil {
		t.Fatal(err)
	}
	address := func() (base, token string, cmd *exec.Cmd) {
		cmd = exec.Command(seam, "serve", "--addr", "127.0.0.1:0", "--dir", dir, "--state", filepath.Join(dir, "state"), "--base-url", provider.URL+"/v1", "--embed-model", "e")
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		base, token, _ = strings.Cut(strings.Fields(line)[3], "/#token=")
		return base, token, cmd
	}
	base, token, cmd := address()
	if len(token) < 24 {
		t.Fatalf("%s with token %q", base, token)
	}
	post := func(path, token string, header http.Header) (int, string) {
		b, err := protocol.Encode(&protocol.Init{Token: token, Client: "test"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequest(http.MethodPost, base+path, bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		if host := header.Get("Host"); host != "" {
			r.Host = host
		}
		header.Set("Origin", base)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	for name, tt := range map[string]struct {
		path, token string
		header      http.Header
		status      int
		says        string
	}{
		"the page":                  {protocol.PathInit, token, http.Header{}, 200, `"ack"`},
		"another person's script":   {protocol.PathInit, "", http.Header{}, 401, "not valid"},
		"a guess":                   {protocol.PathInit, strings.Repeat("A", 52), http.Header{}, 401, "not valid"},
		"who asks for a token":      {protocol.PathSession, "", http.Header{}, 401, "#token="},
		"a tunnel, by its name":     {protocol.PathInit, token, http.Header{"Host": {"abc.trycloudflare.com"}}, 403, "trusted_proxies"},
		"a tunnel, by what it says": {protocol.PathInit, token, http.Header{"X-Forwarded-For": {"192.0.2.1"}}, 403, "trusted_proxies"},
	} {
		if status, body := post(tt.path, tt.token, tt.header); status != tt.status || !strings.Contains(body, tt.says) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if r := run(t, "", "embed", "--proxy", base, "--proxy-token", token, "--embedder", "openai:e", "-o", filepath.Join(dir, "x.npy"), file(t, "a.txt", []byte("One. Two."))); r.status != 0 {
		t.Errorf("a program with the token: %+v", r)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, again, _ := address(); again != token {
		t.Error("the next start has another token: bookmarks end")
	}
}
