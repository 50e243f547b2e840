package filecache

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe is never opened: its writer would take us for the reader, and lose its data
// when we close it.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, _, known, err := Open(t.TempDir(), DefaultLimit).Sum(path, nil)
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
