// Package read makes documents from files. All of Seam's knowledge about formats is in one
// table (formats.go): their names, how to recognize a file, where it is read, and its
// reader. The command line, the engine and the page use the table; the build copies it into
// the page.
//
// A format is one file here, with its row and its reader, and a line in the table.
// shared/README.md lists the files a new one needs. Readers that are too large for some
// programs have their own packages, and programs add them with Formats.With.
package read

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"seam/shared/text"
)

// Format describes a file format.
type Format struct {
	Name  string `json:"name"`            // for programs: "pdf"
	Label string `json:"label,omitempty"` // for users, in a list of supported formats: "PDF"
	One   string `json:"one"`             // for users, a file of this format: "a PDF"
	// Extensions are the endings of file names, in lower case, without the dot. MediaTypes
	// are the names browsers use; "text/*" covers a whole type.
	Extensions []string `json:"extensions,omitempty"`
	MediaTypes []string `json:"mediaTypes,omitempty"`
	// Marks are byte sequences at or near the beginning of files. One match is enough.
	// Without marks, files are recognized by name only.
	Marks []Mark `json:"marks,omitempty"`
	// In names the format whose marks these files share. They are then distinguished by
	// name, as a Word document is from other zip archives.
	In string `json:"in,omitempty"`
	// Room is the worker of the page that reads it. If empty, Seam recognizes the format
	// but does not read it.
	Room Room `json:"room,omitempty"`
	// German holds the page's German words, which the build copies from here.
	German German `json:"-"`
	// Read is the format's reader. It is nil in programs without one.
	Read Reader `json:"-"`
}

// German holds the German names of a format.
type German struct {
	Label string // Format.Label in the accusative; if empty, the English one is used
	One   string // Format.One in the nominative
}

// Room is a worker of the page.
type Room string

const (
	Engine Room = "engine" // the engine's worker, for small readers
	PDF    Room = "pdf"    // the worker that reads PDFs, HTML, books and bundles, for large readers
)

// Mark is a byte sequence that identifies a format.
type Mark struct {
	// Bytes has one rune per byte; "?" matches any byte.
	Bytes string `json:"bytes"`
	// Within is the number of bytes at the file's beginning in which the mark may occur. 0
	// means at the very beginning.
	Within int `json:"within,omitempty"`
}

// Version must be raised when a file is read into a different document than before. Data
// saved by another version is not used. A test of the command line checks this against
// documents.
const Version = 17

// Head is the number of bytes of a file needed to recognize its format.
const Head = 1024

// Reader makes a document from the bytes of a file, which it does not change. It returns
// one of this package's errors if one of them describes the problem.
type Reader func(b []byte, o Options) (*text.Document, error)

// Options configures a reader; no reader needs all fields. The zero value is valid.
type Options struct {
	// Password opens an encrypted file.
	Password string
	// Progress, if not nil, is called with the number of pages done. If it returns an
	// error, the work stops and returns that error unchanged.
	Progress func(done, total int) error
	// Context, when it ends, stops the work with its error.
	Context context.Context
	// Decode converts the bytes of a text to UTF-8, with notes for the user, as
	// charset.Decode does. The default reads only UTF-8, and returns text.ErrUnclear for
	// other bytes.
	Decode func(b []byte) (t string, notes []string, err error)
	// AnyText also reads plain text that looks like no language; see ErrNoLanguage.
	AnyText bool
	// HiddenText includes text that nobody sees on a page; see text.Page.
	HiddenText bool
	// Assets returns files that a reader needs but the program does not contain.
	Assets func(file string) ([]byte, error)
}

func (o Options) decode(b []byte) (t string, notes []string, err error) {
	switch {
	case o.Decode != nil:
		return o.Decode(b)
	case text.Plain(b):
		return string(b), nil, nil
	}
	return "", nil, text.ErrUnclear
}

// Problems with a file, for errors.Is. text.ErrBinary and text.ErrUnclear are others.
var (
	ErrPassword = errors.New("the file is encrypted")              // the password is missing or wrong
	ErrCipher   = errors.New("no password opens the file")         // it is encrypted in another way
	ErrDamaged  = errors.New("the file is damaged")                // the file cannot be opened
	ErrOther    = errors.New("the file does not have this format") // the file has another format than its name says
)

// As returns err with its text unchanged, so that errors.Is also matches kind, one of the
// errors above.
func As(kind, err error) error { return known{kind, err} }

type known struct{ kind, err error }

func (e known) Error() string   { return e.err.Error() }
func (e known) Unwrap() []error { return []error{e.kind, e.err} }

// UnreadError reports a file in a format that is not read.
type UnreadError struct {
	One   string // "a Word document"
	Reads string // the supported formats: "PDF, Markdown or plain text"
}

// Error names the file's format and the formats to save it as.
func (e *UnreadError) Error() string {
	return fmt.Sprintf("%s, which Seam does not read; save or export it as %s", e.One, e.Reads)
}

// Formats is a list of rows of the table. The last one is for files that match no other.
type Formats []Format

// All returns all formats that Seam knows, with the readers that every program has.
func All() Formats { return slices.Clone(table) }

