package engine

import (
	"context"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

func (e *Engine) forWritten() []message { return []message{{"written", handle(e.written)}} }

type writtenParams struct {
	Doc        int             `json:"doc"`
	Statements []statementJSON `json:"statements"` // replaces all earlier ones
}

// statementJSON is a text written about a part of a document.
type statementJSON struct {
	View text.ViewName `json:"view"`
	text.Span
	Text  string `json:"text"`
	Title bool   `json:"title"` // a title of the part
}

// written sets the texts written about parts of a document, so that searches find the parts
// by them. Parts outside the document's text are dropped.
func (e *Engine) written(_ context.Context, _ *rpc.Call, p *writtenParams) (*none, error) {
	d, err := e.document(p.Doc)
	if err != nil {
		return nil, err
	}
	d.written = map[text.ViewName][]search.Written{}
	for _, s := range p.Statements {
		units := d.utf16(s.View)
		if span := (text.Span{Start: units.ToByte(s.Start), End: units.ToByte(s.End)}); span.Start < span.End {
			d.written[s.View] = append(d.written[s.View], search.Written{Part: span, Text: s.Text, Title: s.Title})
		}
	}
	if e.searcher != nil {
		e.searcher.stale = true
	}
	if e.reading != nil {
		delete(e.reading.of, d.current)
	}
	return &none{}, nil
}

// writtenOf returns the texts written about the text of a result.
func (d *opened) writtenOf(r *pipeline.Result) []search.Written { return d.written[r.Plan.View] }
