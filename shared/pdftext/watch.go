package pdftext

import (
	"context"
	"time"

	"seam/shared/pdftext/interp"
)

// Time of pages. Honest pages take milliseconds, a large map a second; a file
// with many slow ones means ill, and what is left of it is not read.
const (
	defaultPageTime = 4 * time.Second
	fewSlow         = 2  // pages over the limit, after which the limit falls to
	hurry           = 16 // this part of it
	maxSlow         = 32 // pages over the limit, after which reading ends
)

// watch keeps the time of pages.
type watch struct {
	ctx   context.Context
	now   func() time.Duration
	limit time.Duration
	slow  int // pages over the limit
}

func newWatch(ctx context.Context, o Options) *watch {
	w := &watch{ctx: ctx, now: o.Now, limit: o.PageTime}
	if w.limit <= 0 {
		w.limit = defaultPageTime
	}
	return w
}

// page runs read, whose stop tells it to end. The error is interp.ErrTime where
// it had to, or where there was no time left to begin.
func (w *watch) page(read func(stop func() bool) (interp.Content, error)) (interp.Content, error) {
	if w.ctx.Err() != nil || w.slow >= maxSlow {
		return interp.Content{}, interp.ErrTime
	}
	if w.now == nil {
		return read(func() bool { return w.ctx.Err() != nil })
	}
	limit := w.limit
	if w.slow >= fewSlow {
		limit /= hurry
	}
	end, late := w.now()+limit, false
	c, err := read(func() bool {
		late = late || w.now() > end
		return late || w.ctx.Err() != nil
	})
	if late {
		w.slow++
	}
	return c, err
}
