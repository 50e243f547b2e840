package cut

import (
	"fmt"

	"seam/shared/export"
)

// OnPages returns the pages of a chunk in words, or "" for a document of one page.
func OnPages(d Document, pages []int) string {
	switch {
	case len(d.Pages) < 2 || len(pages) == 0:
		return ""
	case len(pages) == 1:
		return fmt.Sprintf(" · p. %d", pages[0])
	default:
		return fmt.Sprintf(" · p. %d–%d", pages[0], pages[len(pages)-1])
	}
}

// Chunk returns the ith chunk in JSON form, without the file's name. Offsets are bytes.
func (d Document) Chunk(i int) export.Chunk { return d.of("", export.Bytes).Chunk(i) }

// of returns the document for package export.
func (d Document) of(name string, unit export.Unit) *export.Of {
	return &export.Of{Result: d.Result, File: name, Unit: unit}
}

// Beside returns the document's part of a file of settings.
func (d Document) Beside(s *Cutting, unit export.Unit) *export.BesideChunk {
	b := d.of(d.Name, unit).Beside(s.from.Source.SHA256)
	return &b
}
