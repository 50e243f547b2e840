package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/charset"
	"seam/shared/read"
	"seam/shared/read/epub"
	"seam/shared/read/html"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// fileTime is the time limit for one file. A file that takes longer gives an error and no text,
// so that a text never depends on the machine.
const fileTime = 10 * time.Minute

// Formats are the formats that seam reads. Bundles are opened separately, because they
// contain documents.
var Formats = read.All().With(pdf.Name, pdf.Read).With(html.Name, html.Read).With(epub.Name, epub.Read).Unread(read.Bundle)

// OpenDocument reads a file, or a bundle with one document, and extracts its text. Notes on
// unreadable parts go to stderr. Errors name the file.
func OpenDocument(ctx context.Context, std terminal.IO, name, password string) (*text.Document, error) {
	if name != "-" && IsBundle(name) {
		return onlyDocument(std, name)
	}
	doc, _, err := openFile(ctx, std, name, &Reading{Password: password})
	return doc, err
}

// OpenPrivate is like OpenDocument, and reports whether the document is private: opened
// with a password, or read from stdin. A private document is kept only in a file that the
// user named.
func OpenPrivate(ctx context.Context, std terminal.IO, name, password string) (doc *text.Document, private bool, err error) {
	if name != "-" && IsBundle(name) {
		doc, err = onlyDocument(std, name)
		return doc, false, err
	}
	r := Reading{Password: password}
	doc, _, err = openFile(ctx, std, name, &r)
	return doc, r.locked || name == "-", err
}

// openFile is OpenDocument for a file that is not a bundle.
func openFile(ctx context.Context, std terminal.IO, name string, r *Reading) (*text.Document, bundle.Source, error) {
	if doc, source, ok := r.recall(name); ok {
		PrintNotes(std, name, doc, source)
		return doc, source, nil
	}
	b := r.File.B
	if b == nil {
		var err error
		if b, err = terminal.ReadChecked(std, name, refuse); err != nil {
			return nil, bundle.Source{}, err
		}
	}
	format := formatOf(std, name, b).Name
	if format == read.Bundle {
		return nil, bundle.Source{}, fmt.Errorf("%s: a bundle cannot be read from stdin or a pipe: give its file name", terminal.Shown(name))
	}
	sum := sha256.Sum256(b)
	if r.File.Group != "" {
		r.File = r.Cached.fileOf(name, sum, nil) // the file may have changed since
	}
	doc, err := r.extract(ctx, std, name, b)
	if err != nil {
		return nil, bundle.Source{}, err
	}
	source := bundle.Source{Format: format, Size: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}
	if r.Text && !r.locked {
		r.Cached.PutText(r.File, source, doc)
	}
	doc.Name = terminal.Called(nameOf(std, name))
	PrintNotes(std, doc.Name, doc, source)
	return doc, source, nil
}

// PrintNotes prints notes about a document that was read.
func PrintNotes(std terminal.IO, name string, doc *text.Document, source bundle.Source) {
	printNotes(std, doc)
	if !std.HiddenText && slices.ContainsFunc(doc.Pages, func(p text.Page) bool { return len(p.Hidden) > 0 }) {
		fmt.Fprintf(std.Err, "seam: %s: add --hidden-text to have it there\n", terminal.Shown(name))
	}
	if source.Format == pdf.Name && doc.View(text.Content).Text == "" {
		fmt.Fprintf(std.Err, "seam: %s: no text in this document; if it is a scan, run text recognition (OCR) on it first\n", terminal.Shown(name))
	}
}

// printNotes prints the parts that could not be read.
func printNotes(std terminal.IO, doc *text.Document) {
	for _, note := range doc.Notes {
		fmt.Fprintf(std.Err, "seam: %s: %s\n", terminal.Shown(doc.Name), note)
	}
}

// Decoder returns a decoder of texts for read.Options.
func Decoder(std terminal.IO) func(b []byte) (t string, notes []string, err error) {
	return func(b []byte) (string, []string, error) {
		return charset.Decode(b, charset.Options{Name: std.Encoding})
	}
}

// WithEncoding adds advice to a text.ErrUnclear and returns other errors unchanged.
func WithEncoding(err error) error {
	if errors.Is(err, text.ErrUnclear) {
		return fmt.Errorf("%w: choose one, such as windows-1251, with --encoding", err)
	}
	return err
}

// extract makes a document from the bytes of a file.
func extract(ctx context.Context, std terminal.IO, name, password string, b []byte) (*text.Document, error) {
	LimitMemory(int64(len(b)))
	limited, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	meter := terminal.NewMeter(ctx, std, name)
	doc, err := Formats.ReadAs(formatOf(std, name, b), nameOf(std, name), b, read.Options{
		Password:   password,
		HiddenText: std.HiddenText,
		AnyText:    std.AnyText,
		Decode:     Decoder(std),
		Progress:   func(done, total int) error { return meter.Report("page", done, total) },
		Context:    limited,
	})
	meter.Clear()
	switch {
	case errors.Is(err, read.ErrPassword):
		return nil, fmt.Errorf("%s: %w; set the right password with --password", terminal.Shown(name), err)
	case errors.Is(err, read.ErrCipher):
		return nil, fmt.Errorf("%s: %w; open it with its certificate in another program, and print it to a new PDF", terminal.Shown(name), err)
	case errors.Is(err, read.ErrDamaged):
		return nil, fmt.Errorf("%s: %w; get another copy, or print it to a new PDF", terminal.Shown(name), err)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: could not read the file within %s; it may be damaged", terminal.Shown(name), fileTime)
	case errors.Is(err, read.ErrNoLanguage):
		return nil, fmt.Errorf("%s: %w; add --any-text to read it all the same", terminal.Shown(name), err)
	case errors.Is(err, text.ErrUnclear):
		return nil, fmt.Errorf("%s: %w", terminal.Shown(name), WithEncoding(err))
	case errors.Is(err, text.ErrBinary):
		return nil, fmt.Errorf("%s: %w; seam reads %s", terminal.Shown(name), err, Formats.List("and"))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", terminal.Shown(name), err)
	}
	return doc, nil
}
