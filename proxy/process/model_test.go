package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tinyEncoder is the folder of a sentence encoder.
const tinyEncoder = "../../shared/embed/encoder/testdata/bert-f32-mean"

// A model is packed into a file, which is then named by its path.
func TestModelAdd(t *testing.T) {
	t.Setenv("SEAM_MODELS", filepath.Join(t.TempDir(), "models"))
	folder, err := filepath.Abs(tinyEncoder)
	if err != nil {
		t.Fatal(err)
	}
	dir, texts := t.TempDir(), "one text\nanother one\n"
	r := runIn(t, dir, nil, "model", "add", "--bits", "4", "small", folder)
	if r.status != 0 || r.err != "" || !strings.HasPrefix(r.out, "small.seamenc: 2 layers") || !strings.HasSuffix(r.out, "\n--embedder encoder:small.seamenc\n") {
		t.Errorf("add: %+v", r)
	}
	if _, err := os.Stat(os.Getenv("SEAM_MODELS")); err == nil {
		t.Error("a folder of models was made")
	}
	packed, eight := filepath.Join(dir, "small.seamenc"), filepath.Join(dir, "eight.seamenc")
	if out := ok(t, "", "model", "add", "eight", folder, "--out", eight); !strings.HasSuffix(out, "\n--embedder encoder:"+eight+"\n") {
		t.Errorf("add --out: %s", out)
	}
	if four := len(readFile(t, packed)); four == 0 || four >= len(readFile(t, eight)) {
		t.Errorf("%d bytes with 4 bits", four)
	}
	ok(t, "", "model", "add", "again", packed, "-o", filepath.Join(dir, "again.seamenc"))
	if readFile(t, filepath.Join(dir, "again.seamenc")) != readFile(t, packed) {
		t.Error("a packed file is packed once more")
	}
	if out := ok(t, texts, "embed", "--embedder", "encoder:"+packed, "--format", "jsonl"); strings.Count(out, "\n") != 2 {
		t.Errorf("embed: %s", out)
	}
	before := readFile(t, eight)
	for _, c := range []struct {
		args   []string
		status int
		err    string
	}{
		{[]string{"small", folder, "--out", eight}, 1, "eight.seamenc already exists: choose another file with --out"},
		{[]string{"small", folder, "--out", dir}, 1, "already exists"},
		{[]string{"small", folder, "--out", filepath.Join(dir, "nowhere", "x.seamenc")}, 1, "write "},
		{[]string{"small", folder, "--out", "-"}, 2, "--out -: give a file name"},
		{[]string{"small", folder, "--models", dir}, 2, "--models was removed: set the file with --out"},
		{[]string{"small", folder, "--models=" + dir}, 2, "--models was removed: set the file with --out"},
		{[]string{"../x", folder}, 2, "invalid model name"},
		{[]string{"x", "nowhere"}, 1, "nowhere: no such folder"},
		{[]string{"x", "."}, 1, "the model in ."},
		{[]string{"x", "main_test.go"}, 1, "main_test.go is not a packed encoder"},
		{[]string{"x", folder, "--bits", "5"}, 2, "--bits"},
	} {
		if r := run(t, "", append([]string{"model", "add"}, c.args...)...); r.status != c.status || !strings.Contains(r.err, c.err) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", c.args, r)
		}
	}
	if readFile(t, eight) != before {
		t.Error("a file was written over")
	}
}

// A model is named only by its path. For a name under which an earlier seam stored a model,
// the error says where its file is.
func TestModelByPath(t *testing.T) {
	config := t.TempDir()
	t.Setenv("SEAM_MODELS", "")
	t.Setenv("XDG_CONFIG_HOME", config)
	kept := filepath.Join(config, "seam", "models", "small.seamenc")
	if err := os.MkdirAll(filepath.Dir(kept), 0o777); err != nil {
		t.Fatal(err)
	}
	ok(t, "", "model", "add", "small", tinyEncoder, "--out", kept)
	for name, says := range map[string]string{
		"encoder:small": "--embedder encoder:" + kept,
		"encoder:other": "give a sentence-transformers folder",
	} {
		if r := run(t, "a", "embed", "--embedder", name); r.status != 1 || !strings.Contains(r.err, name+": no such path") || !strings.Contains(r.err, says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	t.Setenv("SEAM_MODELS", filepath.Dir(kept))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if r := run(t, "a", "embed", "--embedder", "encoder:small"); r.status != 1 || !strings.Contains(r.err, "--embedder encoder:"+kept) {
		t.Errorf("with SEAM_MODELS: %+v", r)
	}
	ok(t, "a", "embed", "--embedder", "encoder:"+kept)
}
