package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/export"
)

// longestLine is the longest line of a filter in bytes. A longer text must be given as a
// path.
const longestLine = 16 << 20

var errLongLine = fmt.Errorf(`the line is longer than %d MB: put the text into a file and give its "path"`, longestLine>>20)

// lineReader reads lines and holds one at a time. Blank lines are counted but skipped.
type lineReader struct {
	r *bufio.Reader
	n int // number of the last line read, from 1
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, terminal.FlushSize)}
}

// next returns the next line, without a byte order mark at the start of the input. The rest
// of a line that is too long is read and discarded. At the end it returns io.EOF.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.line()
		if l.n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// line reads a line with its newline, which the last one may lack.
func (l *lineReader) line() (line []byte, err error) {
	l.n++
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) <= longestLine {
			line = append(line, part...)
		} else {
			line = append(line, part[:longestLine+1-len(line)]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0, err == nil:
			if len(line) > longestLine {
				return nil, errLongLine
			}
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		}
		return nil, fmt.Errorf("read the lines: %w", err)
	}
}

// docLine is an input line: a document, given by its path or its text.
type docLine struct {
	id, meta json.RawMessage // copied unchanged; meta may be nil
	path     string
	text     []byte // nil if path is set
	name     string // of the text, with an extension that sets its format; may be empty
}

// parseLine parses a line. With an error it still returns the id if it could be parsed.
func parseLine(b []byte) (docLine, error) {
	var l docLine
	if !utf8.Valid(b) {
		return l, errors.New("the line is not valid UTF-8")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil || keys == nil {
		if err == nil {
			err = errors.New("it is null")
		}
		return l, fmt.Errorf(`the line is not a JSON object {"id","path" or "text"}: %w`, err)
	}
	if id := keys["id"]; len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9') {
		l.id = compact(id)
	} else {
		return l, errors.New(`the line has no "id": use a string or a number`)
	}
	for key := range keys {
		if !slices.Contains([]string{"id", "path", "text", "name", "meta"}, key) {
			return l, fmt.Errorf(`unknown key %q in the line: put your own data into "meta"`, key)
		}
	}
	l.meta = compact(keys["meta"])
	text, there := "", map[string]bool{}
	for key, to := range map[string]*string{"path": &l.path, "text": &text, "name": &l.name} {
		value := keys[key]
		if len(value) == 0 || string(value) == "null" { // engines write a column without a value this way
			continue
		}
		if there[key] = true; value[0] != '"' || json.Unmarshal(value, to) != nil {
			return l, fmt.Errorf("%q is not a string", key)
		}
	}
	switch {
	case there["path"] && there["text"]:
		return l, errors.New(`the line has both "path" and "text": leave one out`)
	case there["text"]:
		l.text = []byte(text)
	case !there["path"]:
		return l, errors.New(`the line has neither "path" nor "text"`)
	case there["name"]:
		return l, errors.New(`"name" needs "text": a file has its own name`)
	}
	return l, nil
}

// idText returns the id as a text, which names the document in formats for databases.
func (l docLine) idText() string {
	var s string
	if json.Unmarshal(l.id, &s) != nil {
		return string(l.id) // a number
	}
	return s
}

// compact returns JSON without white space between tokens.
func compact(b json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return nil
	}
	return out.Bytes()
}

// check returns an error if the path is not a file with one document.
func (l docLine) check() error {
	if l.text != nil {
		return nil
	}
	info, err := os.Stat(l.path)
	switch {
	case l.path == "-":
		return errors.New("the path - means stdin, which holds the lines: use ./- for a file of that name")
	case err != nil || info.IsDir(): // reading it returns the error
		return nil
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", terminal.Shown(l.path))
	case files.IsBundle(l.path):
		return fmt.Errorf("%s is a bundle: run seam chunk on it directly", terminal.Shown(l.path))
	}
	return nil
}

// linePrinter writes the chunks of a line.
type linePrinter struct {
	line    docLine
	offsets export.Unit
	out     cut.Lines
	of      *export.Of // nil before the first chunk
}

// begin prepares the printer for the document of the line.
func (p *linePrinter) begin(d cut.Document) {
	if p.of == nil {
		if p.line.text != nil {
			d.Lasting = p.line.name
		}
		p.of = d.Of(p.line.nameOf(d), p.offsets)
	}
}

// nameOf returns the name of the document, "" for a text without one.
func (l docLine) nameOf(d cut.Document) string {
	if l.text != nil {
		return l.name
	}
	return d.Name
}

// object writes an object: the id and meta of the line unchanged, then the keys of v.
func (p *linePrinter) object(v any) error {
	p.out.WriteString(`{"id":`)
	p.out.Write(p.line.id)
	if p.line.meta != nil {
		p.out.WriteString(`,"meta":`)
		p.out.Write(p.line.meta)
	}
	brace := p.out.Len()
	if err := p.out.Json(v); err != nil {
		return err
	}
	p.out.Bytes()[brace] = ','
	p.out.WriteByte('\n')
	return p.out.Whole()
}

// chunk writes chunk i.
func (p *linePrinter) chunk(d cut.Document, i int) error {
	p.begin(d)
	return p.object(export.Line(p.of.Chunk(i)))
}

// done writes the last line of the document.
func (p *linePrinter) done() error {
	return errors.Join(p.object(export.Done{Done: true, Made: p.of.Made()}), p.out.Flush())
}

// lineError returns the output in place of the chunks of line n.
func lineError(id json.RawMessage, n int, err error) ([]byte, error) {
	var out cut.Lines
	e := out.Json(struct {
		ID    json.RawMessage `json:"id,omitempty"`
		Line  int             `json:"line"`
		Error string          `json:"error"`
	}{id, n, strings.ToValidUTF8(terminal.OneLine(err.Error()), "\ufffd")})
	out.WriteByte('\n')
	return out.Bytes(), e
}
