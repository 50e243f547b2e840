package cut

import (
	"fmt"
	"slices"
	"strconv"

	"seam/proxy/command/terminal"
	"seam/shared/export"
)

// OnPages returns pages in words: " · p. 3–5", or " · p. iii–v (sheets 3–5)" if the printed
// numbers, labels, differ. labels may be nil. OnPages returns "" for a document of one page
// whose printed number is the same.
func OnPages(d Document, pages []int, labels []string) string {
	if len(pages) == 0 || len(d.Pages) < 2 && labels == nil {
		return ""
	}
	return Printed(pages, labels)
}

// Printed is OnPages for at least one page of a file that is not here.
func Printed(pages []int, labels []string) string {
	sheets := fromTo(strconv.Itoa(pages[0]), strconv.Itoa(pages[len(pages)-1]))
	if labels == nil {
		return " · p. " + sheets
	}
	printed := fromTo(terminal.Visible(labels[0]), terminal.Visible(labels[len(labels)-1]))
	switch {
	case printed == sheets:
		return " · p. " + sheets
	case len(pages) == 1:
		return fmt.Sprintf(" · p. %s (sheet %s)", printed, sheets)
	}
	return fmt.Sprintf(" · p. %s (sheets %s)", printed, sheets)
}

func fromTo(first, last string) string {
	if first == last {
		return first
	}
	return first + "–" + last
}

// Place returns the page of a hit's passage in words, or the pages of its chunk if it has
// no passage; see OnPages.
func (h HitJSON) Place(docs []Document) string {
	pages, labels := h.Pages, h.Labels
	if i := slices.Index(pages, h.PassagePage); i >= 0 {
		pages = pages[i : i+1]
		if labels != nil {
			labels = labels[i : i+1]
		}
	}
	return OnPages(docs[h.Doc], pages, labels)
}

// Chunk returns the ith chunk in JSON form, without the file's name. Offsets are bytes.
func (d Document) Chunk(i int) export.Chunk {
	c := d.Of(d.Name, export.Bytes).Chunk(i)
	c.File = ""
	return c
}

// Of returns the document for package export.
func (d Document) Of(name string, unit export.Unit) *export.Of {
	of := &export.Of{Result: d.Result, File: name, Unit: unit, SHA256: d.Source.SHA256, Seam: d.Seam}
	if d.Lasting != name {
		of.Lasting = d.Lasting
	}
	return of
}

// Made returns the description of the document.
func (d Document) Made(unit export.Unit) *export.Made {
	m := d.Of(d.Name, unit).Made()
	return &m
}
