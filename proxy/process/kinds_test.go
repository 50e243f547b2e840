package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files that look like text but are not prose must not become chunks of their encoding.
func TestKindsOfText(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	letter := write("letter.eml", "From: a@example.org\nContent-Transfer-Encoding: base64\n\n"+strings.Repeat("SGVsbG8gd29ybGQh\n", 40))
	lab := write("lab.ipynb", `{"cells": [{"cell_type": "code", "source": ["1 + 1"]}]}`)
	table := write("table.csv", "name,age\nAda,36\nAlan,41\n")
	data := write("data.json", `{"name": "Ada", "age": 36}`)
	for file, kind := range map[string]string{letter: "a mail message", lab: "a Jupyter notebook"} {
		r := run(t, "", "chunk", file)
		if r.status != 1 || r.out != "" || !strings.Contains(r.err, filepath.Base(file)) || !strings.Contains(r.err, kind+", which Seam does not read") {
			t.Errorf("%s: %+v", file, r)
		}
	}
	for file, note := range map[string]string{table: "rows and columns are not kept apart", data: "its structure is not understood"} {
		r := run(t, "", "text", file)
		if r.status != 0 || !strings.Contains(r.err, note) || r.out == "" {
			t.Errorf("%s: %+v", file, r)
		}
	}
}
