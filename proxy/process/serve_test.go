package process

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seam/shared/site/shards"
	"seam/web/widget"
)

// The page is served on a free port until the signal.
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
	// Using the same port again is an error that suggests a way out.
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

// A built site is served with a search of its current pages.
func TestServeSite(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	dir := t.TempDir()
	looms(t, dir, "shuttle", "heddle")
	cmd, out, errs := started(t, "serve", "--addr", "127.0.0.1:0", "--site", dir)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v, %s", err, errs)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, "/")
	get := func(path string, status int) []byte {
		t.Helper()
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != status {
			t.Fatalf("%s: %d, %v, %s", path, resp.StatusCode, err, b)
		}
		return b
	}
	// titles returns the titles found by a search over HTTP, as a widget reads it.
	titles := func(query string) (titles []string) {
		t.Helper()
		entry, err := shards.ReadEntry(get("/seam/seam.json", 200))
		if err != nil || entry.Root != "../" {
			t.Fatalf("%+v, %v", entry, err)
		}
		x, err := shards.Open(func(name string) ([]byte, error) { return get("/seam/"+name, 200), nil }, entry.Indexes[0].Meta)
		if err != nil {
			t.Fatal(err)
		}
		found, err := x.Search(shards.Query{Text: query})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			s, err := x.Show(found, h.Chunks[0])
			if err != nil {
				t.Fatal(err)
			}
			titles = append(titles, s.Title)
		}
		return titles
	}
	if b := get("/shuttle.html", 200); !strings.Contains(string(b), "A loom has a shuttle") {
		t.Errorf("%s", b)
	}
	get("/seam/widget.js", 200)
	get("/seam/none.bin", 404)
	if got := titles("heddle"); !slices.Equal(got, []string{"The heddle"}) {
		t.Errorf("found %q", got)
	}
	before, err := shards.ReadEntry(get("/seam/seam.json", 200))
	if err != nil {
		t.Fatal(err)
	}
	looms(t, dir, "treadle")
	if got := titles("treadle"); !slices.Equal(got, []string{"The treadle"}) {
		t.Errorf("found %q after a page was written", got)
	}
	get("/seam/"+before.Indexes[0].Meta, 200) // a page that is open still searches
	for _, word := range []string{"shuttle", "heddle", "treadle"} {
		if err := os.Remove(filepath.Join(dir, word+".html")); err != nil {
			t.Fatal(err)
		}
	}
	if b := get("/seam/seam.json", 503); !strings.Contains(string(b), "build the site first") {
		t.Errorf("%s", b)
	}
	looms(t, dir, "shuttle")
	if got := titles("shuttle"); !slices.Equal(got, []string{"The shuttle"}) {
		t.Errorf("found %q after the site was built again", got)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v, %s", err, errs)
	}
	if r := run(t, "", "serve", "--addr", "127.0.0.1:0", "--site", filepath.Join(dir, "none")); r.status != 1 || !strings.Contains(r.err, "build the site first") {
		t.Errorf("%+v", r)
	}
}

// A site whose seam-index.yaml asks for search by meaning gets it. With the cache off, nothing is
// stored.
func TestServeSiteByMeaning(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("SEAM_CACHE", "off")
	looms(t, dir, "shuttle", "heddle")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("seam-index.yaml", []byte("meaning: true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd, out, errs := started(t, "serve", "--addr", "127.0.0.1:0", "--site", dir)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v, %s", err, errs)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, "/")
	resp, err := http.Get("http://" + address + "/seam/seam.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if entry, err := shards.ReadEntry(b); err != nil || entry.Indexes[0].Meaning == "" {
		t.Errorf("%s, %v", b, err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v, %s", err, errs)
	}
	if kept := filesIn(t, home); len(kept) > 0 {
		t.Errorf("%d files were kept", len(kept))
	}
}
