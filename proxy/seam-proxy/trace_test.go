package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"seam/proxy/upstream/upstreamtest"
)

// span has the fields of a span that are checked.
type span struct {
	trace, id, parent, name, message string
	attributes                       map[string]string
}

func spanOf(s *tracepb.Span) span {
	all := map[string]string{}
	for _, a := range s.Attributes {
		if n, ok := a.Value.Value.(*commonpb.AnyValue_IntValue); ok {
			all[a.Key] = strconv.FormatInt(n.IntValue, 10)
		} else {
			all[a.Key] = a.Value.GetStringValue()
		}
	}
	return span{string(s.TraceId), string(s.SpanId), string(s.ParentSpanId), s.Name, s.Status.GetMessage(), all}
}

// collector receives spans.
type collector struct {
	mu     sync.Mutex
	spans  []span
	bodies string
	header string
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var q collectorpb.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &q) != nil {
		http.Error(w, "no spans", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header.Get("X-Team")
	c.bodies += string(body)
	for _, s := range q.ResourceSpans[0].ScopeSpans[0].Spans {
		c.spans = append(c.spans, spanOf(s))
	}
}

// Spans of requests and their calls arrive at a collector, completely once the proxy stops,
// and without any text, key or address.
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
		if s.name == "embed" {
			requests[s.id] = s
		}
	}
	for _, s := range c.spans {
		if s.name != "call" {
			continue
		}
		calls++
		above, ok := requests[s.parent]
		if !ok || above.trace != s.trace || s.attributes["seam.provider"] != "scripted" || s.attributes["gen_ai.request.model"] != "e" || above.message != s.message {
			t.Errorf("%+v below %+v", s, above)
		}
		if good := s.message == ""; good != (above.attributes["gen_ai.usage.input_tokens"] != "") {
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

// A collector that does not exist affects nothing, and causes one line of the log.
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
