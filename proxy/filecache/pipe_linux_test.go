package filecache

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe is not even opened: whoever writes into it would take that for its reader,
// and what they write would be lost when it is closed.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, _, known, err := Open(t.TempDir(), DefaultLimit).Sum(path)
		if known {
			t.Error("it is known")
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
		if fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil { // there is a reader
			syscall.Close(fd)
			t.Fatal("it is opened")
		}
	}
}
