package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/text"
)

func (e *Engine) forChunks() []message {
	return []message{
		{"chunk", handle(e.chunk)},
		{"preview", handle(e.preview)},
		{"edit", handle(e.edit)},
	}
}

// chunkParams are the parameters of chunk and preview.
type chunkParams struct {
	Doc   int  `json:"doc"`
	Aside bool `json:"aside"` // only for display: the result does not replace the one that is shown, moved, edited and searched
	pipeline.Settings
}

type chunkJSON struct {
	ID string `json:"id"`
	text.Span
	Tokens  int             `json:"tokens"`
	Page    int             `json:"page"`
	Pages   []int           `json:"pages"`
	Labels  []string        `json:"labels,omitempty"` // printed numbers of Pages, unless they are the same
	Section string          `json:"section"`
	Header  string          `json:"header,omitempty"` // set with Settings.Headers
	Reason  pipeline.Reason `json:"reason"`
	Topic   int             `json:"topic,omitempty"`
	Full    bool            `json:"full,omitempty"` // a maximum from the settings forbids joining it with the next
}

// chunkReply is a document that was cut. Its blobs are the curve as float32, the starts and
// ends of the sentences as int32, and the boundaries as int32, all little-endian.
type chunkReply struct {
	Doc          int                `json:"doc"`
	View         text.ViewName      `json:"view"`
	Method       string             `json:"method"`
	Setting      *float64           `json:"setting"`   // null for a method without one
	Threshold    *float64           `json:"threshold"` // on the curve; null if there is none
	Curve        string             `json:"curve"`
	Sentences    int                `json:"sentences"`
	Chunks       []chunkJSON        `json:"chunks"`
	Estimated    bool               `json:"estimated"` // lengths are estimates of a model's tokens
	MinTokens    int                `json:"minTokens"` // the limits used, from the settings or the method; 0 for none
	MaxTokens    int                `json:"maxTokens"`
	Milliseconds map[string]float64 `json:"milliseconds"`
	Cached       []string           `json:"cached"`
	Embedder     string             `json:"embedder"` // the embedder used, with auto resolved; see Unknown
	Unknown      *pipeline.Unknown  `json:"unknown"`  // null if the requested embedder knows the language; for auto, the reason another one was used
	Edits        pipeline.Edits     `json:"edits"`
	Embedded     int                `json:"embedded"` // number of sentences embedded in this call
	Reused       int                `json:"reused"`   // number of sentences with a cached vector
	Remedy       *pipeline.Remedy   `json:"remedy"`   // null if something was cut, or nothing can be
	blobs
}

// plan reads the parameters and finds the document.
func (e *Engine) plan(p *chunkParams) (d *opened, plan pipeline.Plan, err error) {
	if d, err = e.document(p.Doc); err != nil {
		return nil, plan, err
	}
	if p.PageJoin != nil {
		return nil, plan, badRequest("the page supports only pages joined by a space") // otherwise the text would differ from the one shown
	}
	plan, err = pipeline.NewPlan(p.Settings)
	return d, plan, err
}

// chunk cuts a document.
func (e *Engine) chunk(ctx context.Context, call *rpc.Call, p *chunkParams) (*chunkReply, error) {
	d, plan, err := e.plan(p)
	if err != nil {
		return nil, err
	}
	if !p.Aside {
		d.calls++
	}
	mine := d.calls
	r, err := d.Run(ctx, plan, e.hooks(call))
	if err != nil {
		return nil, err
	}
	reply := d.reply(p.Doc, p.Settings, r)
	if p.Aside {
		return reply, nil
	}
	if mine == d.calls { // otherwise a later call has overtaken this one while it waited
		e.show(d, p.Settings, r)
	}
	reply.Remedy, _ = d.Remedy(ctx, r, e.hooks(nil)) // advice is optional
	return reply, nil
}

// show makes a result the one that is shown, moved and searched.
func (e *Engine) show(d *opened, set pipeline.Settings, r *pipeline.Result) {
	d.settings, d.current = set, r
}

type previewReply struct {
	Embedder string   `json:"embedder"`
	Texts    int      `json:"texts"`
	Missing  int      `json:"missing"`
	Tokens   int      `json:"tokens"`
	Calls    int      `json:"calls"`
	Dollars  *float64 `json:"dollars"`
}

