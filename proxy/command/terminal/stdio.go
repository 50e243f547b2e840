package terminal

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

// stdin is the standard input of the process, which can be read only once. Ctrl-C ends a
// Read that waits for input.
type stdin struct {
	*io.PipeReader
	begin func()
	ended bool
}

// NewStdin returns a reader of in. It reads nothing from in before the first Read.
func NewStdin(ctx context.Context, in io.Reader) *stdin {
	r, w := io.Pipe()
	return &stdin{PipeReader: r, begin: sync.OnceFunc(func() {
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
}

// Write writes b in pieces.
func (s *Stdout) Write(b []byte) (int, error) {
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
