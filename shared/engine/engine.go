// Package engine is what the page can ask for: documents opened, cut up and
// searched. It is pure Go; the page reaches it through a worker, tests and the
// command line call it directly.
package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"seam/shared/embed"
	"seam/shared/engine/rpc"
	"seam/shared/text"
	"seam/shared/token"
)

// Engine holds the open documents. Its methods are called one at a time, but for
// the moments in which one waits for a proxy (rpc.Call.Await).
type Engine struct {
	version string
	now     func() time.Duration
	dial    Dialer
	proxy   *connection // nil: none
	store   Keeper      // of hosted vectors; nil: none

	loadBuiltin Loader
	builtin     embed.Embedder // nil until it is loaded
	openModel   Opener
	models      map[string]embed.Embedder // the user's own, by name
	loadRanks   func(encoding string) ([]byte, error)
	counters    map[string]token.Counter // by unit

	last     int
	open     map[int]*opened
	order    []int      // ids of open documents in the order of opening
	searcher *searching // nil after a change
}

// maxFile bounds the bytes of a document that is opened: what is computed of it
// takes several times as much of a memory that ends at 4 GB.
const maxFile = 256 << 20

// opened is an open document.
type opened struct {
	*Session
	units    map[text.ViewName]*text.UTF16
	current  *Result  // the chunks that are shown
	settings Settings // that gave them
	calls    int      // of chunk, so far
}

// New makes an engine. now is a clock that only moves forward.
func New(version string, now func() time.Duration) *Engine {
	return &Engine{version: version, now: now, open: map[int]*opened{}}
}

// Methods are the handlers of everything that the page can ask for.
func (e *Engine) Methods() map[string]rpc.Handler {
	return map[string]rpc.Handler{
		"hello":   e.hello,
		"open":    e.openDocument,
		"text":    e.text,
		"chunk":   e.chunk,
		"edit":    e.edit,
		"search":  e.search,
		"connect": e.connect,
		"model":   e.model,
		"kept":    e.kept,
		"forget":  e.forget,
		"preview": e.preview,
		"ask":     e.ask,
		"close":   e.close,
	}
}

func (e *Engine) hello(context.Context, *rpc.Call) (rpc.Reply, error) {
	return rpc.Reply{Result: map[string]any{
		"protocol":  rpc.Protocol,
		"version":   e.version,
		"methods":   Methods(),
		"embedders": e.embedders(),
		"defaults":  map[string]string{"method": DefaultMethod, "embedder": DefaultEmbedder},
	}}, nil
}

// openDocument takes a document that the PDF worker made, or the bytes of a
// text file.
func (e *Engine) openDocument(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Name    string `json:"name"`
		Kind    string `json:"kind"`
		Replace int    `json:"replace"` // the open document that this is another version of; 0: none
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	b, err := call.Blob(0)
	if err != nil {
		return rpc.Reply{}, err
	}
	if len(b) > maxFile {
		return rpc.Reply{}, &rpc.Error{Code: rpc.TooLarge, Message: fmt.Sprintf("this text is larger than %d MB", maxFile>>20),
			Hint: "Split it into several files."}
	}
	var doc *text.Document
	switch p.Kind {
	case "document":
		if doc, err = text.DecodeDocument(b); err != nil {
			return rpc.Reply{}, &rpc.Error{Code: rpc.Internal, Message: "the PDF worker's result cannot be read: " + err.Error()}
		}
	case "file":
		if doc, err = text.FromFile(b); err != nil {
			return rpc.Reply{}, &rpc.Error{Code: rpc.NotText, Message: "this file is " + err.Error(), Hint: "Seam reads PDF and text files."}
		}
	default:
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "open takes the kind document or file"}
	}
	doc.Name = p.Name
	if strings.TrimSpace(doc.View(text.Content).Text) == "" {
		e := &rpc.Error{Code: rpc.Empty, Message: "there is no text in this file", Hint: "If it is a scan, run it through text recognition (OCR) first."}
		if len(doc.Notes) > 0 {
			e.Message += ": " + strings.Join(doc.Notes, "; ")
		}
		return rpc.Reply{}, e
	}
	id, lost, err := e.put(doc, p.Replace)
	if err != nil {
		return rpc.Reply{}, err
	}
	return rpc.Reply{Result: map[string]any{
		"doc": id, "name": doc.Name, "title": doc.Title, "pages": len(doc.Pages), "notes": append([]string{}, doc.Notes...), "lost": lost,
	}}, nil
}

// put opens a document, in the place of another one unless that is 0; lost is then
// how many changes by hand had no place in it.
func (e *Engine) put(doc *text.Document, replaced int) (id int, lost *int, err error) {
	units := map[text.ViewName]*text.UTF16{}
	if replaced == 0 {
		e.last++
		e.open[e.last] = &opened{Session: NewSession(doc), units: units}
		e.order = append(e.order, e.last)
		return e.last, nil, nil
	}
	d, err := e.document(replaced)
	if err != nil {
		return 0, nil, err
	}
	d.units, d.current, e.searcher = units, nil, nil
	d.calls++
	n := d.Replace(doc)
	return replaced, &n, nil
}

func (e *Engine) document(id int) (*opened, error) {
	d := e.open[id]
	if d == nil {
		return nil, &rpc.Error{Code: rpc.UnknownDocument, Message: "this document is not open any more", Hint: "Open it again."}
	}
	return d, nil
}

func (d *opened) utf16(name text.ViewName) *text.UTF16 {
	if d.units[name] == nil {
		d.units[name] = text.NewUTF16(d.Document.View(name).Text)
	}
	return d.units[name]
}

type pageSpan struct {
	Number int `json:"number"`
	text.Span
}

