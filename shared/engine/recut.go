package engine

import (
	"context"
	"math"
	"slices"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
)

func (e *Engine) forRecut() []message {
	return []message{
		{"recut", handle(e.recut)},
		{"steps", handle(e.steps)},
	}
}

// The columns of a row of recut, which describes one chunk.
const (
	rowStart = iota // UTF-16 units of the view's text
	rowEnd
	rowTokens
	rowFirstPage // page numbers; 0 if there are none
	rowLastPage
	rowAfter  // index of the sentence after which the chunk ends; -1 if it ends inside one
	rowReason // kind of the reason, as an index into pipeline.Reasons
	rowNeeded // 1 if the reason is for the maximum, otherwise 0
	rowWidth  // number of columns
)

type recutParams struct {
	Doc       int      `json:"doc"`
	Setting   *float64 `json:"setting"`   // place of the slider
	Threshold *float64 `json:"threshold"` // place of the line, instead of Setting
}

// recutReply is the place of the line. Its blobs are int32, little-endian: the rows, and
// the boundaries as in chunkReply. They are empty for a document that is not open, has not
// been cut, or has no curve, and for a setting that the method refuses.
type recutReply struct {
	Setting   float64 `json:"setting"`
	Threshold float64 `json:"threshold"`
	blobs
}

// recut cuts a document again with the settings of its last cut and the line at another
// place. It serves a moving line or slider sixty times a second, without JSON for each
// chunk. When the line rests, chunk returns ids and full reasons.
func (e *Engine) recut(_ context.Context, _ *rpc.Call, p *recutParams) (*recutReply, error) {
	none := &recutReply{blobs: blobs{nil, nil}}
	d := e.open[p.Doc]
	if d == nil || d.current == nil || d.current.Method.Curve == "" {
		return none, nil
	}
	set := d.settings
	set.Setting, set.Threshold, set.Count = p.Setting, p.Threshold, 0
	plan, err := pipeline.NewPlan(set)
	if err != nil {
		return none, nil
	}
	r, err := d.Run(context.Background(), plan, e.hooks(nil))
	if err != nil {
		return none, nil
	}
	e.show(d, set, r)
	if math.IsNaN(r.Found.Threshold) {
		return none, nil
	}
	return &recutReply{r.Found.Setting, r.Found.Threshold, blobs{d.rows(r), int32s(r.Found.Boundaries)}}, nil
}

// rows returns the rows for the chunks of a result.
func (d *opened) rows(r *pipeline.Result) []byte {
	units, kinds, gaps := d.utf16(r.Plan.View), pipeline.Reasons(), r.Gaps()
	rows := make([]int, 0, rowWidth*len(r.Chunks))
	for i, c := range r.Chunks {
		s := units.Span(c.Span)
		var row [rowWidth]int
		row[rowStart], row[rowEnd], row[rowTokens], row[rowAfter] = s.Start, s.End, c.Tokens, gaps[i]
		row[rowReason] = slices.Index(kinds, c.Reason.Kind)
		if c.Reason.For != "" {
			row[rowNeeded] = 1
		}
		if c.First >= 0 {
			row[rowFirstPage], row[rowLastPage] = d.Document.Pages[c.First].Number, d.Document.Pages[c.Last].Number
		}
		rows = append(rows, row[:]...)
	}
	return int32s(rows)
}

type stepsParams struct {
	Doc      int       `json:"doc"`
	Settings []float64 `json:"settings"`
}

type stepsReply struct {
	Steps []pipeline.Step `json:"steps"`
}

// steps returns the result of each of some settings for a document, with the other settings
// of its last cut. The result shown does not change. The reply is empty for a document that
// is not open, has not been cut or has no setting, and for settings that the method
// refuses.
func (e *Engine) steps(ctx context.Context, _ *rpc.Call, p *stepsParams) (*stepsReply, error) {
	none := &stepsReply{Steps: []pipeline.Step{}}
	d := e.open[p.Doc]
	if d == nil || d.current == nil || d.current.Method.Setting == nil {
		return none, nil
	}
	set := d.settings
	set.Setting, set.Threshold, set.Count = nil, nil, 0
	plan, err := pipeline.NewPlan(set)
	if err != nil {
		return none, nil
	}
	steps, err := d.Steps(ctx, plan, p.Settings, e.hooks(nil))
	if err != nil {
		return none, nil
	}
	return &stepsReply{Steps: steps}, nil
}
