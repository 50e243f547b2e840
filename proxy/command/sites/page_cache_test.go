package sites

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/proxy/filecache"
)

// indexedWith makes the index of a site with a cache folder. It returns the files and the
// pages that were not cached.
func indexedWith(t *testing.T, cache string, c IndexCommand) (written map[string][]byte, anew []string) {
	t.Helper()
	x, err := NewIndexer(c)
	if err != nil {
		t.Fatal(err)
	}
	k := &files.FileCache{Store: filecache.Open(cache, filecache.DefaultLimit)}
	if err := x.keep(k); err != nil {
		t.Fatal(err)
	}
	names, err := x.pages()
	if err != nil {
		t.Fatal(err)
	}
	var report indexReport
	report.Left, report.Titles = map[string]string{}, map[string][]string{}
	if _, _, err := x.read(names, &report, terminal.NewMeter(t.Context(), terminal.IO{Err: io.Discard}, "")); err != nil {
		t.Fatal(err)
	}
	for name, page := range x.Known {
		if !page.kept && page.sum != [32]byte{} {
			anew = append(anew, name)
		}
	}
	if written, _, err = x.Make(t.Context(), terminal.IO{Err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	if err := k.Store.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(anew)
	return written, anew
}

// A cached page is reused for the same bytes and options. If entries are lost or damaged,
// the index is still the same to the byte.
func TestPagesAreKept(t *testing.T) {
	site, cache := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	if err := os.CopyFS(site, os.DirFS("../../../shared/site/testdata/site")); err != nil {
		t.Fatal(err)
	}
	c := IndexCommand{Site: site, Out: filepath.Join(site, "seam"), LLMs: true}
	first, all := indexedWith(t, cache, c)
	if len(all) < 5 {
		t.Fatalf("only %q", all)
	}
	check := func(what string, c IndexCommand, want []string) {
		t.Helper()
		files, anew := indexedWith(t, cache, c)
		if !slices.Equal(anew, want) {
			t.Errorf("%s: %q were made anew, not %q", what, anew, want)
		}
		if len(c.Body) == 0 && !maps.EqualFunc(files, first, bytes.Equal) {
			t.Errorf("%s: another index", what)
		}
	}
	check("again", c, nil)
	other := c
	other.Body = []string{"body"}
	check("by other options", other, all)
	check("by the first ones", c, nil)

	entries, err := filepath.Glob(filepath.Join(cache, "*.seam"))
	if err != nil || len(entries) != 2*len(all) {
		t.Fatal(entries, err)
	}
	for _, damage := range []func(b []byte) []byte{
		func(b []byte) []byte { return nil },
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		func(b []byte) []byte { b[0] ^= 1; return b },
	} {
		for _, name := range entries {
			b, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(name, damage(b), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		check("damaged", c, all)
		check("by other options", other, all)
	}

	page := filepath.Join(site, filepath.FromSlash(all[0]))
	b, err := os.ReadFile(page)
	if err == nil {
		err = os.WriteFile(page, append(b, "<!-- more -->"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	check("one page has changed", c, all[:1])
}

// A page whose encoding is not clear must be left out with the flag that reads it. The flag
// must make other cache entries.
func TestEncodingOfPages(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.html"), []byte("<title>x</title><p>\xe0\xe1"), 0o600); err != nil {
		t.Fatal(err)
	}
	options := map[string]bool{}
	for encoding, want := range map[string]string{"": "", "windows-1251": "аб", "koi8-r": "ЮА"} {
		x, err := NewIndexer(IndexCommand{Site: dir, Out: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		x.encoded(terminal.IO{Encoding: encoding})
		if err := x.keep(&files.FileCache{Store: filecache.Open(t.TempDir(), filecache.DefaultLimit)}); err != nil {
			t.Fatal(err)
		}
		options[x.options] = true
		switch k := x.readPage("a.html", nil); {
		case want == "" && (k.Page != nil || !strings.Contains(k.Why, "with --encoding")):
			t.Errorf("%+v", k)
		case want != "" && (k.Page == nil || k.Page.Text != want):
			t.Errorf("%s: %+v", encoding, k)
		}
	}
	if len(options) != 3 {
		t.Errorf("%d cache keys for 3 encodings", len(options))
	}
}
