package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Defaults come from the command line, the environment and the user's file, in this order.
func TestDefaults(t *testing.T) {
	dir := tree(t, map[string]string{"bees.md": "# Bees\n\nBees dance for each other. A scout looks for a hollow.\n"})
	home := filepath.Join(dir, "config")
	if err := os.MkdirAll(filepath.Join(home, "seam"), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(home, "seam", "config.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	with := func(env []string, args ...string) result {
		return runIn(t, dir, append([]string{"XDG_CONFIG_HOME=" + home}, env...), args...)
	}
	write("method: recursive\nheaders: true\nchunk:\n  max-tokens: 9\nsearch:\n  type: [pdf, txt]\nenrich:\n  headers:\n    from: auto\n")
	if r := with(nil, "chunk", "-v", "bees.md"); r.status != 0 || !strings.Contains(r.out, "[Bees]") || !strings.Contains(r.err, "seam: --method recursive, from "+home) || !strings.Contains(r.err, "recursive, reading view, builtin, at most 9 model tokens, with headers: 3 sentences, ") {
		t.Errorf("the file: %+v", r)
	}
	if r := with([]string{"SEAM_MAX_TOKENS=300", "SEAM_METHOD="}, "chunk", "-v", "--method", "fixed", "bees.md"); !strings.Contains(r.err, "fixed, content view, builtin, at most 300 ") || strings.Contains(r.err, "--method") {
		t.Errorf("the command line and the environment: %+v", r)
	}
	if r := with(nil, "search", "bees", "bees.md"); r.out != "nothing found\n" {
		t.Errorf("a list: %+v", r)
	}
	if r := with([]string{"SEAM_DEFAULTS=off"}, "chunk", "-v", "bees.md"); !strings.Contains(r.err, "; semantic, ") {
		t.Errorf("off: %+v", r)
	}
	for text, says := range map[string]string{
		"methd: fixed\n":              `config.yaml:1: "methd" is no flag of seam: did you mean method?`,
		"chunk:\n  k: 3\n":            `config.yaml:2: "k" is no flag of seam chunk`,
		"method: {a: b}\n":            `config.yaml:1: "method" is no command and takes one value, or a list`,
		"method: [fixed\n":            "config.yaml: line 1",
		"- fixed\n":                   "write lines such as “method: recursive”",
		"max-tokens: 0\n":             "--max-tokens: 0 is no number of at least 1; --max-tokens 0 comes from " + home,
		"method: nonesuch\n":          `unknown method "nonesuch"`,
		"threshold: 3\nmethod: fixed": "fixed does not support a threshold or a count: use a method with a curve; --method fixed comes from",
		"version: true\n":             `"version" is no flag`,
	} {
		write(text)
		if r := with(nil, "chunk", "bees.md"); r.status != 2 || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, says) {
			t.Errorf("%q: %+v", text, r)
		}
	}
	write("")
	if r := with(nil, "chunk", "bees.md"); r.status != 0 || r.err != "" {
		t.Errorf("an empty file: %+v", r)
	}
	if r := with([]string{"SEAM_DEFAULTS=" + filepath.Join(dir, "none.yaml")}, "chunk", "bees.md"); r.status != 2 || !strings.Contains(r.err, "none.yaml: no such file") {
		t.Errorf("a named file that does not exist: %+v", r)
	}
	if r := with([]string{"SEAM_DATA=/nonexistent", "SEAM_MODEL=m"}, "chunk", "bees.md"); r.status != 0 || r.err != "" {
		t.Errorf("variables of others: %+v", r)
	}
	// A proxy does not take the variables of flags for its own.
	if r := with([]string{"SEAM_METHOD=fixed", "SEAM_MAX_TOKENS=3"}, "serve", "--check"); r.status != 0 || strings.Contains(r.err, "SEAM_") {
		t.Errorf("serve: %+v", r)
	}
}

// With --quiet only errors reach stderr.
func TestQuiet(t *testing.T) {
	dir := tree(t, map[string]string{"bees.md": "# Bees\n\nBees dance.\n", "a.csv": "a,b\n"})
	loud := runIn(t, dir, nil, "chunk", "--count", "9", "bees.md", "a.csv", "none.md")
	quiet := runIn(t, dir, nil, "chunk", "-q", "--count", "9", "bees.md", "a.csv", "none.md")
	if loud.status != 1 || strings.Count(loud.err, "\n") < 3 || quiet.status != 1 || quiet.err != "seam: none.md: no such file\n" || quiet.out != loud.out {
		t.Errorf("%+v\n%+v", loud, quiet)
	}
	if r := runIn(t, dir, nil, "chunk", "-q", "none.md"); r.status != 1 || r.err != "seam: none.md: no such file\n" {
		t.Errorf("%+v", r)
	}
	if r := runIn(t, dir, nil, "chunk", "-q", "-v", "bees.md"); r.status != 2 || !strings.Contains(r.err, "exclude each other") {
		t.Errorf("%+v", r)
	}
}
