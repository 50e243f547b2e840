package engine

import (
	"context"

	"seam/shared/engine/rpc"
)

func (e *Engine) forWords() []message { return []message{{"words", handle(e.words)}} }

// wordsReply holds the size of each page as displayed, in points. Blob 0 has three int32
// for each word of the view: start and end in UTF-16 units, and the index of its page. Blob
// 1 has four float32: its box in points from the upper left corner.
type wordsReply struct {
	Pages []pageSizeJSON `json:"pages"`
	blobs
}

type pageSizeJSON struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// words returns the places of a view's words on the pages.
func (e *Engine) words(_ context.Context, _ *rpc.Call, p *textParams) (*wordsReply, error) {
	d, err := e.viewed(p)
	if err != nil {
		return nil, err
	}
	r := &wordsReply{Pages: make([]pageSizeJSON, len(d.Document.Pages))}
	for i, page := range d.Document.Pages {
		r.Pages[i] = pageSizeJSON{page.Width, page.Height}
	}
	units := d.utf16(p.View)
	var places []int
	var boxes []float64
	for _, w := range d.Document.Words(p.View) {
		s := units.Span(w.Span)
		places = append(places, s.Start, s.End, w.Page)
		boxes = append(boxes, w.X0, w.Y0, w.X1, w.Y1)
	}
	r.blobs = blobs{int32s(places), float32s(boxes)}
	return r, nil
}
