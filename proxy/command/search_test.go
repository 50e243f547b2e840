package command

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/text"
)

// Every format of the table has a reader here. Folders are read by the same table as in the
// page.
func TestWhatIsReadHere(t *testing.T) {
	for _, f := range files.Formats {
		if f.Room != "" && f.Read == nil {
			t.Errorf("nothing reads %s", f.Name)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"a.pdf", "b.MD", "c.rst", "sub/d.log", "e.xlsx", ".f.txt", "g"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var told strings.Builder
	found, err := (files.FolderOptions{}).InputsOf(terminal.IO{Err: &told}, []string{dir, "named.xlsx"})
	var files []string
	for _, in := range found {
		files = append(files, filepath.ToSlash(strings.TrimPrefix(in.Name, dir+string(filepath.Separator))))
	}
	if want := "seam: " + dir + ": skipped 2 files seam cannot read (.xlsx), 1 hidden file (--hidden)\n"; told.String() != want {
		t.Errorf("it says %q, want %q", told.String(), want)
	}
	if want := []string{"a.pdf", "b.MD", "c.rst", "sub/d.log", "named.xlsx"}; err != nil || !reflect.DeepEqual(files, want) {
		t.Errorf("%q, %v; want %q", files, err, want)
	}
}

// A search holds all of its documents, so each one raises the memory limit. Commands that
// read one file after another count only the largest.
func TestMemoryOfManyDocuments(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	before := files.Limit.Held
	defer func() { files.Limit.Held = before }()
	d := text.NewPlain(strings.Repeat("The wind blows. ", 1<<16))
	files.LimitMemory(1 << 20)
	first := debug.SetMemoryLimit(-1)
	for range 100 {
		files.HoldMemory(d)
		files.LimitMemory(1 << 20)
	}
	if more := debug.SetMemoryLimit(-1) - first; more != 100*files.PerByte<<20 {
		t.Errorf("100 documents of 1 MB raise the limit by %d MB", more>>20)
	}
}

// Options that do not apply to the index of a site are refused, not silently ignored.
func TestSearchOfAnIndexTakesNoFilters(t *testing.T) {
	for option, c := range map[string]searchCommand{
		"--pages": {Pages: "3-4"}, "--section": {Section: "Install"}, "--type": {Type: []string{"pdf"}}, "--meta": {Meta: map[string]string{"a": "b"}},
		"--enriched": {Enriched: []string{"x.jsonl"}}, "--diversity": {Diversity: .5},
		"--embedder": {ChunkOptions: cut.ChunkOptions{EmbedderOptions: cut.EmbedderOptions{Embedder: "meaning"}}}, "--method": {ChunkOptions: cut.ChunkOptions{Method: "fixed"}},
	} {
		c.Index, c.Args, c.K = t.TempDir(), []string{"log"}, 1
		var usage terminal.UsageError
		if err := c.runIndex(terminal.IO{}); !errors.As(err, &usage) || !strings.Contains(err.Error(), option) {
			t.Errorf("%s: %v", option, err)
		}
	}
}
