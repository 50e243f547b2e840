// Package engine is what the page can ask for: documents opened, cut up and
// searched. It is pure Go; the page reaches it through a worker, tests and the
// command line call it directly.
package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"seam/shared/embed/lexical"
	"seam/shared/engine/rpc"
	"seam/shared/index"
	"seam/shared/text"
)

// Engine holds the open documents. Its methods are called one at a time.
type Engine struct {
	version string
	now     func() time.Duration

	last     int
	open     map[int]*opened
	order    []int     // ids of open documents in the order of opening
	searcher *Searcher // of the chunks in searched; nil after a change
	searched []int     // ids
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
}

// New makes an engine. now is a clock that only moves forward.
func New(version string, now func() time.Duration) *Engine {
	return &Engine{version: version, now: now, open: map[int]*opened{}}
}

// Methods are the handlers of everything that the page can ask for.
func (e *Engine) Methods() map[string]rpc.Handler {
	return map[string]rpc.Handler{
		"hello":  e.hello,
		"open":   e.openDocument,
		"text":   e.text,
		"chunk":  e.chunk,
		"search": e.search,
		"close":  e.close,
	}
}

type embedderInfo struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Help  string `json:"help"`
}

func (e *Engine) hello(context.Context, *rpc.Call) (rpc.Reply, error) {
	return rpc.Reply{Result: map[string]any{
		"protocol": rpc.Protocol,
		"version":  e.version,
		"methods":  Methods(),
		"embedders": []embedderInfo{{lexical.Name, "lexical · offline · free",
			"Compares the words of your document, without a language model: synonyms are strangers to it."}},
		"defaults": map[string]string{"method": DefaultMethod, "embedder": lexical.Name},
	}}, nil
}

// openDocument takes a document that the PDF worker made, or the bytes of a
// text file.
func (e *Engine) openDocument(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
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
	e.last++
	e.open[e.last] = &opened{Session: NewSession(doc), units: map[text.ViewName]*text.UTF16{}}
	e.order = append(e.order, e.last)
	return rpc.Reply{Result: map[string]any{
		"doc": e.last, "name": doc.Name, "title": doc.Title, "pages": len(doc.Pages), "notes": append([]string{}, doc.Notes...),
	}}, nil
}

func (e *Engine) find(id int) (*opened, error) {
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
	d, err := e.find(p.Doc)
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
	if _, err := e.find(p.Doc); err != nil {
		return rpc.Reply{}, err
	}
	delete(e.open, p.Doc)
	e.order = slices.DeleteFunc(e.order, func(id int) bool { return id == p.Doc })
	e.searcher = nil
	return rpc.Reply{}, nil
}

func (e *Engine) hooks(call *rpc.Call) Hooks { return Hooks{Progress: call.Progress, Now: e.now} }

type chunkJSON struct {
	ID string `json:"id"`
	text.Span
	Tokens  int    `json:"tokens"`
	Page    int    `json:"page"`
	Pages   []int  `json:"pages"`
	Section string `json:"section"`
	Reason  string `json:"reason"`
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
}

// chunk cuts a document up. Blobs: the curve as float32, the sentences' starts
// and ends as int32, the boundaries as int32, all little-endian.
func (e *Engine) chunk(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Doc int `json:"doc"`
		Settings
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	d, err := e.find(p.Doc)
	if err != nil {
		return rpc.Reply{}, err
	}
	if p.PageJoin != nil { // its text would differ from what the page shows
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "the page shows pages joined by a blank only"}
	}
	r, err := d.Chunk(ctx, p.Settings, e.hooks(call))
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	d.current, d.settings, e.searcher = r, p.Settings, nil
	units := d.utf16(r.View)
	out := chunksJSON{Doc: p.Doc, View: r.View, Method: r.Method.Name, Curve: string(r.Method.Curve),
		Sentences: len(r.Sentences), Milliseconds: r.Milliseconds, Cached: append([]string{}, r.Cached...), Chunks: make([]chunkJSON, len(r.Chunks))}
	if r.Method.Curve != "" && !math.IsNaN(r.Found.Threshold) {
		out.Cut = &r.Found.Threshold
	}
	if r.Method.Threshold != nil {
		out.Threshold = &r.Found.Setting
	}
	for i, c := range r.Chunks {
		pages := PageNumbers(d.Document, c)
		out.Chunks[i] = chunkJSON{ID: c.ID, Span: units.Span(c.Span), Tokens: c.Tokens, Pages: pages, Reason: c.Reason}
		if len(pages) > 0 {
			out.Chunks[i].Page = pages[0]
		}
	}
	spans := make([]int, 0, 2*len(r.Sentences))
	for _, s := range r.Sentences {
		s = units.Span(s)
		spans = append(spans, s.Start, s.End)
	}
	return rpc.Reply{Result: out, Blobs: [][]byte{float32s(r.Found.Curve), int32s(spans), int32s(r.Found.Boundaries)}}, nil
}

