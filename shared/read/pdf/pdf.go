// Package pdf reads PDF files for package read. It is separate because of its size: the
// page runs it in its own worker.
package pdf

import (
	"errors"

	"seam/shared/pdftext"
	"seam/shared/read"
	"seam/shared/text"
)

// Name is the format's name in the table of package read.
const Name = "pdf"

// Read is pdftext.Extract as a Reader. If Options.Context has a deadline, the document
// consists of the pages read by then.
func Read(b []byte, o read.Options) (*text.Document, error) {
	d, err := pdftext.Extract(b, pdftext.Options{Password: o.Password, Progress: o.Progress, Context: o.Context, HiddenText: o.HiddenText, Assets: o.Assets})
	for _, same := range [][2]error{{pdftext.ErrPassword, read.ErrPassword}, {pdftext.ErrCipher, read.ErrCipher}, {pdftext.ErrDamaged, read.ErrDamaged}, {pdftext.ErrNotPDF, read.ErrOther}} {
		if errors.Is(err, same[0]) {
			return nil, read.As(same[1], err)
		}
	}
	return d, err
}
