package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// span is what of a span in OTLP's JSON is looked at.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Attributes                          []struct {
		Key   string
		Value struct{ StringValue, IntValue string }
	}
	Status struct{ Message string }
}

func (s span) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.StringValue + a.Value.IntValue
		}
	}
	return ""
}

// collector takes spans.
type collector struct {
	mu     sync.Mutex
	spans  []span
	bodies string
	header string
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var q struct {
		ResourceSpans []struct{ ScopeSpans []struct{ Spans []span } }
	}
	if err != nil || r.URL.Path != "/v1/traces" || json.Unmarshal(body, &q) != nil {
		http.Error(w, "no spans", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header.Get("X-Team")
	c.bodies += string(body)
	c.spans = append(c.spans, q.ResourceSpans[0].ScopeSpans[0].Spans...)
}

// Requests and the calls below them arrive at a collector, whole when the proxy
// stops, and without a text, a key or an address.
func TestTraces(t *testing.T) {
	up, url := provider(t)
	c := &collector{}
	server := httptest.NewServer(c)
	defer server.Close()
	t.Setenv("COLLECTOR", "X-Team: search")
	_, file := setUp(t, common+"trace: {endpoint: '"+server.URL+"', header_env: COLLECTOR}\n", url)
	p := start(t, file)
	s := p.connect()
	if code := s.embed(1, "secret passage"); code != "" {
		t.Fatal(code)
	}
	up.Always(upstreamtest.Script{Status: 401})
	if code := s.embed(2, "another secret passage"); code == "" {
		t.Error("no error")
	}
	p.signal(syscall.SIGTERM)
	<-p.ended
	c.mu.Lock()
	defer c.mu.Unlock()
	requests, calls := map[string]span{}, 0
	for _, s := range c.spans {
		if s.Name == "embed" {
			requests[s.SpanID] = s
		}
	}
	for _, s := range c.spans {
		if s.Name != "call" {
			continue
		}
		calls++
		above, ok := requests[s.ParentSpanID]
		if !ok || above.TraceID != s.TraceID || s.attribute("seam.provider") != "scripted" || s.attribute("gen_ai.request.model") != "e" || above.Status.Message != s.Status.Message {
			t.Errorf("%+v below %+v", s, above)
		}
		if good := s.Status.Message == ""; good != (above.attribute("gen_ai.usage.input_tokens") != "") {
			t.Errorf("%+v", above)
		}
	}
	if len(requests) != 2 || calls != 2 || c.header != "search" {
		t.Errorf("%d requests, %d calls, header %q", len(requests), calls, c.header)
	}
	for _, secret := range []string{"secret passage", canary, "127.0.0.1"} {
		if strings.Contains(c.bodies, secret) {
			t.Errorf("%q is in the traces", secret)
		}
	}
}

// A collector that is not there costs nobody anything, and one line of the log.
func TestTracesWithoutCollector(t *testing.T) {
	_, url := provider(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, file := setUp(t, common+"trace: {endpoint: '"+gone.URL+"'}\n", url)
	p := start(t, file)
	s := p.connect()
	for id := range uint32(3) {
		if code := s.embed(1+id, strings.Repeat("text ", int(1+id))); code != "" {
			t.Error(code)
		}
	}
	p.signal(syscall.SIGTERM)
	<-p.ended
	if n := strings.Count(p.logged(), "traces are not sent"); n != 1 {
		t.Errorf("%d lines of the log", n)
	}
}
