package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compileWasm compiles ./wasm/NAME for the browser. values are given to string
// variables of the program, as "main.name=value" without blanks.
func compileWasm(root, name string, values ...string) ([]byte, error) {
	source := filepath.Join(root, "wasm", name)
	if _, err := os.Stat(source); err != nil {
		return nil, fmt.Errorf("the program of the %s worker is missing: %w", name, err)
	}
	dir, err := os.MkdirTemp("", "seam-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, name+".wasm")
	flags := "-ldflags=-s -w"
	for _, v := range values {
		flags += " -X " + v
	}
	cmd := exec.Command("go", "build", "-trimpath", flags, "-o", binary, "./wasm/"+name)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if message, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile wasm/%s: %w\n%s", name, err, strings.TrimSpace(string(message)))
	}
	return os.ReadFile(binary)
}
