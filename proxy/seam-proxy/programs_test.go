package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// Programs over OpenAI's interface, as other people's SDKs use it.

// Tokens of two programs.
const alice, bob = "a-token-of-alice-0123456789", "a-token-of-bob-0123456789ab"

// programs starts a proxy for this machine with two programs and the defaults of a new
// configuration, apart from the lines of extra.
func programs(t *testing.T, url, extra string) *process {
	t.Helper()
	t.Setenv("TEST_ALICE", alice)
	t.Setenv("TEST_BOB", bob)
	_, file := setUp(t, `
listen: 127.0.0.1:0
admin: 127.0.0.1:0
state: STATE
session: {callers: [{name: alice, token_env: TEST_ALICE}, {name: bob, token_env: TEST_BOB}]}
providers:
  - name: scripted
    base_url: UPSTREAM
    key_file: KEY
    models:
      - {id: e, kind: embed}
      - {id: c, kind: chat}
`+extra, url)
	return start(t, file)
}

// reply is a response over OpenAI's interface.
type reply struct {
	status int
	header http.Header
	body   string
	Error  struct{ Message, Type, Param, Code string }
}

// sdk sends a request like an SDK: POST with a body, otherwise GET.
func (p *process) sdk(token, path, body string) (r reply) {
	p.t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	q, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	resp, text := p.do(q)
	r = reply{status: resp.StatusCode, header: resp.Header, body: text}
	if r.status != http.StatusOK {
		if err := json.Unmarshal([]byte(text), &r); err != nil || r.Error.Message == "" || r.Error.Type == "" {
			p.t.Errorf("%s: %d without an error in OpenAI's format: %.200s", path, r.status, text)
		}
	}
	return r
}

// saying is a chat of one turn.
func saying(text string) string {
	return fmt.Sprintf(`{"model":"c","messages":[{"role":"user","content":%q}]}`, text)
}

// The text of one program on which the provider drops the connection cuts off nobody else.
func TestOneTextCutsOffNobody(t *testing.T) {
	up, url := provider(t)
	up.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "crash") {
			return upstreamtest.Script{Fault: upstreamtest.HangUp}
		}
		return upstreamtest.Script{}
	})
	p := programs(t, url, "")
	for i := range 5 {
		if r := p.sdk(alice, "/v1/chat/completions", saying(fmt.Sprint("crash ", i))); r.status != http.StatusBadGateway {
			t.Fatalf("%d %s", r.status, r.body)
		}
		if r := p.sdk(bob, "/v1/embeddings", fmt.Sprintf(`{"model":"e","input":"text %d"}`, i)); r.status != http.StatusOK {
			t.Errorf("a text of another after %d chats: %d %s", i+1, r.status, r.body)
		}
		if r := p.sdk(bob, "/v1/chat/completions", saying("hi")); r.status != http.StatusOK {
			t.Errorf("a chat of another after %d chats: %d %s", i+1, r.status, r.body)
		}
	}
}

// A hundred requests of one program at a time all succeed with the defaults, and at most
// twenty of them are in progress. Another program does not wait for them.
func TestHundredAtATime(t *testing.T) {
	up, url := provider(t)
	hold, came := make(chan struct{}), make(chan struct{}, 200)
	up.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "from bob") {
			return upstreamtest.Script{}
		}
		came <- struct{}{}
		return upstreamtest.Script{Hold: hold}
	})
	p := programs(t, url, "")
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			if r := p.sdk(alice, "/v1/chat/completions", saying(fmt.Sprint("question ", i))); r.status != http.StatusOK {
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	for range 20 {
		<-came
	}
	if r := p.sdk(bob, "/v1/chat/completions", saying("from bob")); r.status != http.StatusOK {
		t.Errorf("another program: %d %s", r.status, r.body)
	}
	if n := len(up.Requests()); n != 21 {
		t.Errorf("%d calls at a time, want 20 and the other program's", n)
	}
	close(hold)
	all.Wait()
}

// A request that has waited too long is refused in a way that makes an SDK try again, as is
// one beyond the line.
func TestWaitingEnds(t *testing.T) {
	up, url := provider(t)
	hold, came := make(chan struct{}), make(chan struct{}, 200)
	up.By(func(*upstreamtest.Request) upstreamtest.Script {
		came <- struct{}{}
		return upstreamtest.Script{Hold: hold}
	})
	p := programs(t, url, "limits: {per_address: 1, waiting: 1, wait: 200ms}\n")
	var first, others sync.WaitGroup
	first.Go(func() {
		if r := p.sdk(alice, "/v1/chat/completions", saying("first")); r.status != http.StatusOK {
			t.Errorf("the first: %d %s", r.status, r.body)
		}
	})
	<-came
	for range 2 {
		others.Go(func() {
			r := p.sdk(alice, "/v1/chat/completions", saying("second"))
			if r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") == "" || r.header.Get("X-Should-Retry") != "true" || r.Error.Code != "rate_limited" {
				t.Errorf("%d %v %s", r.status, r.header, r.body)
			}
		})
	}
	if r := p.sdk(bob, "/v1/embeddings", `{"model":"e"}`); r.status != http.StatusBadRequest || r.header.Get("X-Should-Retry") != "false" {
		t.Errorf("an invalid request: %d %v", r.status, r.header)
	}
	others.Wait()
	close(hold)
	first.Wait()
}

// Refused requests of one address are one line of the log, and a count.
func TestRefusalsAreCounted(t *testing.T) {
	_, url := provider(t)
	p := programs(t, url, "log: {lines: 0}\n")
	s, _ := p.enter("", alice)
	for i := range 50 {
		if e := s.ask(&protocol.Embed{ID: uint32(i + 1), Model: "gone", Texts: []string{"x"}}); codeOf(e) != protocol.UnknownModel {
			t.Fatalf("%+v", e)
		}
	}
	p.signal(syscall.SIGTERM)
	<-p.ended
	if n := strings.Count(p.logged(), `"code":"unknown_model"`); n != 2 || !strings.Contains(p.logged(), `"msg":"requests refused","address":"caller alice","code":"unknown_model","more":49`) {
		t.Errorf("%d lines", n)
	}
}

// A base address that lacks its /v1 is noticed at the start, and nothing is asked about one
// that has a path.
func TestBaseAddressWithoutVersion(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		if r.URL.Path == "/v1/models" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.NotFound(w, r)
	}))
	defer s.Close()
	programs(t, s.URL, "").wait("seems to lack its /v1", 1)
	mu.Lock()
	before := len(asked)
	mu.Unlock()
	p := programs(t, s.URL+"/v1", "")
	p.sdk(alice, "/v1/models", "")
	p.signal(syscall.SIGTERM)
	<-p.ended
	mu.Lock()
	defer mu.Unlock()
	if len(asked) != before || strings.Contains(p.logged(), "seems to lack") {
		t.Errorf("asked for %v", asked)
	}
}
