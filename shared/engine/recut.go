package engine

import (
	"context"
	"math"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
)

// Rows of Recut: so many numbers a chunk, in this order.
const (
	rowStart     = iota // UTF-16 units of the view's text
	rowEnd              //
	rowTokens           //
	rowFirstPage        // numbers; 0 where there is none
	rowLastPage         //
	rowAfter            // the sentence i whose gap ends the chunk, -1 where none does; by hand -3-i
	rowWidth            // how many there are
)

// Recut cuts a document again with the settings of its last cut and the line at
// a value of the curve: what a moving line needs, sixty times a second, without
// JSON. ids and reasons are not in the rows; the call "chunk" gives them when the
// line rests. nil for a document that is not open, has not been cut, or has no
// curve.
func (e *Engine) Recut(doc int, cut float64) []int32 {
	return e.recut(doc, func(set *Settings) { set.Cut, set.Threshold = &cut, nil })
}

// RecutAt is Recut for a slider that moves: with the line where this setting of
// the method puts it.
func (e *Engine) RecutAt(doc int, threshold float64) []int32 {
	return e.recut(doc, func(set *Settings) { set.Cut, set.Threshold = nil, &threshold })
}

// Line is where the line of a document stands after its last cut, and the
// setting of its method that puts it there. NaN where there is no line.
func (e *Engine) Line(doc int) (cut, setting float64) {
	d := e.open[doc]
	if d == nil || d.current == nil || d.current.Method.Curve == "" {
		return math.NaN(), math.NaN()
	}
	return d.current.Found.Threshold, d.current.Found.Setting
}

func (e *Engine) recut(doc int, move func(*Settings)) []int32 {
	d := e.open[doc]
	if d == nil || d.current == nil || d.current.Method.Curve == "" {
		return nil
	}
	set := d.settings
	set.Count = 0
	move(&set)
	r, err := d.Chunk(context.Background(), set, Hooks{Embedder: e.embedder(nil), Counter: e.counter(nil)})
	if err != nil {
		return nil
	}
	d.current, e.searcher = r, nil
	units := d.utf16(r.View)
	gaps := boundaryEnds(r)
	rows := make([]int32, 0, rowWidth*len(r.Chunks))
	for _, c := range r.Chunks {
		s := units.Span(c.Span)
		var row [rowWidth]int32
		row[rowStart], row[rowEnd], row[rowTokens], row[rowAfter] = int32(s.Start), int32(s.End), int32(c.Tokens), -1
		if c.First >= 0 {
			row[rowFirstPage], row[rowLastPage] = int32(d.Document.Pages[c.First].Number), int32(d.Document.Pages[c.Last].Number)
		}
		if gap, ok := gaps[c.End]; ok {
			row[rowAfter] = int32(gap)
		}
		if c.Reason == chunk.ReasonManual {
			row[rowAfter] = -3 - row[rowAfter]
		}
		rows = append(rows, row[:]...)
	}
	return rows
}

// boundaryEnds maps the byte at which a chunk ends to the boundary that ends it.
func boundaryEnds(r *Result) map[int]int {
	stop := 0
	if r.Method.Curve == breakpoint.Similarity { // the notebook's chunks keep their full stop
		stop = len(".")
	}
	ends := make(map[int]int, len(r.Found.Boundaries))
	for _, after := range r.Found.Boundaries {
		ends[r.Sentences[after].End+stop] = after
	}
	return ends
}
