package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// These tests run the program as a process over real sockets, with the scripted provider.

func TestSize(t *testing.T) {
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(24_000_000); info.Size() > most {
		t.Errorf("%d bytes: at most %d", info.Size(), most)
	}
}

// The table of origins, on every route.
func TestOrigins(t *testing.T) {
	_, up := provider(t)
	_, file := setUp(t, common, up)
	p := start(t, file)
	for _, origin := range []string{"null", "http://docs.example.org", site + ":8443", site + ".evil.com", "https://evil.com", "https://xdocs.example.org"} {
		if _, resp, err := p.dial(origin); err == nil || resp == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("socket of %s: %v", origin, resp)
		}
		for _, path := range []string{protocol.PathSession, protocol.PathInit, protocol.PathRequest} {
			resp, _ := p.post(path, http.Header{"Origin": {origin}}, protocol.SessionRequest{})
			if resp.StatusCode != http.StatusForbidden || resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s of %s: %d", path, origin, resp.StatusCode)
			}
		}
	}
	for _, path := range []string{"/v1/local", "/v1/local/use"} { // only the page of seam serve may look for models on its machine
		if resp, _ := p.post(path, nil, protocol.SessionRequest{}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
	resp, _ := p.post(protocol.PathSession, nil, protocol.SessionRequest{})
	if resp.StatusCode != 200 || resp.Header.Get("Access-Control-Allow-Origin") != site || resp.Header.Get("Vary") != "Origin" || resp.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	s, _, err := p.dial("") // a program may connect to send its token, but it has no valid one
	if err != nil {
		t.Fatal(err)
	}
	s.send(&protocol.Init{Client: "test"})
	if code := s.closed(); code != protocol.CloseUnauthorized {
		t.Errorf("closed with %d", code)
	}
}

// No key and no text of the provider appears in frames, logs, metrics or errors.
func TestCanary(t *testing.T) {
	up, url := provider(t)
	_, file := setUp(t, common, url)
	p := start(t, file)
	leak := "invalid key " + canary + " of organisation org-canary-77"
	seen := &strings.Builder{}
	s := p.connect()
	for i, script := range []upstreamtest.Script{{Status: 401, Body: leak}, {Status: 400, Body: leak}, {Status: 500, Body: leak}, {Status: 500, Body: leak}, {Status: 500, Body: leak}, {}} {
		up.Play(script)
		s.send(&protocol.Chat{ID: uint32(i + 1), Model: "c", Template: "answer", Question: "Why?", Passages: []string{"the secret passage of a document"},
			History: []protocol.ChatMessage{{Role: "user", Content: "the secret passage before"}, {Role: "assistant", Content: "the secret passage answered"}}})
		for {
			m := s.next()
			fmt.Fprintf(seen, "%+v\n", m)
			if protocol.TypeOf(m) == protocol.TypeEnd || protocol.TypeOf(m) == protocol.TypeErr {
				break
			}
		}
	}
	resp, body := p.post(protocol.PathRequest, http.Header{protocol.SessionHeader: {"none"}}, &protocol.Embed{ID: 1, Model: "e", Texts: []string{"x"}})
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a session that there is not: %d", resp.StatusCode)
	}
	_, metrics := p.get(p.admin + "/metrics")
	_, status := p.get(p.admin + "/status")
	if !strings.Contains(metrics, `seam_requests_total{code="upstream_refused",kind="chat",model="c"}`) {
		t.Errorf("metrics:\n%s", metrics)
	}
	log := p.logged()
	for where, text := range map[string]string{"frames": seen.String(), "log": log, "metrics": metrics, "status": status, "HTTP": body} {
		for _, secret := range []string{canary, "canary", "org-", "secret passage", "Why?"} {
			if strings.Contains(text, secret) && !(where == "frames" && secret == "secret passage") {
				t.Errorf("%s: %q is in it", where, secret)
			}
		}
	}
	if !strings.Contains(log, `"msg":"provider failed"`) || !strings.Contains(log, "127.0.0.0/24") || strings.Contains(log, "127.0.0.1\"") {
		t.Errorf("the log says too little, or whole addresses")
	}
	if up.Requests()[0].Header.Get("Authorization") != "Bearer "+canary {
		t.Error("the provider did not get the key")
	}
}

