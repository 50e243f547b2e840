package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

type manifestLine struct {
	File, Out, Error string
	Chunks           int
	Bytes            int64
	Notes            []string
}

// manifestOf returns the lines of a complete manifest.
func manifestOf(t *testing.T, name string) (lines []manifestLine) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var l manifestLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q: %v", line, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// A manifest may not replace the output or an input.
func TestManifestInTheWay(t *testing.T) {
	dir := tree(t, map[string]string{"in/done.md": "# A\n\nOne thing.", "in/b.md": "# B\n\nAnother.", "in/empty.md": ""})
	if err := os.Mkdir(filepath.Join(dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	for manifest, says := range map[string]string{"out/done.md.jsonl": "is also the output of in/done.md", "out/../out/b.md.jsonl": "is also the output of in/b.md", "in/empty.md": "is also an input"} {
		r := runIn(t, dir, nil, "chunk", "--format", "jsonl", "-o", "out/", "--manifest", manifest, "in")
		if r.status != 2 || !strings.Contains(r.err, says) {
			t.Errorf("%s: %+v", manifest, r)
		}
	}
	if left := written(t, dir); !slices.Equal(left, []string{"in/b.md", "in/done.md", "in/empty.md"}) {
		t.Errorf("%q", left)
	}
}

// The manifest has the notes of a document.
func TestManifestNotes(t *testing.T) {
	dir := tree(t, map[string]string{"in/a.csv": strings.Join(paragraphs, "\n\n")})
	r := runIn(t, dir, nil, "chunk", "--format", "jsonl", "-o", "out/", "--manifest", "done.jsonl", "in/a.csv")
	lines := manifestOf(t, filepath.Join(dir, "done.jsonl"))
	if r.status != 0 || len(lines) != 1 || len(lines[0].Notes) != 1 || !strings.Contains(lines[0].Notes[0], "rows and columns") {
		t.Errorf("%+v, %+v", r, lines)
	}
}

// A run with a manifest does only the rest of the run before.
func TestManifest(t *testing.T) {
	essay := strings.Join(paragraphs, "\n\n")
	dir := tree(t, map[string]string{"in/a.txt": essay, "in/b.md": essay, "in/deep/c.txt": essay, "in/d.txt": essay, "in/bad.pdf": "no PDF at all"})
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	// again runs seam, and returns the files of out/ that were written.
	again := func(args ...string) (result, []string) {
		t.Helper()
		for _, name := range written(t, dir) {
			if strings.HasPrefix(name, "out/") {
				os.Chtimes(filepath.Join(dir, name), long, long)
			}
		}
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "jsonl", "-o", "out/", "--manifest", "done.jsonl", "in"}, args...)...)
		var made []string
		for _, name := range written(t, filepath.Join(dir, "out")) {
			if info, err := os.Stat(filepath.Join(dir, "out", name)); err == nil && info.ModTime().After(long) {
				made = append(made, name)
			}
		}
		return r, made
	}
	bad := "seam: in/bad.pdf: not a pdf file"
	before := " already done and unchanged\n"
	for _, step := range []struct {
		what string
		do   func()
		args []string
		made []string
		says []string // on stderr
	}{
		{"at first", func() {}, nil, []string{"a.txt.jsonl", "b.md.jsonl", "d.txt.jsonl", "deep/c.txt.jsonl"}, []string{bad}},
		{"again", func() {}, nil, nil, []string{bad, "seam: 4 of 5 files" + before}},
		{"a file has changed", func() { os.WriteFile(filepath.Join(dir, "in/b.md"), []byte(essay[1:]), 0o644) }, nil, []string{"b.md.jsonl"}, []string{bad, "3 of 5"}},
		{"what was made has gone", func() { os.Remove(filepath.Join(dir, "out/deep/c.txt.jsonl")) }, nil, []string{"deep/c.txt.jsonl"}, []string{bad, "3 of 5"}},
		{"what was made is torn", func() { os.Truncate(filepath.Join(dir, "out/a.txt.jsonl"), 5) }, nil, []string{"a.txt.jsonl"}, []string{bad, "3 of 5"}},
		{"other options", func() {}, []string{"--max-tokens", "20"}, []string{"a.txt.jsonl", "b.md.jsonl", "d.txt.jsonl", "deep/c.txt.jsonl"}, []string{bad}},
		{"what failed is mended", func() { os.WriteFile(filepath.Join(dir, "in/bad.pdf"), []byte(readFile(t, pdf(t))), 0o644) }, []string{"--max-tokens", "20"}, []string{"bad.pdf.jsonl"}, []string{"4 of 5"}},
		{"a run was killed in a line", func() {
			f, _ := os.OpenFile(filepath.Join(dir, "done.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
			f.WriteString(`{"file":"in/a.t`)
			f.Close()
		}, []string{"--max-tokens", "20"}, nil, []string{"5 of 5"}},
		{"another file beside it", func() { os.WriteFile(filepath.Join(dir, "in/d.md"), []byte(essay), 0o644) }, []string{"--max-tokens", "20"}, []string{"d.md.jsonl"}, []string{"5 of 6"}},
	} {
		step.do()
		r, made := again(step.args...)
		wantStatus := 0
		if step.says[0] == bad {
			wantStatus = 1
		}
		if r.status != wantStatus || r.out != "" || !slices.Equal(made, step.made) || len(step.says) != strings.Count(r.err, "\n") {
			t.Errorf("%s: %q was written, want %q: %+v", step.what, made, step.made, r)
		}
		for _, s := range step.says {
			if !strings.Contains(r.err, s) {
				t.Errorf("%s: %q, want %q", step.what, r.err, s)
			}
		}
	}
	if got, want := written(t, filepath.Join(dir, "out")), []string{"a.txt.jsonl", "b.md.jsonl", "bad.pdf.jsonl", "d.md.jsonl", "d.txt.jsonl", "deep/c.txt.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	lines := manifestOf(t, filepath.Join(dir, "done.jsonl"))
	if len(lines) != 6 {
		t.Errorf("%d lines for 6 files", len(lines))
	}
	for _, l := range lines {
		if l.Error != "" {
			t.Errorf("%+v", l)
		}
		b, err := os.ReadFile(filepath.Join(dir, "out", l.Out))
		if err != nil || int64(len(b)) != l.Bytes || l.Chunks != strings.Count(string(b), "\n") {
			t.Errorf("%+v: %d bytes, %v", l, len(b), err)
		}
	}
}

// A later run removes the unfinished files of a killed one, once they are old enough to be
// abandoned.
func TestManifestCleansUp(t *testing.T) {
	dir := tree(t, map[string]string{"in/deep/a.txt": "One thing.", "out/deep/.seam-1-0": "to", "out/deep/.seam-2-0": "torn", "out/deep/.mine": "mine"})
	args := []string{"chunk", "-o", "out/", "--manifest", "done.jsonl", "in"}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{".seam-1-0", ".mine"} {
		if err := os.Chtimes(filepath.Join(dir, "out/deep", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if r := runIn(t, dir, nil, args...); r.status != 0 {
			t.Fatalf("%+v", r)
		}
	}
	if got, want := written(t, filepath.Join(dir, "out", "deep")), []string{".mine", ".seam-2-0", "a.txt.txt"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestManifestThatIsRefused(t *testing.T) {
	dir := tree(t, map[string]string{"a.txt": "One thing.", "mine.jsonl": `{"question":"?"}` + "\n", "text": "One thing.\n"})
	for _, args := range [][]string{
		{"--manifest", "done.jsonl", "a.txt"},
		{"--manifest", "done.jsonl", "-o", "all.jsonl", "a.txt"},
		{"--manifest", "mine.jsonl", "-o", "out/", "a.txt"},
		{"--manifest", "text", "-o", "out/", "a.txt"},
		{"--manifest", "done.jsonl", "--lines", "a.txt"},
	} {
		if r := runIn(t, dir, nil, append([]string{"chunk"}, args...)...); r.status != 2 || !strings.Contains(r.err, "--manifest") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if got := readFile(t, filepath.Join(dir, "mine.jsonl")) + readFile(t, filepath.Join(dir, "text")); got != `{"question":"?"}`+"\nOne thing.\n" {
		t.Errorf("%q", got)
	}
}

// Output to a folder prints nothing to stdout.
func TestRowsInAFolder(t *testing.T) {
	dir := tree(t, map[string]string{"a.txt": "One thing."})
	if r := runIn(t, dir, nil, "chunk", "--format", "csv", "-o", "out/", "a.txt"); r.status != 0 || r.out != "" || !strings.HasPrefix(readFile(t, filepath.Join(dir, "out", "a.txt.csv")), "file,id") {
		t.Errorf("%+v", r)
	}
}
