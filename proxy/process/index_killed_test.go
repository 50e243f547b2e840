package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A killed run of seam index has stored the pages it cut. The next run finds them, and its
// index is the same as from an undisturbed run.
func TestIndexGoesOn(t *testing.T) {
	files := map[string]string{}
	for i := range 240 {
		files[fmt.Sprintf("site/p%03d.html", i)] = fmt.Sprintf("<!doctype html><html lang=en><title>Page %d</title><main><h1>Page %d</h1><p>%s</main>", i, i, strings.Repeat(strings.Join(paragraphs, "<p>")+"<h2>More</h2><p>", 4))
	}
	dir := tree(t, files)
	index := func(out string, env ...string) result {
		return runIn(t, dir, env, "index", "--site", "site", "--out", out)
	}
	if r := index("peace", "SEAM_CACHE=off"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	kept := func() int {
		names, err := filepath.Glob(filepath.Join(dir, "cache", "files", "*.seam"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	state, _ := endedOnTheWay(t, dir, []string{"index", "--site", "site", "--out", "out", "--cache", "cache"}, os.Kill, func() bool { return kept() >= 40 })
	if state.ExitCode() >= 0 || kept() >= 240 {
		t.Fatalf("it was not killed on the way: %d pages are kept", kept())
	}
	if r := index("out", "SEAM_CACHE=cache"); r.status != 0 || r.err != "" || kept() != 240 {
		t.Fatalf("%+v, %d pages are kept", r, kept())
	}
	want := written(t, filepath.Join(dir, "peace"))
	got := written(t, filepath.Join(dir, "out"))
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%q instead of %q", got, want)
	}
	for i, name := range want {
		if got[i] != name || readFile(t, filepath.Join(dir, "out", name)) != readFile(t, filepath.Join(dir, "peace", name)) {
			t.Errorf("%s is another", name)
		}
	}
	if n := kept(); n != 240 {
		t.Errorf("%d pages are kept", n)
	}
}
