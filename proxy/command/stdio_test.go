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

// After Ctrl-C, finished output is still written in full to a reader that takes it slowly,
// but not to a reader that has stopped.
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

// A command reads stdin only if asked to: in a shell loop, stdin belongs to the loop.
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