// preview returns what chunk with the same parameters would send to a proxy. It sends
// nothing.
func (e *Engine) preview(ctx context.Context, call *rpc.Call, p *chunkParams) (*previewReply, error) {
	d, plan, err := e.plan(p)
	if err != nil {
		return nil, err
	}
	q, err := d.Quote(ctx, plan, e.hooks(call))
	if err != nil {
		return nil, err
	}
	return &previewReply{plan.Embedder, q.Texts, q.Missing, q.Tokens, q.Calls, q.Dollars}, nil
}

type editParams struct {
	Doc int `json:"doc"`
	pipeline.Edit
	Log map[text.ViewName]pipeline.Log `json:"log"` // for the action load: replaces all earlier edits
}

// edit changes boundaries by hand. It replies like chunk, with the settings of chunk's last
// call.
func (e *Engine) edit(ctx context.Context, call *rpc.Call, p *editParams) (*chunkReply, error) {
	d, err := e.document(p.Doc)
	if err != nil {
		return nil, err
	}
	if d.current == nil {
		return nil, badRequest("this document has no chunks yet")
	}
	units := d.utf16(d.current.Plan.View)
	if most := units.Len(); min(p.At, p.To) < 0 || max(p.At, p.To) > most {
		return nil, badRequest("the text has no position %d", max(p.At, p.To))
	}
	p.At, p.To = units.ToByte(p.At), units.ToByte(p.To)
	d.calls++
	var r *pipeline.Result
	if p.Action == "load" {
		if err := d.Load(p.Log); err != nil {
			return nil, badRequest("%v", err)
		}
		r, err = d.Run(ctx, d.current.Plan, e.hooks(call))
	} else {
		r, err = d.Edit(ctx, d.current.Plan, p.Edit, e.hooks(call))
	}
	if err != nil {
		return nil, err
	}
	e.show(d, d.settings, r)
	return d.reply(p.Doc, d.settings, r), nil
}

// reply returns the reply for a result and its settings.
func (d *opened) reply(doc int, set pipeline.Settings, r *pipeline.Result) *chunkReply {
	units := d.utf16(r.Plan.View)
	out := &chunkReply{Doc: doc, Embedder: r.Plan.Embedder, Edits: r.Edits, Embedded: r.Embedded, Reused: r.Reused, View: r.Plan.View, Method: r.Method.Name, Curve: string(r.Method.Curve),
		Sentences: len(r.Sentences), Milliseconds: r.Milliseconds, Cached: append([]string{}, r.Cached...), Chunks: make([]chunkJSON, len(r.Chunks))}
	out.Estimated, out.MinTokens, out.MaxTokens = r.Estimated(), r.Plan.Limits.Min, r.Plan.Limits.Max
	if r.Method.Embeds {
		asked := r.Plan
		asked.Embedder = cmp.Or(set.Embedder, pipeline.DefaultEmbedder)
		out.Unknown = d.Unknown(asked)
	}
	if r.Method.Curve != "" && !math.IsNaN(r.Found.Threshold) {
		out.Threshold = &r.Found.Threshold
	}
	if r.Method.Setting != nil {
		out.Setting = &r.Found.Setting
	}
	full := r.Unjoinable()
	for i, c := range r.Chunks {
		pages := r.Pages(i)
		out.Chunks[i] = chunkJSON{ID: c.ID, Span: units.Span(c.Span), Tokens: c.Tokens, Pages: pages, Labels: r.Labels(i), Section: r.Section(i), Header: r.Header(i), Reason: c.Reason, Topic: c.Topic}
		out.Chunks[i].Full = full != nil && full[i]
		if len(pages) > 0 {
			out.Chunks[i].Page = pages[0]
		}
	}
	spans := make([]int, 0, 2*len(r.Sentences))
	for _, s := range r.Sentences {
		s = units.Span(s)
		spans = append(spans, s.Start, s.End)
	}
	out.blobs = blobs{float32s(r.Found.Curve), int32s(spans), int32s(r.Found.Boundaries)}
	return out
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
