package pdftext

import (
	"context"
	"time"

	"seam/shared/pdftext/interp"
)

// Time limits for pages. Honest pages take milliseconds, a large map half a second. A file
// with many slower pages is hostile, and the rest of it is not read.
const (
	defaultPageTime = 4 * time.Second
	slowPage        = time.Second / 2
	maxSlow         = 6 * time.Second // total for slow pages, after which the limit of a page is reduced
	hurry           = 16              // divisor of the limit then
	maxLate         = 24              // pages over the limit, after which reading ends
)

// watch enforces the time limits of pages.
type watch struct {
	ctx   context.Context
	now   func() time.Duration
	limit time.Duration
	slow  time.Duration // total for slow pages
	late  int           // pages over the limit
}

func newWatch(ctx context.Context, o Options) *watch {
	w := &watch{ctx: ctx, now: o.Now, limit: o.PageTime}
	if w.limit <= 0 {
		w.limit = defaultPageTime
	}
	return w
}

// page calls read with a stop function that makes it end in time. The error is
// interp.ErrTime if it had to stop, or if there was no time left to begin.
func (w *watch) page(read func(stop func() bool) (interp.Content, error)) (interp.Content, error) {
	if w.ctx.Err() != nil || w.late >= maxLate {
		return interp.Content{}, interp.ErrTime
	}
	if w.now == nil {
		return read(func() bool { return w.ctx.Err() != nil })
	}
	limit := w.limit
	if w.slow > maxSlow {
		limit /= hurry
	}
	start, late := w.now(), false
	end := start + limit
	c, err := read(func() bool {
		late = late || w.now() > end
		return late || w.ctx.Err() != nil
	})
	if taken := w.now() - start; taken > slowPage {
		w.slow += taken
	}
	if late {
		w.late++
	}
	return c, err
}
