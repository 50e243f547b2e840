package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seam/shared/protocol"
)

// Permissions of sites and callers, set separately.

const (
	blog    = "https://blog.example.org" // another site
	ciToken = "a-token-of-the-callers-own-0123"
)

// grouped is common with another site and a caller. SITES and CALLER stand for their
// permissions.
var grouped = strings.NewReplacer("origins: [https://docs.example.org]", "origins: [https://docs.example.org, https://blog.example.org]\nsites: [SITES]",
	"session: {work: 4}", "session: {work: 4, callers: [{name: ci, token_env: TEST_CI, CALLER}]}").Replace(common)

// groups starts a proxy with another site and a caller.
func groups(t *testing.T, url, sites, caller string) *process {
	t.Helper()
	t.Setenv("TEST_CI", ciToken)
	_, file := setUp(t, strings.NewReplacer("SITES", sites, "CALLER", caller).Replace(grouped), url)
	return start(t, file)
}

// as opens a session of a page of a site, or of the caller if origin is "".
func (p *process) as(origin string) (*socket, *protocol.Ack) {
	p.t.Helper()
	token := ciToken
	if origin != "" {
		token = p.tokenOf(origin)
	}
	return p.enter(origin, token)
}

// enter opens a session with a token.
func (p *process) enter(origin, token string) (*socket, *protocol.Ack) {
	p.t.Helper()
	s, _, err := p.dial(origin)
	if err != nil {
		p.t.Fatal(err)
	}
	s.send(&protocol.Init{Token: token, Client: "test"})
	ack, ok := s.next().(*protocol.Ack)
	if !ok {
		p.t.Fatalf("%s: no ack", origin)
	}
	return s, ack
}

// ask sends a request and returns the error that ends it, or nil.
func (s *socket) ask(m protocol.Message) *protocol.Err {
	s.t.Helper()
	s.send(m)
	for {
		switch m := s.next().(type) {
		case *protocol.Err:
			return m
		case *protocol.End:
			return nil
		}
	}
}

// openAI sends a request of the caller over OpenAI's interface. Without a body it sends
// GET.
func (p *process) openAI(path, body string) (int, string) {
	p.t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+ciToken)
	resp, reply := p.do(r)
	return resp.StatusCode, reply
}

func codeOf(e *protocol.Err) protocol.Code {
	if e == nil {
		return ""
	}
	return e.Code
}

func models(ack *protocol.Ack) (ids []string) {
	for _, m := range ack.Models {
		ids = append(ids, m.ID)
	}
	return ids
}

