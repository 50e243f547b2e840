package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"seam/proxy/command/terminal"
)

// What is ready is written after Ctrl-C, however long it is, to a reader who takes it
// piece by piece; to one who takes nothing any more it is not.
func TestStdoutAfterCtrlC(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	text := bytes.Repeat([]byte("A mill. "), 100_000)
	r, w := io.Pipe()
	s := &terminal.Stdout{Writer: w, Ctx: ctx}
	go func() {
		if n, err := s.Write(text); n != len(text) || err != nil {
			t.Errorf("wrote %d of %d bytes: %v", n, len(text), err)
		}
		w.Close()
	}()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
		t.Errorf("read %d of %d bytes: %v", len(got), len(text), err)
	}

	r, w = io.Pipe()
	go io.CopyN(io.Discard, r, terminal.Piece)
	if n, err := (&terminal.Stdout{Writer: w, Ctx: ctx}).Write(text); n != terminal.Piece || !errors.Is(err, context.Canceled) {
		t.Errorf("wrote %d bytes: %v", n, err)
	}
}

// A program reads no stdin that it is not told to: in a loop of a shell that belongs to
// the loop.
func TestStdinIsLeftAlone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mill.txt")
	if err := os.WriteFile(name, []byte("A mill. Its sails."), 0o600); err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader([]byte("a\nb\n"))
	var out, errs bytes.Buffer
	status := Main("test", []string{"sentences", name}, terminal.IO{In: in, Out: &out, Err: &errs})
	if status != exitOK || bytes.Count(out.Bytes(), []byte("\n")) != 2 || in.Len() != 4 {
		t.Errorf("status %d, %q, %q, %d bytes left of stdin", status, out.String(), errs.String(), in.Len())
	}
}
