package files

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/pdftext"
	"seam/shared/read"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// mostAttached is the maximum number of attached files that a line names.
const mostAttached = 10

// PrintAttachments prints a line with the files attached to a document, and how to read one.
func PrintAttachments(std terminal.IO, doc *text.Document) {
	list := doc.Attachments
	if len(list) == 0 {
		return
	}
	names := make([]string, 0, mostAttached+1)
	for _, a := range list[:min(len(list), mostAttached)] {
		names = append(names, terminal.Shown(a.Name))
	}
	if left := len(list) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	files := "1 file is attached"
	if len(list) > 1 {
		files = fmt.Sprintf("%d files are attached", len(list))
	}
	fmt.Fprintf(std.Err, "seam: %s: %s: %s; --attached NAME reads one\n", terminal.Shown(doc.Name), files, strings.Join(names, ", "))
}

// OpenAttached reads a file attached to a PDF as a document. Its name says where it is from.
func OpenAttached(ctx context.Context, std terminal.IO, in Input, name, password string) (*text.Document, error) {
	if in.Err != nil {
		return nil, in.Err
	}
	if in.Bundle != nil {
		return nil, fmt.Errorf("%s: a bundle does not hold attached files: give the PDF", terminal.Shown(in.Name))
	}
	b, err := terminal.ReadInput(std, in.Name)
	if err != nil {
		return nil, err
	}
	if formatOf(std, in.Name, b).Name != pdf.Name {
		return nil, fmt.Errorf("%s: %w: only a PDF has attached files", terminal.Shown(in.Name), pdftext.ErrNotAttached)
	}
	b, err = pdftext.Attached(ctx, b, password, name)
	switch {
	case errors.Is(err, pdftext.ErrPassword):
		return nil, fmt.Errorf("%s: %w; set the right password with --password", terminal.Shown(in.Name), err)
	case err != nil:
		return nil, fmt.Errorf("%s: %s: %w", terminal.Shown(in.Name), terminal.Shown(name), err)
	}
	doc, err := Formats.ReadAs(formatOf(std, name, b), name, b, read.Options{Context: ctx, Decode: Decoder(std), HiddenText: std.HiddenText})
	if err != nil {
		return nil, fmt.Errorf("%s, attached to %s: %w", terminal.Shown(name), terminal.Shown(in.Name), err)
	}
	doc.Name = name + " in " + terminal.Called(in.Name)
	printNotes(std, doc)
	return doc, nil
}
