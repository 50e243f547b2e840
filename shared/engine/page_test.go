package engine

import (
	"encoding/binary"
	"encoding/json"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"seam/shared/engine/rpc"
	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// page calls an engine like the page does: JSON and blobs in, JSON and blobs out.
type page struct {
	t      *testing.T
	server *rpc.Server
	engine *Engine
	id     int
	last   posted // answer to the last use of call

	mu      sync.Mutex
	answers map[int]posted
	events  []string
	named   []posted // events other than progress
}

type posted struct {
	ID     int
	Event  string
	Data   json.RawMessage
	Result json.RawMessage
	Error  *rpc.Error
	blobs  [][]byte
}

func newPage(t *testing.T) *page {
	p := &page{t: t, answers: map[int]posted{}}
	clock := time.Duration(0)
	now := func() time.Duration { p.mu.Lock(); defer p.mu.Unlock(); clock += 40 * time.Millisecond; return clock }
	post := func(b []byte, blobs [][]byte) {
		var a posted
		if err := json.Unmarshal(b, &a); err != nil {
			t.Errorf("%s: %v", b, err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		switch a.Event {
		case "":
			a.blobs = blobs
			p.answers[a.ID] = a
		case "progress":
			var data struct{ Stage string }
			if err := json.Unmarshal(a.Data, &data); err != nil {
				t.Error(err)
			}
			p.events = append(p.events, data.Stage)
		default:
			p.named = append(p.named, a)
		}
	}
	p.engine = New(Host{Version: "test", Now: now, Builtin: loadModel})
	p.server = rpc.NewServer(rpc.Host{Post: post, Now: now}, p.engine.Handlers())
	return p
}

// begin sends a request without waiting for its answer.
func (p *page) begin(method string, params any, blobs [][]byte) (id int, done <-chan struct{}) {
	p.t.Helper()
	p.id++
	b, err := json.Marshal(map[string]any{"id": p.id, "method": method, "params": params})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.id, p.server.Receive(b, blobs)
}

// answer returns the answer to a finished call.
func (p *page) answer(id int) posted {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers[id]
}

// call makes a call, reads its result into result, and returns its error.
func (p *page) call(method string, params any, blobs [][]byte, result any) *rpc.Error {
	p.t.Helper()
	id, done := p.begin(method, params, blobs)
	<-done
	p.last = p.answer(id)
	if p.last.Error == nil && result != nil {
		if err := json.Unmarshal(p.last.Result, result); err != nil {
			p.t.Fatal(err)
		}
	}
	return p.last.Error
}

// must makes a call that must succeed.
func (p *page) must(method string, params any, blobs [][]byte, result any) {
	p.t.Helper()
	if err := p.call(method, params, blobs, result); err != nil {
		p.t.Fatalf("%s: %+v", method, err)
	}
}

func (p *page) open(name, kind string, b []byte) int {
	p.t.Helper()
	var r struct{ Doc int }
	p.must("open", map[string]string{"name": name, "kind": kind}, [][]byte{b}, &r)
	return r.Doc
}

type params map[string]any

// sliceUTF16 is JavaScript's text.slice(start, end).
func sliceUTF16(units []uint16, start, end int) string { return string(utf16.Decode(units[start:end])) }

// article returns pdftest.Paragraphs as a PDF, read by pdftext.
func article(t *testing.T) *text.Document {
	t.Helper()
	d, err := pdftext.Extract(pdftest.Article(pdftest.Paragraphs...), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// recut moves the line of a document ("threshold") or its slider ("setting"). It returns
// the new place of both, and the rows.
func (p *page) recut(doc int, what string, x float64) (r recutReply, rows []int) {
	p.t.Helper()
	p.must("recut", params{"doc": doc, what: x}, nil, &r)
	b := p.last.blobs[0]
	for at := 0; at < len(b); at += 4 {
		rows = append(rows, int(int32(binary.LittleEndian.Uint32(b[at:]))))
	}
	return r, rows
}