// Each site and caller can use its own models, on every route, and others after a reload.
func TestModelsOfGroups(t *testing.T) {
	_, url := provider(t)
	p := groups(t, url, "{origin: 'https://blog.example.org', models: [e]}", "models: [c]")
	embed, chat := &protocol.Embed{ID: 1, Model: "e", Texts: []string{"x"}}, &protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "?"}
	check := func(s *socket, e, c protocol.Code) {
		t.Helper()
		if got := codeOf(s.ask(embed)); got != e {
			t.Errorf("e: %q", got)
		}
		if got := codeOf(s.ask(chat)); got != c {
			t.Errorf("c: %q", got)
		}
	}
	var old *socket
	for _, tt := range []struct {
		origin string
		models []string
		e, c   protocol.Code
	}{
		{site, []string{"e", "c"}, "", ""},
		{blog, []string{"e"}, "", protocol.UnknownModel},
		{"", []string{"c"}, protocol.UnknownModel, ""},
	} {
		s, ack := p.as(tt.origin)
		if !slices.Equal(models(ack), tt.models) || ack.Prompts != protocol.ByServer {
			t.Errorf("%q: %q, prompts by the %s", tt.origin, models(ack), ack.Prompts)
		}
		check(s, tt.e, tt.c)
		old = s
	}
	h := http.Header{"Origin": {blog}}
	resp, body := p.post(protocol.PathInit, h, &protocol.Init{Token: p.tokenOf(blog), Client: "test"})
	if strings.Contains(body, `"id":"c"`) {
		t.Errorf("over HTTP: %s", body)
	}
	h.Set(protocol.SessionHeader, resp.Header.Get(protocol.SessionHeader))
	if _, body := p.post(protocol.PathRequest, h, chat); !strings.Contains(body, `"code":"unknown_model"`) {
		t.Errorf("over HTTP: %s", body)
	}
	if status, body := p.openAI("/v1/models", ""); status != 200 || strings.Contains(body, `"id":"e"`) || !strings.Contains(body, `"id":"c"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := p.openAI("/v1/embeddings", `{"model": "e", "input": "x"}`); status != http.StatusNotFound {
		t.Errorf("%d %s", status, body)
	}
	p.change("models: [c]", "models: [e]")
	check(old, "", protocol.UnknownModel)
}

// change changes the configuration, and returns when it is active.
func (p *process) change(old, to string) {
	p.t.Helper()
	b, err := os.ReadFile(p.file)
	if err != nil || !strings.Contains(string(b), old) {
		p.t.Fatalf("%q is not there: %v", old, err)
	}
	write(p.t, p.file, strings.Replace(string(b), old, to, 1))
	before := strings.Count(p.logged(), `"msg":"reloaded"`)
	p.signal(syscall.SIGHUP)
	p.wait(`"msg":"reloaded"`, before+1)
}

// A caller that may write its own prompts may not do so from a page.
func TestPromptsOfACaller(t *testing.T) {
	_, url := provider(t)
	p := groups(t, url, "", "prompts: client")
	free := &protocol.Chat{ID: 1, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "?"}}}
	s, ack := p.as("")
	if code := codeOf(s.ask(free)); code != "" || ack.Prompts != protocol.ByClient {
		t.Errorf("the caller: %q, prompts by the %s", code, ack.Prompts)
	}
	if status, body := p.openAI("/v1/chat/completions", `{"model": "c", "messages": [{"role": "user", "content": "?"}]}`); status != 200 {
		t.Errorf("the caller over OpenAI's interface: %d %s", status, body)
	}
	page, _ := p.as(site)
	stolen, ack := p.enter(site, ciToken)
	for who, s := range map[string]*socket{"a page": page, "a page with the caller's token": stolen} {
		if code := codeOf(s.ask(free)); code != protocol.PromptsOnly {
			t.Errorf("%s: %q", who, code)
		}
	}
	if ack.Prompts != protocol.ByServer {
		t.Error(fmt.Sprint("a page is told that prompts are by the ", ack.Prompts))
	}
	p.change("prompts: client", "prompts: server")
	if code := codeOf(s.ask(free)); code != protocol.PromptsOnly {
		t.Errorf("after a reload: %q", code)
	}
}

// Limits of requests and tokens per minute are shared by all sessions of a site or caller,
// on every route, and by no others. Cached vectors cost no tokens.
func TestRatesOfGroups(t *testing.T) {
	up, url := provider(t)
	p := groups(t, url, "{origin: 'https://blog.example.org', requests: 1}", "tokens: 1000")
	limited := func(who string, e *protocol.Err, says string) {
		t.Helper()
		if codeOf(e) != protocol.RateLimited || e.RetryAfterMS <= 0 || e.RetryAfterMS > 60_000 || !strings.Contains(e.Message, says) {
			t.Errorf("%s: %+v", who, e)
		}
	}
	long := func(letter string) *protocol.Embed {
		return &protocol.Embed{ID: 1, Model: "e", Texts: []string{strings.Repeat(letter, 3000)}} // 1000 tokens by estimate, 751 counted
	}
	first, _ := p.as(blog)
	second, _ := p.as(blog)
	if e := first.ask(long("a")); e != nil {
		t.Fatal(e)
	}
	limited("another session of the site", second.ask(long("a")), "https://blog.example.org may send 1 requests per minute")
	program, _ := p.as("")
	another, _ := p.as("")
	for _, s := range []*socket{program, another, program} { // from the cache
		if e := s.ask(long("a")); e != nil {
			t.Error(e)
		}
	}
	if e := program.ask(long("b")); e != nil {
		t.Error(e)
	}
	limited("another session of the caller", another.ask(long("c")), "The 1000 tokens per minute of ci")
	limited("a chat of the caller", another.ask(&protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "?"}), "ci")
	if status, body := p.openAI("/v1/embeddings", `{"model": "e", "input": "`+strings.Repeat("d", 3000)+`"}`); status != http.StatusTooManyRequests || !strings.Contains(body, "rate_limit") {
		t.Errorf("over OpenAI's interface: %d %s", status, body)
	}
	if e := another.ask(long("b")); e != nil {
		t.Errorf("what is in the cache: %+v", e)
	}
	if n := len(up.Requests()); n != 2 {
		t.Errorf("%d calls of the provider", n)
	}
	other, _ := p.as(site)
	for range 3 {
		if e := other.ask(long("e")); e != nil {
			t.Errorf("another site: %+v", e)
		}
	}
	p.change("requests: 1}", "requests: 0}")
	p.change("tokens: 1000}", "tokens: 100000}")
	for who, s := range map[string]*socket{"site": second, "caller": another} {
		if e := s.ask(long(who[:1])); e != nil {
			t.Errorf("the %s with more: %+v", who, e)
		}
	}
}

// The budgets of a site and of a caller are separate. They apply on every route, and after
// kill -9 and a reload. A refusal says which budget it is and when it is renewed.
func TestBudgetsOfGroups(t *testing.T) {
	_, url := provider(t)
	p := groups(t, url, "{origin: 'https://blog.example.org', budget: {tokens: 2510}}", "budget: {dollars: 0.0251, window: month}") // ten dollars per million
	long := func(letter string) *protocol.Embed {
		return &protocol.Embed{ID: 1, Model: "e", Texts: []string{strings.Repeat(letter, 2500)}} // 626 tokens, at most 2504
	}
	spent := func(when string, p *process) {
		t.Helper()
		day, month := time.Now().UTC(), time.Now().UTC()
		s, _ := p.as(blog)
		if e := s.ask(long("b")); codeOf(e) != protocol.BudgetSpent || !strings.Contains(e.Message, "the budget of https://blog.example.org for this day") ||
			!strings.Contains(e.Message, day.AddDate(0, 0, 1).Format("It is renewed on 2006-01-02 at 00:00 UTC.")) || e.RetryAfterMS <= 0 || e.RetryAfterMS > 24*3600*1000 {
			t.Errorf("%s, the site: %+v", when, e)
		}
		s, _ = p.as("")
		if e := s.ask(long("d")); codeOf(e) != protocol.BudgetSpent || !strings.Contains(e.Message, "the budget of ci for this month") ||
			!strings.Contains(e.Message, month.AddDate(0, 0, 1-month.Day()).AddDate(0, 1, 0).Format("It is renewed on 2006-01-02 at 00:00 UTC.")) {
			t.Errorf("%s, the caller: %+v", when, e)
		}
	}
	if now := time.Now().UTC(); now.Hour() == 23 && now.Minute() >= 58 {
		t.Skip("skipping: the day is about to end")
	}
	s, _ := p.as(blog)
	if e := s.ask(long("a")); e != nil {
		t.Fatal(e)
	}
	if status, body := p.openAI("/v1/embeddings", `{"model": "e", "input": "`+strings.Repeat("c", 2500)+`"}`); status != 200 {
		t.Fatal(body)
	}
	spent("at once", p)
	if status, body := p.openAI("/v1/embeddings", `{"model": "e", "input": "`+strings.Repeat("d", 2500)+`"}`); status != http.StatusTooManyRequests || !strings.Contains(body, "insufficient_quota") {
		t.Errorf("over OpenAI's interface: %d %s", status, body)
	}
	other, _ := p.as(site)
	if e := other.ask(long("e")); e != nil {
		t.Errorf("another site: %+v", e)
	}
	p.cmd.Process.Kill()
	<-p.ended
	p = start(t, p.file)
	spent("after kill -9", p)
	p.change("tokens: 2510", "tokens: 5020")
	p.change("window: month", "window: hour")
	for letter, origin := range map[string]string{"f": blog, "g": ""} {
		s, _ := p.as(origin)
		if e := s.ask(long(letter)); e != nil {
			t.Errorf("%q after a reload: %+v", origin, e)
		}
	}
}
