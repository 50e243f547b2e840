package process

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// measured runs seam and returns the result and the most memory it had, in bytes.
func measured(t *testing.T, stdin *os.File, args ...string) (result, int64) {
	t.Helper()
	cmd := exec.Command(seam, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, usage.Maxrss << 10
}

// A long file that is no document is refused from its first bytes, and a stream without an end
// is not read forever.
func TestInputsWithoutAnEnd(t *testing.T) {
	dir := t.TempDir()
	for name, begins := range map[string]string{"big.txt": "\x00\x01\x02", "big.pdf": "No.", "big.md": "PK\x03\x04", "big.markdown": "\xff\xd8\xff"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(begins), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 1<<30); err != nil {
			t.Skip(err) // this disk does not support sparse files
		}
	}
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer zero.Close()
	for _, args := range [][]string{{"chunk", "/dev/zero"}, {"text", "/dev/urandom"}, {"sentences", "-"}, {"chunk", "--no-lines", "-"},
		{"chunk", filepath.Join(dir, "big.txt")}, {"search", "x", dir}, {"text", filepath.Join(dir, "big.pdf")}} {
		r, memory := measured(t, zero, args...)
		if r.status == 0 || !strings.Contains(r.err, "not a") || memory > 200<<20 {
			t.Errorf("%q: %+v with %d MB", args, r, memory>>20)
		}
		if args[0] == "search" && (strings.Count(r.err, "not a text: it holds binary data; seam reads PDF") != 1 || !strings.Contains(r.err, "big.pdf: not a PDF") ||
			!strings.Contains(r.err, "a packed archive") || !strings.Contains(r.err, "a JPEG picture")) {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r, _ := measured(t, nil, "text", "/proc/self/status"); r.status != 0 || !strings.Contains(r.out, "Name:\tseam") {
		t.Errorf("a file of /proc: %+v", r)
	}

	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan int64)
	go func() {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
		}
		defer f.Close()
		line := []byte(strings.Repeat("A word and a line.\n", 3000))
		for n := int64(0); ; {
			some, err := f.Write(line)
			if n += int64(some); err != nil {
				if !errors.Is(err, syscall.EPIPE) {
					t.Error(err)
				}
				read <- n
				return
			}
		}
	}()
	r, memory := measured(t, nil, "chunk", pipe)
	if n := <-read; r.status != 1 || r.err != "seam: "+pipe+" gives more than 512 MB, and may never end: save a part of it in a file, and give the file\n" || n > 520<<20 || memory > 2<<30 {
		t.Errorf("%+v: %d MB were read, with %d MB of memory", r, n>>20, memory>>20)
	}
}

// A document in a pipe is read as from a file; a bundle must be a file, and the error says so.
func TestPipes(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "# One\n\nA thing.\n"})
	ok(t, "", "bundle", "-o", filepath.Join(dir, "b.seam"), filepath.Join(dir, "a.md"))
	for name, want := range map[string]string{"a.md": "A thing.", "b.seam": "a bundle cannot be read from stdin or a pipe: give its file name"} {
		pipe := filepath.Join(dir, "pipe-"+name[:1])
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		go os.WriteFile(pipe, b, 0)
		if r := run(t, "", "chunk", pipe); !strings.Contains(r.out+r.err, want) || (r.status == 0) != (name == "a.md") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
