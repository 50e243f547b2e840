package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/read"
	"seam/shared/read/epub"
	"seam/shared/read/html"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// fileTime is how long one file may take; pages that are not read by then are
// noted.
const fileTime = 10 * time.Minute

// memory is above what the garbage collector works harder, in bytes: PDF files of many
// objects take several times their size for a moment. What is made of a file, its vectors
// above all, takes as much as perByte times its size: below that the collector would do
// nothing but look for what is not there, and vectors would be refused that have room.
const memory, PerByte = 280 << 20, 24

// Limit counts the memory that texts take, for the garbage collector's limit.
var Limit struct {
	sync.Mutex
	largest int64 // file
	Held    int64 // bytes of all texts that stay
}

// LimitMemory sets the limit for a file of that size, if none was larger.
func LimitMemory(size int64) { moreMemory(size, 0) }

// HoldMemory raises the limit by what a document takes that stays until the end.
func HoldMemory(d *text.Document) { moreMemory(0, int64(len(d.View(text.Reading).Text))) }

func moreMemory(size, held int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	Limit.Lock()
	defer Limit.Unlock()
	Limit.largest, Limit.Held = max(Limit.largest, size), Limit.Held+held
	debug.SetMemoryLimit(memory + min(memory, PerByte*Limit.largest) + PerByte*Limit.Held)
}

// Formats are what seam reads; bundles are opened apart, as inputs with documents of their own.
var Formats = read.All().With(pdf.Name, pdf.Read).With(html.Name, html.Read).With(epub.Name, epub.Read).Unread(read.Bundle)

// OpenDocument reads a file, or a bundle of one document, and extracts its text. Notes
// on what could not be read go to stderr, errors name the file.
func OpenDocument(ctx context.Context, std terminal.IO, name, password string) (*text.Document, error) {
	if name != "-" && IsBundle(name) {
		return onlyDocument(std, name)
	}
	doc, _, err := openFile(ctx, std, name, &Reading{Password: password})
	return doc, err
}

// OpenPrivate is openDocument that tells, too, whether nothing of the document is to be kept
// unless a file is named for it: what a password opened, and stdin.
func OpenPrivate(ctx context.Context, std terminal.IO, name, password string) (doc *text.Document, private bool, err error) {
	if name != "-" && IsBundle(name) {
		doc, err = onlyDocument(std, name)
		return doc, false, err
	}
	r := Reading{Password: password}
	doc, _, err = openFile(ctx, std, name, &r)
	return doc, r.locked || name == "-", err
}

// openFile is openDocument for a file that is no bundle.
func openFile(ctx context.Context, std terminal.IO, name string, r *Reading) (*text.Document, bundle.Source, error) {
	if doc, source, ok := r.recall(name); ok {
		Tell(std, name, doc, source)
		return doc, source, nil
	}
	b := r.File.B
	if b == nil {
		var err error
		if b, err = terminal.ReadInput(std, name); err != nil {
			return nil, bundle.Source{}, err
		}
	}
	format := Formats.Recognise(name, b).Name
	if format == read.Bundle {
		return nil, bundle.Source{}, fmt.Errorf("%s: a bundle cannot be read from stdin: give it a name", terminal.Shown(name))
	}
	sum := sha256.Sum256(b)
	if r.File.Group != "" {
		r.File = fileOf(name, sum, nil) // it may be another by now
	}
	doc, err := r.extract(ctx, std, name, b)
	if err != nil {
		return nil, bundle.Source{}, err
	}
	source := bundle.Source{Format: format, Size: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}
	if r.Text && !r.secret {
		r.Cached.PutText(r.File, source, doc)
	}
	doc.Name = terminal.Called(name)
	Tell(std, name, doc, source)
	return doc, source, nil
}

// Tell says what is to be known of a document that was read.
func Tell(std terminal.IO, name string, doc *text.Document, source bundle.Source) {
	printNotes(std, doc)
	if source.Format == pdf.Name && doc.View(text.Content).Text == "" {
		fmt.Fprintf(std.Err, "seam: %s: there is no text in this document; if it is a scan, run it through text recognition (OCR) first\n", terminal.Shown(name))
	}
}

// printNotes tells what could not be read.
func printNotes(std terminal.IO, doc *text.Document) {
	for _, note := range doc.Notes {
		fmt.Fprintf(std.Err, "seam: %s: %s\n", terminal.Shown(doc.Name), note)
	}
}

// extract makes a document of the bytes of a file. It is whole unless there was no time
// for a part of it.
func extract(ctx context.Context, std terminal.IO, name, password string, b []byte) (doc *text.Document, whole bool, err error) {
	LimitMemory(int64(len(b)))
	limited, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	start := time.Now()
	meter := terminal.NewMeter(ctx, std, name)
	whole = true
	doc, err = Formats.Read(name, b, read.Options{
		Password:  password,
		Progress:  func(done, total int) error { return meter.Report("page", done, total) },
		Context:   limited,
		Now:       func() time.Duration { return time.Since(start) },
		OutOfTime: func() { whole = false },
	})
	meter.Clear()
	switch {
	case errors.Is(err, read.ErrPassword):
		return nil, false, fmt.Errorf("%s: %w; give the right one with --password", terminal.Shown(name), err)
	case errors.Is(err, read.ErrDamaged):
		return nil, false, fmt.Errorf("%s: %w; get another copy, or print it to a PDF again", terminal.Shown(name), err)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, false, fmt.Errorf("%s: the file could not be opened within %s; it may be damaged", terminal.Shown(name), fileTime)
	case errors.Is(err, text.ErrBinary):
		return nil, false, fmt.Errorf("%s: %w; seam reads %s", terminal.Shown(name), err, Formats.List("and"))
	case err != nil:
		return nil, false, fmt.Errorf("%s: %w", terminal.Shown(name), err)
	}
	return doc, whole, nil
}