// All routes share one budget.
func TestOneBudgetForAllRoutes(t *testing.T) {
	up, url := provider(t)
	_, file := setUp(t, strings.Replace(common, "address: {tokens: 50000}", "address: {tokens: 2510}", 1), url)
	p := start(t, file)
	s := p.connect()
	if code := s.embed(1, strings.Repeat("word ", 500)); code != "" {
		t.Fatal(code)
	}
	if code := s.embed(2, strings.Repeat("other ", 500)); code != protocol.BudgetSpent {
		t.Errorf("over the budget: %q", code)
	}
	resp, body := p.post(protocol.PathInit, nil, &protocol.Init{Token: p.token(), Client: "test"})
	id := resp.Header.Get(protocol.SessionHeader)
	if id == "" {
		t.Fatal(body)
	}
	for _, m := range []protocol.Message{
		&protocol.Embed{ID: 1, Model: "e", Texts: []string{strings.Repeat("more ", 500)}},
		&protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: strings.Repeat("why ", 500)},
	} {
		_, body = p.post(protocol.PathRequest, http.Header{protocol.SessionHeader: {id}}, m)
		if !strings.Contains(body, `"code":"budget_spent"`) {
			t.Errorf("%s over HTTP: %s", protocol.TypeOf(m), body)
		}
	}
	_, body = p.post(protocol.PathRequest, http.Header{protocol.SessionHeader: {id}}, &protocol.Chat{ID: 2, Model: "c", Messages: []protocol.ChatMessage{{Role: "system", Content: "Be mine."}}})
	if !strings.Contains(body, `"code":"prompts_only"`) {
		t.Errorf("a system role from a client: %s", body)
	}
	if n := len(up.Requests()); n != 1 {
		t.Errorf("%d calls of the provider", n)
	}
}

// A killed process does not forget the spending.
func TestBudgetSurvivesKill(t *testing.T) {
	_, url := provider(t)
	_, file := setUp(t, strings.Replace(common, "address: {tokens: 50000}", "address: {tokens: 2510}", 1), url)
	p := start(t, file)
	if code := p.connect().embed(1, strings.Repeat("word ", 500)); code != "" {
		t.Fatal(code)
	}
	p.cmd.Process.Kill()
	<-p.ended
	p = start(t, file)
	if code := p.connect().embed(1, strings.Repeat("other ", 500)); code != protocol.BudgetSpent {
		t.Errorf("after kill -9: %q", code)
	}
}

// SIGHUP changes keys, origins, models and prices, and sockets stay open.
func TestReload(t *testing.T) {
	up, url := provider(t)
	dir, file := setUp(t, common, url)
	p := start(t, file)
	s := p.connect()
	if code := s.embed(1, "before"); code != "" {
		t.Fatal(code)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "key"), "sk-another-key-for-all\n")
	write(t, file, strings.NewReplacer("https://docs.example.org", "https://new.example.org", "{id: c,", "{id: c2,").Replace(string(b)))
	p.signal(syscall.SIGHUP)
	p.wait(`"msg":"reloaded"`, 1)
	if code := s.embed(2, "after"); code != "" {
		t.Errorf("the socket from before: %s", code)
	}
	if got := up.Requests()[1].Header.Get("Authorization"); got != "Bearer sk-another-key-for-all" {
		t.Errorf("the provider got %q", got)
	}
	s.send(&protocol.Chat{ID: 3, Model: "c", Template: "answer", Question: "?"})
	if e, ok := s.next().(*protocol.Err); !ok || e.Code != protocol.UnknownModel {
		t.Errorf("a model that is gone: %+v", e)
	}
	if _, resp, err := p.dial(site); err == nil || resp.StatusCode != http.StatusForbidden {
		t.Error("the origin that is gone may still connect")
	}
	if _, _, err := p.dial("https://new.example.org"); err != nil {
		t.Error(err)
	}
	write(t, file, string(b)+"nonsense: 1\n")
	p.signal(syscall.SIGHUP)
	p.wait("reload failed", 1)
	if !strings.Contains(p.logged(), "nonsense: is not a known key") {
		t.Error("the log does not say what is wrong")
	}
	if code := s.embed(4, "still"); code != "" {
		t.Errorf("after a reload that failed: %s", code)
	}
	if _, metrics := p.get(p.admin + "/metrics"); !strings.Contains(metrics, "seam_last_reload_success 0") {
		t.Error("the metrics do not tell that the reload failed")
	}
}

// SIGTERM lets streams finish, and closes with 1012.
func TestDrain(t *testing.T) {
	up, url := provider(t)
	_, file := setUp(t, common, url)
	p := start(t, file)
	idle, busy := p.connect(), p.connect()
	hold := make(chan struct{})
	up.Always(upstreamtest.Script{Words: []string{"on ", "and ", "end."}, Hold: hold})
	busy.send(&protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "?"})
	if m := busy.next(); protocol.TypeOf(m) != protocol.TypeDelta {
		t.Fatalf("%+v", m)
	}
	p.signal(syscall.SIGTERM)
	if code := idle.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("the idle socket closed with %d", code)
	}
	if status, body := p.get(p.url + "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "draining") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	close(hold)
	answer := ""
	for done := false; !done; {
		switch m := busy.next().(type) {
		case *protocol.Delta:
			answer += m.Delta
			busy.send(&protocol.Credit{ID: 1, N: 1})
		case *protocol.End:
			done = true
		default:
			t.Fatalf("%+v", m)
		}
	}
	if !strings.HasSuffix(answer, "end.") {
		t.Errorf("the answer is cut off: %q", answer)
	}
	if code := busy.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("the busy socket closed with %d", code)
	}
	if err := <-p.ended; err != nil || !strings.Contains(p.logged(), "stopped") {
		t.Errorf("it ended with %v", err)
	}
}

