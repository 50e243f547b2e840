package pdftext

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seam/shared/pdftext/object"
	"seam/shared/text"
)

// ErrNotAttached reports that a file has no attachment of a name.
var ErrNotAttached = errors.New("no such file is attached")

// Attached returns the bytes of a file attached to the PDF file b, by its name in
// text.Document.Attachments.
func Attached(ctx context.Context, b []byte, password, name string) ([]byte, error) {
	file, err := object.Open(ctx, b, password)
	if err != nil {
		return nil, err
	}
	tree, err := file.Pages()
	if err != nil {
		tree = nil // the files may be there
	}
	list, _ := file.Attachments(tree)
	i := slices.IndexFunc(list, func(a object.Attachment) bool { return a.Name == name })
	if i >= 0 {
		return file.Attached(list[i])
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: this PDF has none", ErrNotAttached)
	}
	names := make([]string, 0, mostNamed)
	for _, a := range list[:min(len(list), mostNamed)] {
		names = append(names, a.Name)
	}
	return nil, fmt.Errorf("%w: this PDF has %s", ErrNotAttached, strings.Join(names, ", "))
}

// mostNamed is the maximum number of attached files in a sentence.
const mostNamed = 5

// attach sets the attachments of a document. It returns a note about those beyond the limit.
func attach(d *text.Document, list []object.Attachment, more int) (note string) {
	for _, a := range list {
		d.Attachments = append(d.Attachments, text.Attachment{Name: a.Name, Type: a.Type, Bytes: a.Size})
	}
	if more > 0 {
		return fmt.Sprintf("%d more files are attached than the %d in the list", more, len(list))
	}
	return ""
}
