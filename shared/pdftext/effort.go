package pdftext

import "seam/shared/pdftext/interp"

// Limits of a file, in the unit of interp.MaxWork. Honest pages have some thousands, a map
// 150,000. A file with many larger pages is hostile, and the rest of it is not read.
const (
	largePage = 1 << 20
	maxLarge  = 12 << 20 // total for large pages, after which the limit of a page is reduced
	reduced   = 16       // divisor of the limit then
	maxOver   = 24       // pages over the limit, after which reading ends
)

// effort limits the work on a file. It counts instead of taking the time, so that a file
// gives the same text on any machine.
type effort struct {
	large int // total for large pages
	over  int // pages over the limit
}

// page calls read with the most work for the next page. The error is interp.ErrLimit if that
// was not enough, or if too many pages before it were too large.
func (e *effort) page(read func(most int) (interp.Content, error)) (interp.Content, error) {
	if e.over >= maxOver {
		return interp.Content{}, interp.ErrLimit
	}
	most := interp.MaxWork
	if e.large > maxLarge {
		most /= reduced
	}
	c, err := read(most)
	if c.Work > largePage {
		e.large += c.Work
	}
	if c.Work > most {
		e.over++
	}
	return c, err
}
