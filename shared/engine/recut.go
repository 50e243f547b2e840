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

// Rows of recut: so many numbers a chunk, in this order.
const (
	rowStart     = iota // UTF-16 units of the view's text
	rowEnd              //
	rowTokens           //
	rowFirstPage        // numbers; 0 where there is none
	rowLastPage         //
	rowAfter            // the sentence i whose gap ends the chunk, -1 where none does
	rowReason           // the kind of its reason, by its place in pipeline.Reasons
	rowWidth            // how many there are
)

type recutParams struct {
	Doc       int      `json:"doc"`
	Setting   *float64 `json:"setting"`   // where the slider is
	Threshold *float64 `json:"threshold"` // instead: where the line is
}

// recutReply is where the line is. Blobs of int32, little-endian: the rows, and the
// boundaries, as in chunkReply; empty for a document that is not open, has not been cut,
// or has no curve, and for a setting that the method refuses.
type recutReply struct {
	Setting   float64 `json:"setting"`
	Threshold float64 `json:"threshold"`
	blobs
}

// recut cuts a document again with the settings of its last cut, but with the line at
// another place: what a line or a slider that moves needs, sixty times a second,
// without JSON of each chunk. chunk gives ids and all of the reasons when it rests.
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

// rows tell of the chunks of a result.
func (d *opened) rows(r *pipeline.Result) []byte {
	units, kinds, gaps := d.utf16(r.Plan.View), pipeline.Reasons(), r.Gaps()
	rows := make([]int, 0, rowWidth*len(r.Chunks))
	for i, c := range r.Chunks {
		s := units.Span(c.Span)
		var row [rowWidth]int
		row[rowStart], row[rowEnd], row[rowTokens], row[rowAfter] = s.Start, s.End, c.Tokens, gaps[i]
		row[rowReason] = slices.Index(kinds, c.Reason.Kind)
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

// steps tells what each of some settings would make of a document with the other
// settings of its last cut, which stays the one that is shown. There are none for a
// document that is not open, has not been cut or has no setting, and for settings that
// the method refuses.
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
