package process

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/web/widget"
)

// request sends a raw request, as a browser or an attacker writes it, and returns the status,
// the header and the body.
func request(t *testing.T, address, method, target, host string) (status int, head http.Header, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, target, host)
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s %s: %v", target, host, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

// servedSite serves a folder until the test ends, and returns its address.
func servedSite(t *testing.T, dir string, args ...string) (address string, stop func() string) {
	t.Helper()
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	t.Setenv("SEAM_CACHE", "off")
	cmd, out, errs := started(t, append([]string{"serve", "--site", dir}, args...)...)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v, %s", err, errs)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(rest, "/")
	return address, func() string {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		return errs.String()
	}
}

// write makes files below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, s := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A served site has the addresses that it has on a static host.
func TestServeSiteAddresses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"index.html": "home", "404.html": "lost", "de/404.html": "verloren", "de/index.html": "zu Hause",
		"guide.html": "guide", "api/index.html": "api", "both.html": "page", "both/index.html": "folder", "a b.html": "blank", "100%.html": "full",
		"plain.txt": "text", "empty/data.json": "{}",
	})
	address, _ := servedSite(t, dir, "--addr", "127.0.0.1:0")
	for _, c := range []struct {
		target string
		status int
		body   string
		to     string
	}{
		{"/", 200, "home", ""},
		{"/index.html", 200, "home", ""},
		{"/guide", 200, "guide", ""},
		{"/guide?q=1", 200, "guide", ""},
		{"/guide.html", 200, "guide", ""},
		{"/guide/", 301, "", "../guide"},
		{"/api", 301, "", "./api/"},
		{"/api?q=1", 301, "", "./api/?q=1"},
		{"/api/", 200, "api", ""},
		{"/both", 200, "page", ""},
		{"/both/", 200, "folder", ""},
		{"/a%20b", 200, "blank", ""},
		{"/a%20b/", 301, "", "../a%20b"},
		{"/100%25", 200, "full", ""},
		{"/plain.txt", 200, "text", ""},
		{"/none", 404, "lost", ""},
		{"/guide/none", 404, "lost", ""},
		{"/de/none/deep", 404, "verloren", ""},
		{"/empty/", 404, "lost", ""},
		{"/empty", 404, "lost", ""},
		{"/%00", 404, "lost", ""},
		{"//evil.example/none", 307, "", "/evil.example/none"},
		{"/../../guide", 307, "", "/guide"},
	} {
		status, head, body := request(t, address, "GET", c.target, address)
		if status != c.status || c.to == "" && body != c.body || head.Get("Location") != c.to {
			t.Errorf("%s: %d, %q, to %q", c.target, status, body, head.Get("Location"))
		}
		if status == 404 && head.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %s", c.target, head.Get("Content-Type"))
		}
	}
	if status, _, body := request(t, address, "HEAD", "/none", address); status != 404 || body != "" {
		t.Errorf("HEAD: %d, %q", status, body)
	}
	if status, head, _ := request(t, address, "POST", "/guide", address); status != 405 || head.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d", status)
	}
	// The generator replaces the folder.
	if err := os.Rename(dir, dir+"-old"); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"index.html": "new home"})
	if status, _, body := request(t, address, "GET", "/", address); status != 200 || body != "new home" {
		t.Errorf("built again: %d, %q", status, body)
	}
	if status, _, body := request(t, address, "GET", "/none", address); status != 404 || body != "404 page not found\n" {
		t.Errorf("without a page of its own: %d, %q", status, body)
	}
}

// Links out of the folder are neither served nor in the index; links inside it are followed.
func TestServeSiteLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"secret.html": "<title>Secret</title><main><p>The kingfisher is outside.</p></main>"})
	write(t, dir, map[string]string{"index.html": "<title>Home</title><main><p>The heron is inside.</p></main>", "v2/guide.html": "guide"})
	for name, to := range map[string]string{"secret.html": filepath.Join(outside, "secret.html"), "out": outside, "latest": "v2", "home.html": "index.html", "up": "../" + filepath.Base(outside)} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	address, stop := servedSite(t, dir, "--addr", "127.0.0.1:0")
	for target, want := range map[string]int{"/secret.html": 404, "/secret": 404, "/out/secret.html": 404, "/up/secret.html": 404, "/out/": 404,
		"/latest/guide": 200, "/home.html": 200, "/%2e%2e/" + filepath.Base(outside) + "/secret.html": 404} {
		if status, _, body := request(t, address, "GET", target, address); status != want || strings.Contains(body, "kingfisher") {
			t.Errorf("%s: %d, %s", target, status, body)
		}
	}
	status, _, entry := request(t, address, "GET", "/seam/seam.json", address)
	if status != 200 || !strings.Contains(entry, `"pages": 3`) {
		t.Errorf("%d, %s", status, entry)
	}
	if said := stop(); strings.Count(said, "links that lead out of the folder of the site") != 1 {
		t.Errorf("%s", said)
	}
}

// Only names of this machine and of the configured sites are answered, so that no other site
// reads the pages through a name of its own that leads here.
func TestServeSiteHosts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"index.html": "home"})
	address, _ := servedSite(t, dir, "--addr", "127.0.0.1:0")
	_, port, _ := net.SplitHostPort(address)
	for host, want := range map[string]int{
		address: 200, "localhost:" + port: 200, "LOCALHOST": 200, "127.0.0.1": 200, "[::1]:" + port: 200, "docs.localhost:9000": 200,
		"evil.example": 421, "evil.example:" + port: 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "192.0.2.1:" + port: 421, "": 421,
	} {
		for _, target := range []string{"/", "/none", "/seam/seam.json"} {
			want := want
			if want == 200 && target == "/none" {
				want = 404
			}
			if status, _, body := request(t, address, "GET", target, host); status != want || want == 421 && !strings.Contains(body, "--origin") {
				t.Errorf("%s of %q: %d, %s", target, host, status, body)
			}
		}
	}
	named, _ := servedSite(t, dir, "--addr", "127.0.0.1:0", "--origin", "https://docs.example.org")
	if status, _, body := request(t, named, "GET", "/", "docs.example.org"); status != 200 || body != "home" {
		t.Errorf("the site of --origin: %d, %s", status, body)
	}
	if status, _, _ := request(t, named, "GET", "/", "evil.example"); status != 421 {
		t.Errorf("another site: %d", status)
	}
	open, _ := servedSite(t, dir, "--addr", "0.0.0.0:0")
	_, port, _ = net.SplitHostPort(open)
	for host, want := range map[string]int{"127.0.0.1:" + port: 200, "evil.example:" + port: 421} {
		if status, _, _ := request(t, "127.0.0.1:"+port, "GET", "/", host); status != want {
			t.Errorf("%s on all addresses: %d", host, status)
		}
	}
}

// The index of a served site is read by range.
func TestServeSiteRanges(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"index.html": "<html lang=en><main><h1>Looms</h1><p>A loom."})
	address, _ := servedSite(t, dir, "--addr", "127.0.0.1:0")
	r, err := http.NewRequest("GET", "http://"+address+"/seam/seam.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Range", "bytes=0-9")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusPartialContent || len(b) != 10 {
		t.Errorf("status %d, %q, %v", resp.StatusCode, b, err)
	}
}
