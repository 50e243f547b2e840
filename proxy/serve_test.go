package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A page that is served until the signal, on a free port.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>page"), 0o644)
	cmd := exec.Command(seam, "serve", "--addr", "127.0.0.1:0", "--dir", dir)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	out := bufio.NewReader(pipe)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://127.0.0.1:")
	port, _, found := strings.Cut(rest, "/")
	if !found {
		t.Fatalf("no address in %q", line)
	}
	slow, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	io.WriteString(slow, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Get("http://127.0.0.1:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(b) != "<!doctype html>page" || resp.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("%q %v", b, resp.Header)
	}
	// The same port again is an error with a way out.
	if r := run(t, "", "serve", "--addr", "127.0.0.1:"+port, "--dir", dir); r.status != 1 || !strings.Contains(r.err, "is in use") {
		t.Errorf("%+v", r)
	}
	slow.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, slow); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("a body that does not come holds its connection")
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if last, _ := out.ReadString('\n'); last != "stopped\n" {
		t.Errorf("its last words are %q", last)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v", err)
	}
}
