package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A setting that seam index does not have is named with its line and a way out.
func TestIndexConfigurationErrors(t *testing.T) {
	for _, c := range []struct{ yaml, says string }{
		{"sight: public\n", ":1: sight: is not a setting of seam index; did you mean site?"},
		{"site: public\ncolour: red\n", ":2: colour: is not a setting of seam index; these are: site, out,"},
		{"site: [a, b]\n", ":1: site: must be a text, such as site: public"},
		{"meaning: perhaps\n", ":1: meaning: must be true or false"},
		{"body: {a: b}\n", ":1: body: must be a text or a list of texts"},
		{"out: a\nout: b\n", ":2: out: is set twice"},
		{"- site\n", ":1: must have a setting on each line"},
		{"site: [\n", "did not find"},
		{"providers: []\n", `:1: "providers" is a key of a proxy's configuration: the settings of seam index belong in a file of their own, seam-index.yaml`},
	} {
		r := run(t, "", "index", "--config", file(t, "wrong.yaml", []byte(c.yaml)))
		if r.status != 1 || !strings.Contains(r.err, c.says) || strings.Contains(r.err, "struct") {
			t.Errorf("%q: status %d, %s", c.yaml, r.status, r.err)
		}
	}
}

// seam-index.yaml takes precedence over seam.yaml, its old name, which is read with a note. A
// proxy's configuration of that name is left alone.
func TestIndexConfigurationNames(t *testing.T) {
	site, err := filepath.Abs(handbook)
	if err != nil {
		t.Fatal(err)
	}
	const note = "seam.yaml is an old name: rename it to seam-index.yaml"
	for _, c := range []struct {
		name  string
		files map[string]string
		made  string // folder of the index
		says  string
	}{
		{"the name", map[string]string{"seam-index.yaml": "out: new\n"}, "new", ""},
		{"both", map[string]string{"seam-index.yaml": "out: new\n", "seam.yaml": "out: old\n"}, "new", ""},
		{"the old name", map[string]string{"seam.yaml": "out: old\n"}, "old", note},
		{"a proxy's", map[string]string{"seam.yaml": "providers: []\n"}, "", "seam.yaml has the keys of a proxy's configuration, so it was not read: rename it to seam-proxy.yaml"},
		{"both commands", map[string]string{"seam-index.yaml": "out: new\n", "seam.yaml": "listen: 127.0.0.1:1\n"}, "new", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, s := range c.files {
				if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := run(t, "", "index", "--site", site)
			if (r.status == 0) != (c.made != "") || c.says != "" && !strings.Contains(r.err, c.says) || c.says == "" && strings.Contains(r.err, "seam.yaml") {
				t.Fatalf("status %d, %s", r.status, r.err)
			}
			if c.made != "" {
				if _, err := os.Stat(filepath.Join(c.made, "seam.json")); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