// text returns where the pages of a view begin and end. Blob: its text, UTF-8.
func (e *Engine) text(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Doc  int           `json:"doc"`
		View text.ViewName `json:"view"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	d, err := e.document(p.Doc)
	if err != nil {
		return rpc.Reply{}, err
	}
	switch p.View {
	case "":
		p.View = text.Reading
	case text.Reading, text.Content:
	default:
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "the view is reading or content"}
	}
	v, units := d.Document.View(p.View), d.utf16(p.View)
	pages := []pageSpan{}
	for _, r := range v.Runs {
		s := units.Span(text.Span{Start: r.Start, End: r.Start + r.Len})
		if n := len(pages); n > 0 && pages[n-1].Number == d.Document.Pages[r.Page].Number {
			pages[n-1].End = s.End
			continue
		}
		pages = append(pages, pageSpan{d.Document.Pages[r.Page].Number, s})
	}
	return rpc.Reply{Result: map[string]any{"view": p.View, "pages": pages}, Blobs: [][]byte{[]byte(v.Text)}}, nil
}

func (e *Engine) close(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Doc int `json:"doc"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	if _, err := e.document(p.Doc); err != nil {
		return rpc.Reply{}, err
	}
	delete(e.open, p.Doc)
	e.order = slices.DeleteFunc(e.order, func(id int) bool { return id == p.Doc })
	e.searcher = nil
	return rpc.Reply{}, nil
}

func (e *Engine) hooks(call *rpc.Call) Hooks {
	return Hooks{Progress: call.Progress, Now: e.now, Embedder: e.embedder(call), Counter: e.counter(call)}
}

type chunkJSON struct {
	ID string `json:"id"`
	text.Span
	Tokens  int    `json:"tokens"`
	Page    int    `json:"page"`
	Pages   []int  `json:"pages"`
	Section string `json:"section"`
	Header  string `json:"header,omitempty"` // with Settings.Headers
	Reason  string `json:"reason"`
	Topic   int    `json:"topic,omitempty"`
}

type chunksJSON struct {
	Doc          int                `json:"doc"`
	View         text.ViewName      `json:"view"`
	Method       string             `json:"method"`
	Threshold    *float64           `json:"threshold"`
	Cut          *float64           `json:"cut"`
	Curve        string             `json:"curve"`
	Sentences    int                `json:"sentences"`
	Chunks       []chunkJSON        `json:"chunks"`
	Milliseconds map[string]float64 `json:"milliseconds"`
	Cached       []string           `json:"cached"`
	Unknown      *Unknown           `json:"unknown"` // null where the embedder knows the language
	Edits        Edits              `json:"edits"`
	Embedded     int                `json:"embedded"` // sentences that a vector was made of
	Reused       int                `json:"reused"`   // sentences that had one
}

// cutting is what chunk and preview take.
type cutting struct {
	Doc int `json:"doc"`
	Settings
}

// toCut reads them, and finds the document.
func (e *Engine) toCut(call *rpc.Call) (d *opened, p cutting, err error) {
	if err := call.Params(&p); err != nil {
		return nil, p, err
	}
	if d, err = e.document(p.Doc); err == nil && p.PageJoin != nil {
		err = &rpc.Error{Code: rpc.BadRequest, Message: "the page shows pages joined by a blank only"} // else its text would differ
	}
	return d, p, err
}

// chunk cuts a document up.
func (e *Engine) chunk(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	d, p, err := e.toCut(call)
	if err != nil {
		return rpc.Reply{}, err
	}
	d.calls++
	mine := d.calls
	r, err := d.Chunk(ctx, p.Settings, e.hooks(call))
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	if mine == d.calls { // else a later call has overtaken this one while it waited
		d.current, d.settings, e.searcher = r, p.Settings, nil
	}
	return d.reply(p.Doc, r, p.Settings), nil
}

// reply tells of a document that was cut up. Blobs: the curve as float32, the
// sentences' starts and ends as int32, the boundaries as int32, all little-endian.
func (d *opened) reply(doc int, r *Result, set Settings) rpc.Reply {
	units := d.utf16(r.View)
	out := chunksJSON{Doc: doc, Edits: r.Edits, Embedded: r.Embedded, Reused: r.Reused, View: r.View, Method: r.Method.Name, Curve: string(r.Method.Curve),
		Sentences: len(r.Sentences), Milliseconds: r.Milliseconds, Cached: append([]string{}, r.Cached...), Chunks: make([]chunkJSON, len(r.Chunks))}
	if r.Method.NeedsEmbeddings {
		out.Unknown = d.Session.Unknown(set)
	}
	if r.Method.Curve != "" && !math.IsNaN(r.Found.Threshold) {
		out.Cut = &r.Found.Threshold
	}
	if r.Method.Threshold != nil {
		out.Threshold = &r.Found.Setting
	}
	for i, c := range r.Chunks {
		pages := PageNumbers(d.Document, c)
		out.Chunks[i] = chunkJSON{ID: c.ID, Span: units.Span(c.Span), Tokens: c.Tokens, Pages: pages, Section: Section(d.Document, r.View, c), Header: r.HeaderOf(i), Reason: c.Reason, Topic: c.Topic}
		if len(pages) > 0 {
			out.Chunks[i].Page = pages[0]
		}
	}
	spans := make([]int, 0, 2*len(r.Sentences))
	for _, s := range r.Sentences {
		s = units.Span(s)
		spans = append(spans, s.Start, s.End)
	}
	return rpc.Reply{Result: out, Blobs: [][]byte{float32s(r.Found.Curve), int32s(spans), int32s(r.Found.Boundaries)}}
}

func float32s(v []float64) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return b
}

func int32s(v []int) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}
