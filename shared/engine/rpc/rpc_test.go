package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

// page is the other side. It records the worker's messages.
type page struct {
	mu       sync.Mutex
	messages []message
	clock    time.Duration
	yield    func()
}

type message struct {
	ID     int             `json:"id"`
	Event  string          `json:"event"`
	Data   json.RawMessage `json:"data"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
	blobs  [][]byte
}

func (p *page) host() Host {
	return Host{
		Post: func(b []byte, blobs [][]byte) {
			var m message
			if err := json.Unmarshal(b, &m); err != nil {
				panic(err)
			}
			m.blobs = blobs
			p.mu.Lock()
			defer p.mu.Unlock()
			p.messages = append(p.messages, m)
		},
		Yield: func() {
			if p.yield != nil {
				p.yield()
			}
		},
		Now: func() time.Duration {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.clock += 10 * time.Millisecond
			return p.clock
		},
	}
}

// answer returns the answer to a call.
func (p *page) answer(t *testing.T, id int) message {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []message
	for _, m := range p.messages {
		if m.ID == id && m.Event == "" {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		t.Fatalf("call %d has %d answers", id, len(found))
	}
	return found[0]
}

func methods() map[string]Handler {
	return map[string]Handler{
		"double": func(_ context.Context, c *Call) (Reply, error) {
			var p struct{ N int }
			if err := c.Params(&p); err != nil {
				return Reply{}, err
			}
			return Reply{Result: 2 * p.N}, nil
		},
		"blob": func(_ context.Context, c *Call) (Reply, error) {
			b, err := c.Blob(0)
			return Reply{Blobs: [][]byte{b}}, err
		},
		"panic": func(context.Context, *Call) (Reply, error) { panic("a bad document") },
		"fail":  func(context.Context, *Call) (Reply, error) { return Reply{}, errors.New("no luck") },
		"coded": func(context.Context, *Call) (Reply, error) {
			return Reply{}, &Error{Code: NotPDF, Message: "no PDF", Hint: "choose another"}
		},
		"nan": func(context.Context, *Call) (Reply, error) { return Reply{Result: math.NaN()}, nil },
		"long": func(_ context.Context, c *Call) (Reply, error) {
			for i := range 1000 {
				if err := c.Progress("counting", i, 1000); err != nil {
					return Reply{}, err
				}
			}
			return Reply{Result: "done"}, nil
		},
	}
}

func TestAnswers(t *testing.T) {
	p := &page{}
	s := NewServer(p.host(), methods())
	for i, tt := range []struct{ request, result, code, says string }{
		{`{"id":1,"method":"double","params":{"n":21}}`, "42", "", ""},
		{`{"id":2,"method":"double"}`, "0", "", ""},
		{`{"id":3,"method":"double","params":{"m":1}}`, "", BadRequest, "unknown field"},
		{`{"id":4,"method":"double","params":{"n":"x"}}`, "", BadRequest, "parameters of double"},
		{`{"id":5,"method":"nothing"}`, "", BadRequest, `unknown method "nothing"`},
		{`{"id":6,"method":"panic"}`, "", Internal, "a bad document"},
		{`{"id":7,"method":"fail"}`, "", Internal, "no luck"},
		{`{"id":8,"method":"coded"}`, "", NotPDF, "no PDF"},
		{`{"id":9,"method":"nan"}`, "", Internal, "cannot be sent"},
		{`{"id":10,"method":"blob"}`, "", BadRequest, "needs 1 blobs and got 0"},
		{`{"id":11,"method":"cancel","params":{"id":99}}`, "{}", "", ""},
		{`{"id":12,"method":"cancel","params":7}`, "", BadRequest, "id of a call"},
		{`{"id":13,"method":"long"}`, `"done"`, "", ""},
	} {
		<-s.Receive([]byte(tt.request), nil)
		m := p.answer(t, i+1)
		switch {
		case tt.code == "" && (m.Error != nil || string(m.Result) != tt.result):
			t.Errorf("%s: %s, %v", tt.request, m.Result, m.Error)
		case tt.code != "" && (m.Error == nil || m.Error.Code != tt.code || !strings.Contains(m.Error.Message, tt.says)):
			t.Errorf("%s: %s, %+v", tt.request, m.Result, m.Error)
		}
	}
	<-s.Receive([]byte("no json"), nil)
	if m := p.answer(t, 0); m.Error == nil || m.Error.Code != BadRequest {
		t.Errorf("%+v", m)
	}
}

func TestBlobsComeBack(t *testing.T) {
	p := &page{}
	s := NewServer(p.host(), methods())
	<-s.Receive([]byte(`{"id":1,"method":"blob"}`), [][]byte{{1, 2, 3}})
	if m := p.answer(t, 1); len(m.blobs) != 1 || string(m.blobs[0]) != "\x01\x02\x03" {
		t.Errorf("%v", m.blobs)
	}
}

func TestReady(t *testing.T) {
	p := &page{}
	NewServer(p.host(), nil).Ready()
	if m := p.messages[0]; m.Event != "ready" || string(m.Data) != `{"protocol":1}` {
		t.Errorf("%+v", m)
	}
}

func TestProgressIsReportedButNotTooOften(t *testing.T) {
	p := &page{}
	s := NewServer(p.host(), methods())
	<-s.Receive([]byte(`{"id":1,"method":"long"}`), nil)
	events := 0
	for _, m := range p.messages {
		if m.Event == "progress" {
			events++
		}
	}
	// The clock advances about 10 ms per step, so 1000 steps give some 100 reports.
	if events < 20 || events > 200 {
		t.Errorf("%d reports", events)
	}
}

// A cancel that arrives during computation must end the call at the next yield.
func TestCancelStopsACall(t *testing.T) {
	p := &page{}
	s := NewServer(p.host(), methods())
	yields := 0
	p.yield = func() {
		if yields++; yields == 3 {
			<-s.Receive([]byte(`{"id":2,"method":"cancel","params":{"id":1}}`), nil)
		}
	}
	<-s.Receive([]byte(`{"id":1,"method":"long"}`), nil)
	if m := p.answer(t, 1); m.Error == nil || m.Error.Code != Cancelled {
		t.Errorf("%+v", m)
	}
	if yields > 3 {
		t.Errorf("%d yields after the cancel", yields-3)
	}
	<-s.Receive([]byte(`{"id":3,"method":"double","params":{"n":1}}`), nil)
	if m := p.answer(t, 3); string(m.Result) != "2" {
		t.Errorf("the next call: %+v", m)
	}
}

// Calls waiting for their turn must run in order, and can be cancelled.
func TestCallsTakeTurns(t *testing.T) {
	p := &page{}
	s := NewServer(p.host(), methods())
	var waiting []<-chan struct{}
	once := false
	p.yield = func() {
		if !once {
			once = true
			waiting = append(waiting, s.Receive([]byte(`{"id":2,"method":"double","params":{"n":1}}`), nil))
			<-s.Receive([]byte(`{"id":3,"method":"cancel","params":{"id":2}}`), nil)
		}
	}
	<-s.Receive([]byte(`{"id":1,"method":"long"}`), nil)
	for _, w := range waiting {
		<-w
	}
	if m := p.answer(t, 1); string(m.Result) != `"done"` {
		t.Errorf("%+v", m)
	}
	if m := p.answer(t, 2); m.Error == nil || m.Error.Code != Cancelled {
		t.Errorf("%+v", m)
	}
}
