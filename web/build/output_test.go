package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"

	"seam/web/policy"
)

// Every form of a file must inflate to the file. Uncompressed programs and files of an
// earlier build must be absent.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".gitkeep", "old.js"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	body := []byte(strings.Repeat("what is repeated is compressed ", 500))
	files := []file{hashed("engine.wasm", engine, body), {"app-1.js", page, body}, {"sample.pdf", other, body}}
	o := output{dir: dir, cache: t.TempDir()}
	for range 2 { // the second time from the cache
		m, err := o.write(files, func(m manifest) ([]file, error) { return []file{{"sealed/last.js", worker, []byte(m[0].File)}}, nil })
		if err != nil {
			t.Fatal(err)
		}
		if last := m[len(m)-1]; last.File != "sealed/last.js" || last.SHA384 != integrityOf([]byte(files[0].name)) {
			t.Errorf("last %+v", last)
		}
		if m[0].Brotli == 0 || m[0].Brotli >= len(body) || m[2].Gzip != 0 {
			t.Errorf("sizes %+v", m)
		}
		want := []string{".gitkeep", "app-1.js", "app-1.js.br", "app-1.js.gz", files[0].name + ".br", files[0].name + ".gz", "manifest.json", "sample.pdf", "sealed"}
		if got := names(t, dir); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("files %v, want %v", got, want)
		}
		br := contents(t, brotli.NewReader(open(t, dir, files[0].name+".br")))
		gz, err := gzip.NewReader(open(t, dir, files[0].name+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		packed := contents(t, open(t, dir, files[0].name+".gz"))
		if m[0].SHA384 != integrityOf(body) || m[0].GzipSHA384 != integrityOf(packed) || m[0].SHA384 == m[0].GzipSHA384 {
			t.Errorf("hashes %+v", m[0])
		}
		if !bytes.Equal(br, body) || !bytes.Equal(contents(t, gz), body) {
			t.Error("a compressed form holds something else")
		}
	}
}

// A name changes with the content only. The site's server takes a dash and eight or more
// letters for a name that may be cached forever. Two files with the same content,
// compressed at the same time, must not remove each other's cache file: the worker is there
// twice.
func TestCompressOfTwins(t *testing.T) {
	for range 20 {
		o := output{cache: t.TempDir()}
		body := bytes.Repeat([]byte("the same content "), 100)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if _, err := o.compress(body, gzipped); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
}

func TestHashedNames(t *testing.T) {
	a, b := hashed("x.js", page, []byte("a")), hashed("x.js", page, []byte("b"))
	if a.name == b.name || a.name != hashed("x.js", page, []byte("a")).name {
		t.Errorf("names %s and %s", a.name, b.name)
	}
	if more := hashed("x.js", page, []byte("a"), "policy"); more.name == a.name {
		t.Error("what else a file depends on does not change its name")
	}
	if !strings.HasPrefix(a.name, "x-") || len(a.name) < len("x-12345678.js") {
		t.Errorf("name %s", a.name)
	}
}

// The page names every file with its hash, from either entry.
func TestIndex(t *testing.T) {
	files := []file{{"app-1.js", page, []byte("code")}, {"style-1.css", page, []byte("look")}}
	const index = `<link href="{{css}}" integrity="{{css-integrity}}"><script src="{{app}}" integrity="{{app-integrity}}">`
	html, err := fillIn(index, "../", "", "", entry{"app-1.js", "style-1.css"}, "icon.svg", files)
	if want := `<link href="../style-1.css" integrity="` + integrityOf([]byte("look")) + `"><script src="../app-1.js" integrity="` +
		integrityOf([]byte("code")) + `">`; err != nil || string(html) != want {
		t.Errorf("%s, %v", html, err)
	}
	if _, err := fillIn(index, "./", "", "", entry{"other.js", "style-1.css"}, "icon.svg", files); err == nil {
		t.Error("a script without a hash passes")
	}
}

// The page names its proxy if it is built for one, and otherwise has no line for it.
func TestIndexNamesProxy(t *testing.T) {
	for proxy, want := range map[string]string{"": "a\nb\n", "https://p.example": "a\n<meta name=\"seam-proxy\" content=\"https://p.example\">\nb\n"} {
		if html, err := fillIn("a\n{{proxy}}\nb\n", "./", proxy, "", entry{}, "", nil); err != nil || string(html) != want {
			t.Errorf("%q: %q, %v", proxy, html, err)
		}
	}
}

// Only the open entry may reach a proxy, not the sealed one.
func TestServiceWorkerBinds(t *testing.T) {
	const proxy = "https://p.example"
	open, sealed := bind(policy.Open(proxy), proxy), bind(policy.Sealed(func(...string) string { return "x" }), "")
	if b, _ := json.Marshal(open); !strings.Contains(open.Policy, "connect-src 'self' https://p.example wss://p.example;") || !strings.Contains(string(b), `(response-origin \"https://p.example\")`) {
		t.Errorf("%s", b)
	}
	if b, _ := json.Marshal(sealed); strings.Contains(string(b), "p.example") || !strings.Contains(string(b), `"(response-origin)"`) {
		t.Errorf("%s", b)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func open(t *testing.T, dir, name string) io.Reader {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b)
}

func contents(t *testing.T, r io.Reader) []byte {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
