package terminal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// stdin is the standard input of the process, which can be read only once. Ctrl-C ends a
// Read that waits for input.
type stdin struct {
	*io.PipeReader
	begin func()
	ended bool
}

// NewStdin returns a reader of in. It reads nothing from in before the first Read. If in is a
// terminal, notes gets a line that says so, because a waiting program looks like a broken one.
func NewStdin(ctx context.Context, in io.Reader, notes io.Writer) *stdin {
	r, w := io.Pipe()
	return &stdin{PipeReader: r, begin: sync.OnceFunc(func() {
		if f, ok := in.(*os.File); ok && isTerminal(f) {
			fmt.Fprintln(notes, "seam: reading from this terminal: Ctrl-D ends the text")
		}
		context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
		go func() {
			_, err := io.Copy(w, in)
			w.CloseWithError(err)
		}()
	})}
}

func (s *stdin) Read(b []byte) (int, error) {
	s.begin()
	n, err := s.PipeReader.Read(b)
	s.ended = s.ended || err == io.EOF
	return n, err
}

// patience is how long, after Ctrl-C, Write waits for a reader of stdout to accept Piece
// bytes. This leaves time to write output that is ready, such as the end of a list.
const (
	patience = time.Second
	Piece    = 64 << 10 // the capacity of a pipe on Linux
)

// Stdout is the standard output of the process. A reader that accepts nothing, such as an
// idle pager, does not keep the process from ending after Ctrl-C.
type Stdout struct {
	io.Writer
	Ctx context.Context

	safe bool   // a terminal, which gets no control characters of documents
	rest []byte // the beginning of a letter
}

// NewStdout returns a writer to out. If out is a terminal, control characters are escaped as by
// Visible: a document could otherwise move the cursor, rename the window or fill the clipboard.
func NewStdout(ctx context.Context, out io.Writer) *Stdout {
	return &Stdout{Writer: out, Ctx: ctx, safe: screen(out) != nil}
}

// Write writes b in pieces.
func (s *Stdout) Write(b []byte) (int, error) {
	if !s.safe {
		return s.pieces(b)
	}
	t := append(s.rest, b...)
	whole := len(t) - unfinished(t)
	s.rest = bytes.Clone(t[whole:])
	if _, err := s.pieces([]byte(escape(string(t[:whole]), dangerous))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// dangerous reports whether a terminal may obey a character. Line breaks, tabs and form feeds
// only move on.
func dangerous(r rune) bool {
	return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t\f", r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// unfinished returns the length of the letter that b ends in the middle of, or 0.
func unfinished(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

func (s *Stdout) pieces(b []byte) (int, error) {
	written := 0
	for part := range slices.Chunk(b, Piece) {
		n, err := s.write(part)
		if written += n; err != nil {
			return written, err
		}
	}
	return written, nil
}

// write writes a piece, and gives up if no reader accepts it.
func (s *Stdout) write(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	written := make(chan result, 1)
	b = bytes.Clone(b) // the caller may change it after write returns
	go func() {
		n, err := s.Writer.Write(b)
		written <- result{n, err}
	}()
	select {
	case r := <-written:
		return r.n, r.err
	case <-s.Ctx.Done():
	}
	select {
	case r := <-written:
		return r.n, r.err
	case <-time.After(patience):
		return 0, s.Ctx.Err()
	}
}
