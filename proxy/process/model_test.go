package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model that was added is named by its name, listed, and gone when it is removed.
func TestModels(t *testing.T) {
	t.Setenv("SEAM_MODELS", filepath.Join(t.TempDir(), "models"))
	const folder = "../../shared/embed/encoder/testdata/bert-f32-mean"
	if out := ok(t, "", "model", "list"); !strings.Contains(out, "builtin: ") || !strings.Contains(out, "meaning: 2 layers, 384 numbers") || strings.Contains(out, "encoder:") {
		t.Errorf("list: %s", out)
	}
	if out := ok(t, "", "model", "add", "small", folder); !strings.HasPrefix(out, "encoder:small: ") {
		t.Errorf("add: %s", out)
	}
	if r := run(t, "", "model", "add", "small", folder); r.status != 1 || !strings.Contains(r.err, "there is a model small already") {
		t.Errorf("add once more: %+v", r)
	}
	if out := ok(t, "", "model", "list"); !strings.Contains(out, "\nencoder:small: ") {
		t.Errorf("list: %s", out)
	}
	packed := filepath.Join(os.Getenv("SEAM_MODELS"), "small.seamenc")
	texts := "one text\nanother one\n"
	named, byFile := ok(t, texts, "embed", "--embedder", "encoder:small", "--format", "jsonl"), ok(t, texts, "embed", "--embedder", "encoder:"+packed, "--format", "jsonl")
	if named != byFile || strings.Count(named, "\n") != 2 {
		t.Errorf("by name:\n%s\nby file:\n%s", named, byFile)
	}
	ok(t, "", "model", "add", "again", packed)
	if err := os.WriteFile(filepath.Join(filepath.Dir(packed), "broken.seamenc"), []byte("SeamEnc1"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := ok(t, "", "model", "list"); !strings.Contains(out, "encoder:broken: ") || !strings.Contains(out, "encoder:again: ") {
		t.Errorf("list with a damaged one: %s", out)
	}
	ok(t, "", "model", "remove", "small")
	if r := run(t, texts, "embed", "--embedder", "encoder:small"); r.status != 1 || !strings.Contains(r.err, "encoder:small") {
		t.Errorf("embed with a model that is gone: %+v", r)
	}
	for _, c := range []struct {
		args   []string
		status int
		err    string
	}{
		{[]string{"model", "remove", "small"}, 1, "there is no model small"},
		{[]string{"model", "add", "../x", folder}, 2, "is no name for a model"},
		{[]string{"model", "add", "x", "nowhere"}, 1, "nowhere: no such folder"},
		{[]string{"model", "add", "x", "."}, 1, "the model in ."},
		{[]string{"model", "add", "x", "main_test.go"}, 1, "main_test.go is no packed encoder"},
		{[]string{"model", "add", "x", folder, "--bits", "5"}, 2, "--bits"},
	} {
		if r := run(t, "", c.args...); r.status != c.status || !strings.Contains(r.err, c.err) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", c.args, r)
		}
	}
}