// With returns the formats with a reader for the named format.
func (f Formats) With(name string, r Reader) Formats {
	f = slices.Clone(f)
	for i := range f {
		if f[i].Name == name {
			f[i].Read = r
		}
	}
	return f
}

// Unread returns the formats with the named one marked as not read, for a program that
// handles its files in another way.
func (f Formats) Unread(name string) Formats {
	f = slices.Clone(f)
	for i := range f {
		if f[i].Name == name {
			f[i].Room = ""
		}
	}
	return f
}

// Recognise returns the format of a file by its name and beginning; Head bytes are enough.
// The first format with a matching mark wins. Otherwise the name decides among formats that
// are read, whose reader will report any problem, and among formats without marks. If none
// matches, it returns the last format. The name also wins over a mark that is not at the very
// beginning, as in a text about the format.
func (f Formats) Recognise(name string, head []byte) Format {
	head = head[:min(len(head), Head)]
	has := extension(name)
	named := slices.IndexFunc(f, func(format Format) bool { return format.byName() && slices.Contains(format.Extensions, has) })
	for _, marked := range f {
		begins := slices.ContainsFunc(marked.Marks, func(m Mark) bool { return m.begins(head) })
		if !begins && (named >= 0 || !slices.ContainsFunc(marked.Marks, func(m Mark) bool { return m.in(head) })) {
			continue
		}
		for _, inside := range f {
			if inside.In == marked.Name && slices.Contains(inside.Extensions, has) {
				return inside
			}
		}
		return marked
	}
	if named >= 0 {
		return f[named]
	}
	return f[len(f)-1]
}

// Read makes a document from a file. It returns an *UnreadError for a format that Seam, or
// this program, does not read.
func (f Formats) Read(name string, b []byte, o Options) (*text.Document, error) {
	return f.ReadAs(f.Recognise(name, b), name, b, o)
}

// ReadAs is Read for a file whose format is known.
func (f Formats) ReadAs(format Format, name string, b []byte, o Options) (*text.Document, error) {
	if format.Read == nil {
		return nil, &UnreadError{format.One, f.List("or")}
	}
	d, err := format.Read(b, o)
	if err == nil && format.Name == plain.Name && !o.AnyText {
		if err := judge(d.View(text.Content).Text); err != nil {
			return nil, err
		}
	}
	if note := flattened[extension(name)]; note != "" && err == nil && format.Name == plain.Name {
		d.Notes = append(d.Notes, note)
	}
	return d, err
}

// byName reports whether files are of the format by their name, unless a mark says otherwise.
func (f Format) byName() bool { return f.Room != "" || f.In == "" && len(f.Marks) == 0 }

// flattened has the notes for files that are read as plain text although their text has a
// structure, by extension.
var flattened = map[string]string{
	"csv": tabular, "tsv": tabular, "json": nested, "jsonl": nested, "ndjson": nested, "xml": nested, "yaml": nested, "yml": nested,
}

const (
	tabular = "this table is read as plain text: rows and columns are not kept apart"
	nested  = "this file is read as plain text: its structure is not understood"
)

// List names the formats that Seam reads, as in "PDF, Markdown and plain text", with the
// given word before the last.
func (f Formats) List(and string) string {
	var labels []string
	for _, format := range f {
		if format.Room != "" {
			labels = append(labels, format.Label)
		}
	}
	last := len(labels) - 1
	if last < 1 {
		return strings.Join(labels, "")
	}
	return strings.Join(labels[:last], ", ") + " " + and + " " + labels[last]
}

// Openable reports whether a file found in a folder is worth opening: its format is read,
// and it is not hidden.
func (f Formats) Openable(name string) bool {
	has := extension(name)
	return !strings.HasPrefix(path.Base(name), ".") && slices.ContainsFunc(f, func(format Format) bool {
		return format.Room != "" && slices.Contains(format.Extensions, has)
	})
}

// Named returns the format with a name.
func (f Formats) Named(name string) (Format, bool) {
	i := slices.IndexFunc(f, func(format Format) bool { return format.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return f[i], true
}

// Knows reports whether the ending of a file's name says how Seam reads it.
func (f Formats) Knows(name string) bool {
	has := extension(name)
	return flattened[has] != "" || slices.ContainsFunc(f, func(format Format) bool { return slices.Contains(format.Extensions, has) })
}

// extension returns the ending of a name after its last dot, in lower case.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}

// in reports whether the beginning of a file has the mark.
func (m Mark) in(head []byte) bool {
	for at := 0; at < len(head) && (at == 0 || at+m.size() <= m.Within); at++ {
		if m.begins(head[at:]) {
			return true
		}
	}
	return false
}

// begins reports whether b begins with the mark.
func (m Mark) begins(b []byte) bool {
	if len(b) < m.size() {
		return false
	}
	n := 0
	for _, r := range m.Bytes {
		if r != '?' && r != rune(b[n]) {
			return false
		}
		n++
	}
	return true
}

func (m Mark) size() int { return utf8.RuneCountInString(m.Bytes) }
