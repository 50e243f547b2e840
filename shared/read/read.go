// Package read makes documents of files. All that Seam knows of formats is one
// table (formats.go): what they are called, how a file of one is told from
// others, where it is read, and what reads it. The command line, the engine and
// the page learn from it what Seam reads; the build puts it into the page.
//
// A format is one file here, with its row and its reader, and a line in the
// table; shared/README.md lists the files of a new one. Readers that only one program can afford have a package of their own and
// are put in by that program: see Formats.With.
package read

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"seam/shared/text"
)

// Format is what Seam knows of a format of files.
type Format struct {
	Name  string `json:"name"`            // for programs: "pdf"
	Label string `json:"label,omitempty"` // for people, in a list of what Seam reads: "PDF"
	One   string `json:"one"`             // for people, a file of it: "a PDF"
	// Extensions are what its files' names end with, in small letters, without
	// the full stop; MediaTypes what browsers call it, "text/*" for a whole kind.
	Extensions []string `json:"extensions,omitempty"`
	MediaTypes []string `json:"mediaTypes,omitempty"`
	// Marks are what its files begin with or hold near their beginning; one of
	// them is enough. Without any, its files are known by their names alone.
	Marks []Mark `json:"marks,omitempty"`
	// In is the name of the format that its files look like: with its marks, they
	// are known by their names, as a Word document among packed archives.
	In string `json:"in,omitempty"`
	// Room is where the page reads it; empty: Seam knows it and does not read it.
	Room Room `json:"room,omitempty"`
	// German has the words of the page in German, which the build takes from here.
	German German `json:"-"`
	// Read is its reader; nil in a program that has none.
	Read Reader `json:"-"`
}

// German is what a format is called in German.
type German struct {
	Label string // as Format.Label, in the accusative; empty: the English one
	One   string // as Format.One, in the nominative
}

// Room is a worker of the page.
type Room string

const (
	Engine Room = "engine" // the engine's: for readers that are small
	PDF    Room = "pdf"    // the one that reads PDFs, HTML, books and bundles: for readers that are large
)

// Mark are bytes that tell a format.
type Mark struct {
	// Bytes has a rune for each byte, "?" for any.
	Bytes string `json:"bytes"`
	// Within is in how many bytes of the file's beginning they may stand; 0: the
	// file begins with them.
	Within int `json:"within,omitempty"`
}

// Version is raised where a file is read to another document than before: what was kept of
// files by another version is not used. A test of the command line holds it to documents.
const Version = 7

// Head is how many bytes of a file tell its format.
const Head = 1024

// Reader makes a document of the bytes of a file, which it does not change. Its
// errors are those of this package where one of them says what is wrong.
type Reader func(b []byte, o Options) (*text.Document, error)

// Options says how to read a file; no reader needs all of them. The zero value is
// fine.
type Options struct {
	// Password opens a file that is encrypted.
	Password string
	// Progress is told how many pages are done. Its error ends the work, and is
	// returned as it is.
	Progress func(done, total int) error
	// Context ends the work early, with its error.
	Context context.Context
	// Now is a clock that only moves forward, for limits of time.
	Now func() time.Duration
	// OutOfTime is told where a part was not read for such a limit: another time there may
	// be more of the document.
	OutOfTime func()
	// Assets hands out files that a reader needs and the program does not bring.
	Assets func(file string) ([]byte, error)
}

// What is wrong with a file, for errors.Is; text.ErrBinary is another.
var (
	ErrPassword = errors.New("the file is encrypted")         // the password is missing or wrong
	ErrDamaged  = errors.New("the file is damaged")           // it cannot be opened
	ErrOther    = errors.New("the file is of no such format") // whatever its name says
	ErrEncoding = errors.New("the text is in an encoding that is not read")
)

// As is err, whose text stays, as one of the errors above.
func As(kind, err error) error { return known{kind, err} }

type known struct{ kind, err error }

func (e known) Error() string   { return e.err.Error() }
func (e known) Unwrap() []error { return []error{e.kind, e.err} }

// UnreadError says that a file is of a format that is not read.
type UnreadError struct {
	One   string // "a Word document"
	Reads string // what is: "PDF, Markdown or plain text"
}

// Error names what the file is, and the formats to save it as.
func (e *UnreadError) Error() string {
	return fmt.Sprintf("%s, which Seam does not read; save or export it as %s", e.One, e.Reads)
}

// Formats are rows of the table. The last one is for whatever no other knows.
type Formats []Format

// All are the formats that Seam knows, with the readers that every program has.
func All() Formats { return slices.Clone(table) }

// With returns the formats with a reader for the one of a name.
func (f Formats) With(name string, r Reader) Formats {
	f = slices.Clone(f)
	for i := range f {
		if f[i].Name == name {
			f[i].Read = r
		}
	}
	return f
}

// Unread returns the formats with no room for the one of a name: in a program that takes
// its files otherwise than as a document.
func (f Formats) Unread(name string) Formats {
	f = slices.Clone(f)
	for i := range f {
		if f[i].Name == name {
			f[i].Room = ""
		}
	}
	return f
}

// Recognise returns the format of a file by its name and what it begins with, of
// which Head bytes are enough: the first one of which it has a mark, else the one
// that has its name and is read, so that its reader says what is wrong; else the
// last one. The name also has it where the mark stands further on, as in a text
// about the format.
func (f Formats) Recognise(name string, head []byte) Format {
	head = head[:min(len(head), Head)]
	has := extension(name)
	named := slices.IndexFunc(f, func(format Format) bool { return format.Room != "" && slices.Contains(format.Extensions, has) })
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

// Read makes a document of a file. A format that is not read, or not by this
// program, is an *UnreadError.
func (f Formats) Read(name string, b []byte, o Options) (*text.Document, error) {
	format := f.Recognise(name, b)
	if format.Read == nil {
		return nil, &UnreadError{format.One, f.List("or")}
	}
	return format.Read(b, o)
}

// List names what Seam reads, "PDF, Markdown and plain text", with a word before
// the last.
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

// InFolder reports whether a file that was found in a folder is worth opening: one
// that is read, and not hidden.
func (f Formats) InFolder(name string) bool {
	has := extension(name)
	return !strings.HasPrefix(path.Base(name), ".") && slices.ContainsFunc(f, func(format Format) bool {
		return format.Room != "" && slices.Contains(format.Extensions, has)
	})
}

// extension is what a name ends with behind its last full stop.
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

// begins reports whether bytes begin with the mark.
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