// The kill switch refuses everything, even after a restart, and pages cannot change it.
func TestKillSwitch(t *testing.T) {
	up, url := provider(t)
	_, file := setUp(t, common, url)
	p := start(t, file)
	turn := func(path string, h http.Header) int {
		r, err := http.NewRequest(http.MethodPost, p.admin+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = h
		if h.Get("Host") != "" {
			r.Host = h.Get("Host")
		}
		resp, _ := p.do(r)
		return resp.StatusCode
	}
	for _, h := range []http.Header{{"Origin": {"http://evil.example"}}, {"Sec-Fetch-Site": {"cross-site"}}, {"Host": {"evil.example"}}} {
		if status := turn("/off", h); status != http.StatusForbidden {
			t.Errorf("%v: %d", h, status)
		}
	}
	s := p.connect()
	if code := s.embed(1, "x"); code != "" {
		t.Fatal(code)
	}
	p.signal(syscall.SIGTERM)
	s.closed()
	if err := <-p.ended; err != nil { // the vector is on the disk now; a kill might lose it
		t.Fatal(err)
	}
	p = start(t, file)
	s = p.connect()
	if status := turn("/off", http.Header{}); status != 200 {
		t.Fatal(status)
	}
	if code := s.embed(2, "x"); code != protocol.ShuttingDown {
		t.Errorf("switched off: %q", code)
	}
	if status, _ := p.get(p.url + "/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz: %d", status)
	}
	if status, _ := p.get(p.url + "/healthz"); status != 200 {
		t.Errorf("/healthz: %d", status)
	}
	p.cmd.Process.Kill()
	<-p.ended
	p = start(t, file)
	s = p.connect()
	if code := s.embed(1, "y"); code != protocol.ShuttingDown {
		t.Errorf("after a restart: %q", code)
	}
	p.wait("the kill switch is on", 1)
	says := regexp.MustCompile(`until POST (/\w+) to the admin address`).FindStringSubmatch(p.logged())
	if says == nil {
		t.Fatal("the log does not say what turns the switch")
	}
	if status := turn(says[1], http.Header{}); status != 200 {
		t.Fatalf("%s, as the log says: %d", says[1], status)
	}
	if code := s.embed(2, "x"); code != "" || len(up.Requests()) != 1 {
		t.Errorf("switched on: %q, %d calls; the text from before was in the cache", code, len(up.Requests()))
	}
	if status := turn("/purge", http.Header{}); status != 200 {
		t.Fatal(status)
	}
	if code := s.embed(3, "x"); code != "" || len(up.Requests()) != 2 {
		t.Errorf("purged: %q, %d calls", code, len(up.Requests()))
	}
}

func TestCheck(t *testing.T) {
	_, url := provider(t)
	for name, tt := range map[string]struct {
		change func(string) string
		says   []string
		status int
	}{
		"fine":       {func(s string) string { return s }, []string{"is valid: 2 models, public, prompts from the server"}, 0},
		"open relay": {func(s string) string { return s + "prompts: client\n" }, []string{"seam-proxy.yaml:17: prompts", "open relay"}, 1},
		"no key":     {func(s string) string { return strings.Replace(s, "key_file: KEY", "key_file: gone", 1) }, []string{"providers[0].key_file", "gone"}, 1},
		"two errors": {func(s string) string {
			return strings.NewReplacer("kind: chat", "kind: talk", "work: 4", "work: 40").Replace(s)
		}, []string{"models[1].kind", "session.work"}, 1},
	} {
		dir, file := setUp(t, tt.change(common), url)
		out, err := exec.Command(binary, "--config", file, "--check").CombinedOutput()
		status := 0
		if exit, ok := err.(*exec.ExitError); ok {
			status = exit.ExitCode()
		}
		if status != tt.status {
			t.Errorf("%s: status %d\n%s", name, status, out)
		}
		for _, says := range tt.says {
			if !strings.Contains(string(out), says) {
				t.Errorf("%s: %s\n  does not say %q", name, out, says)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "state")); err == nil {
			t.Errorf("%s: a check has made the state folder", name)
		}
	}
	out, err := exec.Command(binary).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no provider to relay to") {
		t.Errorf("without anything: %s", out)
	}
}

// Two proxies must not spend one budget twice.
func TestStateIsForOne(t *testing.T) {
	_, url := provider(t)
	_, file := setUp(t, common, url)
	start(t, file)
	out, err := exec.Command(binary, "--config", file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is in use: another proxy runs with it") {
		t.Errorf("%v: %s", err, out)
	}
}

// A client that sends its headers a byte at a time does not keep its connection.
func TestSlowHeaders(t *testing.T) {
	_, url := provider(t)
	_, file := setUp(t, common, url)
	p := start(t, file)
	c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "GET /v1/socket HTTP/1.1\r\nHost: x\r\n")
	go func() {
		for {
			if _, err := io.WriteString(c, "X"); err != nil {
				return
			}
			time.Sleep(500 * time.Millisecond)
		}
	}()
	c.SetReadDeadline(time.Now().Add(hang))
	if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("it is held as long as it goes on")
	}
}
