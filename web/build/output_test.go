package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// Every form of a file inflates to the file; raw programs and what an earlier
// build left are not there.
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
		m, err := o.write(files)
		if err != nil {
			t.Fatal(err)
		}
		if m[0].Brotli == 0 || m[0].Brotli >= len(body) || m[2].Gzip != 0 {
			t.Errorf("sizes %+v", m)
		}
		want := []string{".gitkeep", "app-1.js", "app-1.js.br", "app-1.js.gz", files[0].name + ".br", files[0].name + ".gz", "manifest.json", "sample.pdf"}
		if got := names(t, dir); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("files %v, want %v", got, want)
		}
		br := read(t, brotli.NewReader(open(t, dir, files[0].name+".br")))
		gz, err := gzip.NewReader(open(t, dir, files[0].name+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(br, body) || !bytes.Equal(read(t, gz), body) {
			t.Error("a compressed form holds something else")
		}
	}
}

// A name changes with the content and with nothing else; the site's server
// takes a dash and eight or more letters for a name that may be kept for ever.
func TestHashedNames(t *testing.T) {
	a, b := hashed("x.js", page, []byte("a")), hashed("x.js", page, []byte("b"))
	if a.name == b.name || a.name != hashed("x.js", page, []byte("a")).name {
		t.Errorf("names %s and %s", a.name, b.name)
	}
	if !strings.HasPrefix(a.name, "x-") || len(a.name) < len("x-12345678.js") {
		t.Errorf("name %s", a.name)
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

func read(t *testing.T, r io.Reader) []byte {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
