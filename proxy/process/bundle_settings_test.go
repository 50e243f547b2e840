package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"seam/shared/bundle"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
)

// Without options, a bundle is cut, searched and bundled again with its own settings. A
// single option is enough to cut it like any file.
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

// hitsIn returns the names, ids and scores that seam search --json prints.
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

// A bundle may come from anyone. Settings that seam never writes are not followed, and seam
// does not wait for a file that a bundle names.
func TestABundleWithHostileSettings(t *testing.T) {
	d := text.NewPlain("A windmill turns. Its cap does, too. Venus turns backwards.")
	d.Name = "turns.txt"
	bundled := func(change func(p *pipeline.Plan)) string {
		t.Helper()
		plan, err := pipeline.NewPlan(pipeline.Settings{Method: "fixed", Unit: "words", MaxTokens: 4})
		if err != nil {
			t.Fatal(err)
		}
		s := pipeline.NewSession(d)
		r, err := s.Run(t.Context(), plan, pipeline.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		it := bundle.ItemOf(s, r, bundle.Source{}, "", "")
		change(&it.Chunking.Plan)
		var b bytes.Buffer
		w, err := bundle.NewWriter(&b)
		if err = errors.Join(err, w.Add(it), w.Close()); err != nil {
			t.Fatal(err)
		}
		return file(t, "x.seam", b.Bytes())
	}
	if r := run(t, "", "chunk", "--format", "jsonl", bundled(func(*pipeline.Plan) {})); r.status != 0 || strings.Count(r.out, "\n") != 3 {
		t.Errorf("%+v", r)
	}
	for name, change := range map[string]func(p *pipeline.Plan){
		"overlap": func(p *pipeline.Plan) { p.Limits.Overlap = 4 },
		"maximum": func(p *pipeline.Plan) { p.Limits.Max = -4 },
		"method":  func(p *pipeline.Plan) { p.Method = "oracle" },
	} {
		if r := run(t, "", "chunk", "--format", "jsonl", bundled(change)); r.status != 0 || strings.Count(r.out, "\n") != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, name := range []string{"-", os.DevNull, "gone.json"} {
		x := bundled(func(p *pipeline.Plan) { p.Limits.Unit = token.Tokenizer + name })
		for _, args := range [][]string{{"chunk", x}, {"search", "--embedder", "lexical", "venus", x}} {
			if r := run(t, "{}", args...); r.status != failed(args[0]) || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "is missing: set --tokens") {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if r := run(t, "", "chunk", "--tokens", "words", "--method", "sentences", "--format", "jsonl", x); r.status != 0 || strings.Count(r.out, "\n") != 3 {
			t.Errorf("%s: %+v", name, r)
		}
		if r := run(t, "", "search", "--json", "venus", x); r.status != 0 || !strings.Contains(r.out, `"text":"cap does, too. Venus"`) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
