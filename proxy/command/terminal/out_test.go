package terminal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func mode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestWriteOutFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	if err := WriteOut(at("new"), says("one")); err != nil || content(t, at("new")) != "one" || mode(t, at("new")).Perm() != 0o640 {
		t.Errorf("a new file: %v, %v", err, mode(t, at("new")))
	}
	os.Chmod(at("new"), 0o604)
	if err := WriteOut(at("new"), says("two")); err != nil || content(t, at("new")) != "two" || mode(t, at("new")).Perm() != 0o604 {
		t.Errorf("over it: %v, %v", err, mode(t, at("new")))
	}
	os.Symlink("new", at("link"))
	os.Symlink("later", at("dangling"))
	for link, target := range map[string]string{"link": "new", "dangling": "later"} {
		if err := WriteOut(at(link), says("three")); err != nil || mode(t, at(link))&fs.ModeSymlink == 0 || content(t, at(target)) != "three" {
			t.Errorf("%s: %v, %v", link, err, mode(t, at(link)))
		}
	}
	broken := errors.New("the work failed")
	if err := WriteOut(at("new"), func(w io.Writer) error { io.WriteString(w, "half"); return broken }); !errors.Is(err, broken) || content(t, at("new")) != "three" {
		t.Errorf("a failure: %v, %q", err, content(t, at("new")))
	}
	for name, why := range map[string]string{".": "folder", "none/x": "no such file", "new/x": "not a directory"} {
		if err := WriteOut(at(name), says("x")); err == nil || !strings.Contains(err.Error(), why) || strings.Count(err.Error(), at(name)) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, _ := filepath.Glob(at(".seam-*"))
	if len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A device or pipe is written directly, and still exists afterwards.
func TestWriteOutDevicesAndPipes(t *testing.T) {
	if err := WriteOut(os.DevNull, says("nothing")); err != nil || mode(t, os.DevNull)&fs.ModeCharDevice == 0 {
		t.Fatalf("%v: %s is %v now", err, os.DevNull, mode(t, os.DevNull))
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := WriteOut("/dev/full", says("x")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full disk: %v", err)
		}
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		b, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- string(b)
	}()
	if err := WriteOut(pipe, says("through")); err != nil || <-read != "through" || mode(t, pipe)&fs.ModeNamedPipe == 0 {
		t.Errorf("a pipe: %v, %v", err, mode(t, pipe))
	}
}