// coded gives errors of the caller's making their code.
func coded(err error) error {
	var bad *SettingsError
	if errors.As(err, &bad) {
		return &rpc.Error{Code: rpc.BadRequest, Message: bad.Reason}
	}
	return err
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

type hitJSON struct {
	Doc   int    `json:"doc"`
	Name  string `json:"name"`
	Chunk int    `json:"chunk"`
	text.Span
	Page  int      `json:"page"`
	Pages []int    `json:"pages"`
	Score float64  `json:"score"`
	Why   string   `json:"why"`
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks"`
}

// search finds chunks of the documents as they are cut now.
func (e *Engine) search(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	p := struct {
		Query string `json:"query"`
		K     int    `json:"k"`
		Mode  string `json:"mode"`
		Docs  []int  `json:"docs"`
	}{K: 10}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	mode, err := index.ParseMode(p.Mode)
	if err != nil {
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: err.Error()}
	}
	if p.Docs == nil {
		p.Docs = e.order
	}
	if err := e.prepare(ctx, p.Docs, e.hooks(call)); err != nil {
		return rpc.Reply{}, coded(err)
	}
	found, err := e.searcher.Search(ctx, p.Query, p.K, mode)
	if err != nil {
		return rpc.Reply{}, err
	}
	hits := make([]hitJSON, len(found))
	for i, f := range found {
		hits[i] = e.hit(f, p.Query)
	}
	return rpc.Reply{Result: map[string]any{"hits": hits}}, nil
}

// prepare makes the searcher for docs, unless it is there already. Documents
// that have no chunks yet are cut with the default settings.
func (e *Engine) prepare(ctx context.Context, docs []int, hooks Hooks) error {
	if e.searcher != nil && slices.Equal(e.searched, docs) {
		return nil
	}
	sources := make([]Source, len(docs))
	for i, id := range docs {
		d, err := e.find(id)
		if err != nil {
			return err
		}
		if d.current == nil {
			if d.current, err = d.Chunk(ctx, Settings{}, hooks); err != nil {
				return err
			}
		}
		sources[i] = Source{d.current.Text, d.current.Chunks}
	}
	s, err := NewSearcher(ctx, sources, hooks)
	if err != nil {
		return err
	}
	e.searcher, e.searched = s, append([]int{}, docs...)
	return nil
}

func (e *Engine) hit(f Found, query string) hitJSON {
	id := e.searched[f.Source]
	d := e.open[id]
	c := d.current.Chunks[f.Chunk]
	t := c.Of(d.current.Text.Text)
	h := hitJSON{Doc: id, Name: d.Document.Name, Chunk: f.Chunk, Span: d.utf16(d.current.View).Span(c.Span),
		Pages: PageNumbers(d.Document, c), Score: f.Score, Why: f.Why, Text: t, Marks: [][2]int{}}
	if len(h.Pages) > 0 {
		h.Page = h.Pages[0]
	}
	units := text.NewUTF16(t)
	for _, m := range index.Marks(t, query) {
		m = units.Span(m)
		h.Marks = append(h.Marks, [2]int{m.Start, m.End})
	}
	return h
}
