package process

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

// idsOf returns the ids of the points that seam chunk writes for a database, in dir.
func idsOf(t *testing.T, dir string, args ...string) (ids []string) {
	t.Helper()
	r := runIn(t, dir, nil, append([]string{"chunk", "--format", "qdrant", "--method", "sections"}, args...)...)
	if r.status != 0 {
		t.Fatalf("%q: %+v", args, r)
	}
	for _, p := range lineByLine[struct {
		ID      string
		Payload struct{ Document, ID, Chunk string }
	}](t, r.out) {
		if p.Payload.Document == "" || p.Payload.Chunk != p.Payload.ID {
			t.Errorf("%q: %+v", args, p)
		}
		ids = append(ids, p.ID)
	}
	return ids
}

// A document has the same ids under each of its names. Files of the same name in two folders
// have different ids, in any order of the folders.
func TestIDsRestOnCleanedPaths(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "# One\n\nA thing.\n\n# Two\n\nAnother.", "docs/x.md": "# X\n\nA thing of x.", "docs/deep/y.md": "# Y\n\nA thing of y.", "more/x.md": "# X\n\nA thing of x."})
	want := idsOf(t, dir, "a.md")
	for _, name := range []string{"./a.md", filepath.Join(dir, "a.md"), "docs/../a.md", "*.md", "./*.md", filepath.Join(dir, "?.md")} {
		if got := idsOf(t, dir, name); len(want) != 2 || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	want = idsOf(t, dir, "docs")
	for _, args := range [][]string{{"docs/"}, {"./docs"}, {filepath.Join(dir, "docs")}, {"--root", "docs", "docs/deep", "docs/x.md"}} {
		if got := idsOf(t, dir, args...); len(want) != 2 || !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
	if got := idsOf(t, filepath.Join(dir, "docs"), "deep/y.md", "x.md"); !slices.Equal(got, want) {
		t.Errorf("in the folder: %q, want %q", got, want)
	}
	one, other := idsOf(t, dir, "docs", "more"), idsOf(t, dir, "more", "docs")
	if slices.Sort(one); len(one) != 3 || len(slices.Compact(slices.Clone(one))) != 3 {
		t.Errorf("%q", one)
	}
	if slices.Sort(other); !slices.Equal(one, other) {
		t.Errorf("another order: %q, want %q", other, one)
	}
	if !slices.Contains(one, idsOf(t, dir, "docs")[0]) {
		t.Error("a file whose name only one folder has got another id")
	}
	if r := runIn(t, dir, nil, "chunk", "--root", "docs", "a.md"); r.status != 2 || !strings.Contains(r.err, "a.md is not below --root docs") {
		t.Errorf("%+v", r)
	}
}

// A bundle keeps the names that ids rest on.
func TestIDsOfABundle(t *testing.T) {
	dir := tree(t, map[string]string{"docs/x.md": "# X\n\nA thing of x.", "docs/deep/y.md": "# Y\n\nA thing of y."})
	if r := runIn(t, dir, nil, "bundle", "--method", "sections", "-o", "b.seam", "./docs"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	if got, want := idsOf(t, dir, "b.seam"), idsOf(t, dir, "docs"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A document pushed under any of its names is one document. A document that an earlier version pushed
// under the name from the command line is moved, once.
func TestPushMovesEarlierNames(t *testing.T) {
	server, _ := enginetest.Postgres(t)
	to, dir := server+"lasting", tree(t, map[string]string{"docs/a.md": "# One\n\nA thing.\n\n# Two\n\nAnother.", "docs/b.md": "# B\n\nA third.", "same/a.md": "# One\n\nA thing.\n\n# Two\n\nAnother."})
	pushes := func(args ...string) (pushed, string) {
		t.Helper()
		r := runIn(t, dir, nil, append([]string{"push", "--to", to, "--method", "sections", "--json"}, args...)...)
		var p pushed
		if err := json.Unmarshal([]byte(r.out), &p); r.status != 0 || err != nil {
			t.Fatalf("%q: %+v", args, r)
		}
		return p, r.err
	}
	if p, _ := pushes("docs"); p.New != 3 {
		t.Fatalf("%+v", p)
	}
	for _, name := range []string{"./docs", "docs/", filepath.Join(dir, "docs")} {
		if p, said := pushes(name); p.Same != 3 || p.New+p.Changed+p.Removed != 0 || said != "" {
			t.Errorf("%s: %+v, %q", name, p, said)
		}
	}
	// The names of an earlier version.
	e := collection(t, to)
	old := map[string]string{"a.md": "./docs/a.md", "b.md": "docs/b.md"}
	renamed(t, e, old)
	if r := runIn(t, dir, nil, "push", "--to", to, "--method", "sections", "--dry-run", "docs"); r.status != 0 || !strings.Contains(r.err, "2 documents to be moved from an earlier name") || strings.Contains(r.err, "--prune") {
		t.Errorf("%+v", r)
	}
	p, said := pushes("docs")
	if p.New != 3 || p.Removed != 3 || !strings.HasPrefix(said, "seam: 2 documents moved from an earlier name: ") || strings.Count(said, "\n") != 1 {
		t.Errorf("%+v, %q", p, said)
	}
	docs, err := e.Documents(t.Context())
	if n, failed := e.Count(t.Context()); err != nil || failed != nil || n != 3 || len(docs) != 2 || docs[0].File != "a.md" || docs[1].File != "b.md" {
		t.Errorf("%d chunks, %v, %v, %v", n, docs, err, failed)
	}
	if p, said := pushes("docs"); p.Same != 3 || p.New+p.Removed != 0 || said != "" {
		t.Errorf("again: %+v, %q", p, said)
	}
	// The same text under another name is another document.
	if p, said := pushes("--root", ".", "same"); p.New != 2 || p.Removed != 0 || said != "" {
		t.Errorf("%+v, %q", p, said)
	}
}

// The output of a file does not depend on the files beside it. With --prune, the outputs of
// files that are gone go, and no other file does.
func TestPrune(t *testing.T) {
	dir := tree(t, map[string]string{"in/a.txt": "One thing.", "in/b.md": "Another.", "in/c.txt": "A third.", "out/mine.jsonl": "mine"})
	again := func(args ...string) string {
		t.Helper()
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "jsonl", "-o", "out/", "--manifest", "done.jsonl", "in"}, args...)...)
		if r.status != 0 {
			t.Fatalf("%+v", r)
		}
		return r.err
	}
	again()
	for _, name := range []string{"a.txt", "b.md", "c.txt"} {
		os.Remove(filepath.Join(dir, "in", name))
	}
	os.WriteFile(filepath.Join(dir, "in/a.pdf"), []byte(readFile(t, pdf(t))), 0o644)
	os.WriteFile(filepath.Join(dir, "out/c.txt.jsonl"), []byte("changed by hand"), 0o644)
	again()
	if got, want := written(t, filepath.Join(dir, "out")), []string{"a.pdf.jsonl", "a.txt.jsonl", "b.md.jsonl", "c.txt.jsonl", "mine.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if said := again("--prune"); !strings.Contains(said, "seam: removed 2 outputs") || !strings.Contains(said, "c.txt.jsonl was changed by another program") {
		t.Errorf("%q", said)
	}
	if got, want := written(t, filepath.Join(dir, "out")), []string{"a.pdf.jsonl", "c.txt.jsonl", "mine.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "out/.a.txt*")); left != nil {
		t.Errorf("settings are left: %q", left)
	}
	if lines := manifestOf(t, filepath.Join(dir, "done.jsonl")); len(lines) != 1 || lines[0].File != "in/a.pdf" {
		t.Errorf("%+v", lines)
	}
	if r := runIn(t, dir, nil, "chunk", "--prune", "in"); r.status != 2 || !strings.Contains(r.err, "--prune needs --manifest") {
		t.Errorf("%+v", r)
	}
}

// A manifest of an earlier version, with its names of files and outputs, is continued: the
// earlier outputs go when the new ones are there.
func TestManifestOfAnEarlierVersion(t *testing.T) {
	dir := tree(t, map[string]string{"in/a.txt": "One thing.", "out/a.jsonl": "old\n", "out/.a.jsonl.settings": "{}", "out/mine.jsonl": "mine",
		"done.jsonl": `{"file":"./in/a.txt","size":10,"modified":"2024-01-01T00:00:00Z","plan":"x","out":"a.jsonl","bytes":4,"chunks":1}` + "\n"})
	r := runIn(t, dir, nil, "chunk", "--format", "jsonl", "-o", "out/", "--manifest", "done.jsonl", "in")
	if r.status != 0 {
		t.Fatalf("%+v", r)
	}
	if got, want := written(t, filepath.Join(dir, "out")), []string{"a.txt.jsonl", "mine.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if lines := manifestOf(t, filepath.Join(dir, "done.jsonl")); len(lines) != 1 || lines[0].Out != "a.txt.jsonl" {
		t.Errorf("%+v", lines)
	}
}

// renamed gives documents of a collection the names that an earlier version gave them.
func renamed(t *testing.T, e remote.Engine, names map[string]string) {
	t.Helper()
	for now, old := range names {
		hits, err := e.Search(t.Context(), remote.Query{Text: "thing another third one two", K: 100, Mode: remote.Keyword, Filter: remote.Filter{File: now}})
		if err != nil || len(hits) == 0 {
			t.Fatalf("%s: %d hits, %v", now, len(hits), err)
		}
		var chunks []remote.Chunk
		for _, h := range hits {
			h.Record.File = old
			chunks = append(chunks, remote.ChunkOf(h.Record))
		}
		if err := errors.Join(e.Upsert(t.Context(), chunks), e.Delete(t.Context(), now), e.Settle(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
}
