package terminal

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

// stdin is that of the process, which can be read once. Where it brings nothing, Ctrl-C
// ends the wait.
type stdin struct {
	*io.PipeReader
	begin func()
	ended bool
}

// NewStdin returns a reader of in, of which nothing is taken before the first Read.
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

// patience is how long Ctrl-C waits for a reader of stdout to take piece bytes: what is
// ready is still written then, the end of a list for example.
const (
	patience = time.Second
	Piece    = 64 << 10 // what a pipe of Linux holds
)

// Stdout is that of the process. A reader that takes nothing, such as a pager that nobody
// scrolls, does not keep the process from ending after Ctrl-C.
type Stdout struct {
	io.Writer
	Ctx context.Context
}

// Write writes b.
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

// write writes a piece, and leaves it behind where nobody takes it.
func (s *Stdout) write(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	written := make(chan result, 1)
	b = bytes.Clone(b) // whoever gave it may change it when this returns
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
