package main

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
)

// Where no option says how to cut, a bundle is cut, searched and bundled again with its
// own settings; one option is enough to cut it as any file.
func TestABundleGoesOnWithItsSettings(t *testing.T) {
	dir, _ := library(t)
	settings := []string{"--method", "recursive", "--tokens", "words", "--max-tokens", "12", "--headers"}
	with := func(head ...string) []string { return append(head, settings...) }
	lines := func(args ...string) string {
		r := runIn(t, dir, nil, args...)
		if r.status != 0 {
			t.Fatalf("seam %q: %+v", args, r)
		}
		return r.out
	}
	lines(with("bundle", "-o", "small.seam", "docs")...)

	want := lines(with("chunk", "--format", "jsonl", "docs")...)
	if got := lines("chunk", "--format", "jsonl", "small.seam"); got != want || len(filesOf(t, got)) != 3 {
		t.Errorf("%.2000s\nwant %.2000s", got, want)
	}
	if got := lines("chunk", "--format", "jsonl", "--method", "semantic", "small.seam"); got != lines("chunk", "--format", "jsonl", "docs") {
		t.Errorf("with another method: %.2000s", got)
	}

	for _, mode := range []string{"keyword", "hybrid"} {
		search := []string{"search", "--json", "--mode", mode, "what drives the stones"}
		of := hitsIn(t, lines(append(with(search...), "docs")...))
		if got := hitsIn(t, lines(append(search, "small.seam")...)); len(got) < 5 || !reflect.DeepEqual(got, of) {
			t.Errorf("%s: %v\nwant %v", mode, got, of)
		}
	}

	lines("bundle", "-o", "again.seam", "small.seam")
	if !sameFile(t, filepath.Join(dir, "small.seam"), filepath.Join(dir, "again.seam")) {
		t.Error("a bundle of a bundle has other settings")
	}
}

// hitsIn are the names, ids and scores of what seam search --json prints.
func hitsIn(t *testing.T, out string) (hits []map[string]any) {
	t.Helper()
	var found struct{ Hits []map[string]any }
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, h := range found.Hits {
		hits = append(hits, map[string]any{"file": h["file"], "id": h["id"], "score": h["score"]})
	}
	return hits
}
