package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A configuration with the old name is read under both names, with a note. Settings of seam
// index are refused with the name that they should have.
func TestNamesOfTheConfiguration(t *testing.T) {
	_, url := provider(t)
	dir, file := setUp(t, common, url)
	old := filepath.Join(dir, "seam.yaml")
	check := func(file string) string {
		out, _ := exec.Command(binary, "--config", file, "--check").CombinedOutput()
		return string(out)
	}
	if got := check(file); !strings.Contains(got, "is valid") || strings.Contains(got, "old name") {
		t.Errorf("%s", got)
	}
	if err := os.Rename(file, old); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, old} {
		if got := check(name); !strings.Contains(got, "is valid") || !strings.Contains(got, "Note: "+old+" is an old name of this file: rename it to seam-proxy.yaml.") {
			t.Errorf("%s", got)
		}
	}
	p := start(t, file)
	p.wait("is an old name of this file", 1)
	if code := p.connect().embed(1, "x"); code != "" {
		t.Error(code)
	}
	if got := check(filepath.Join(dir, "proxy.yaml")); !strings.Contains(got, "no such file") {
		t.Errorf("%s", got)
	}
	write(t, old, "meaning: true\nsite: public\n")
	if got := check(old); !strings.Contains(got, `:1: "meaning" is a setting of seam index: its file is called seam-index.yaml`) {
		t.Errorf("%s", got)
	}
}
