// Package pdf is the reader of PDF files for package read, apart from it for its
// size: the page has it in a worker of its own.
package pdf

import (
	"errors"

	"seam/shared/pdftext"
	"seam/shared/read"
	"seam/shared/text"
)

// Name is the format's in the table of package read.
const Name = "pdf"

// Read is pdftext.Extract as a reader. With a deadline in Options.Context, the
// pages that are read by then are the document.
func Read(b []byte, o read.Options) (*text.Document, error) {
	d, err := pdftext.Extract(b, pdftext.Options{Password: o.Password, Progress: o.Progress, Context: o.Context, Now: o.Now, OutOfTime: o.OutOfTime, Assets: o.Assets})
	for _, same := range [][2]error{{pdftext.ErrPassword, read.ErrPassword}, {pdftext.ErrDamaged, read.ErrDamaged}, {pdftext.ErrNotPDF, read.ErrOther}} {
		if errors.Is(err, same[0]) {
			return nil, read.As(same[1], err)
		}
	}
	return d, err
}
