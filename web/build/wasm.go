package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// benchProgram is the program of make bench-web, compiled like the engine.
const benchProgram = "kernel/bench"

// notInlined lists packages that read and write messages and numbers, or only call others,
// where speed does not matter. Compiling them without inlining makes the compressed engine
// over 100 kB smaller: it is 1.59 MB. Cutting a text of 12,000 sentences takes as long as before.
var notInlined = []string{"encoding/json", "reflect", "fmt", "time", "strconv", "strings", "os", "bufio",
	"seam/shared/answer", "seam/shared/chunk", "seam/shared/edit", "seam/shared/embed/remote", "seam/shared/embed/static/tokenizer", "seam/shared/engine", "seam/shared/engine/rpc", "seam/shared/export", "seam/shared/kept", "seam/shared/language", "seam/shared/pipeline", "seam/shared/markup", "seam/shared/protocol", "seam/shared/protocol/client", "seam/shared/read", "seam/shared/search",
	"seam/wasm/bridge/files", "seam/wasm/bridge/promise", "seam/wasm/bridge/vectors",
	stems + "danish", stems + "dutch", stems + "finnish", stems + "italian", stems + "norwegian", stems + "portuguese", stems + "romanian", stems + "russian", stems + "swedish"}

// stems is the path of the stemmers. English, French, German and Spanish stay inlined: all
// without inlining made the index of an English text up to half slower, on a loaded machine.
const stems = "github.com/blevesearch/snowballstem/"

// compileWasm compiles ./wasm/NAME for the browser and returns the program. values set
// string variables of the program, as "main.name=value" without blanks. The program stays
// in root/bin, where go build finds it again and links it only after a change. web/.cache
// is unsuitable, because copies of the sources share it.
func compileWasm(root, name string, values ...string) ([]byte, error) {
	source := filepath.Join(root, "wasm", name)
	if _, err := os.Stat(source); err != nil {
		return nil, fmt.Errorf("the program of the %s worker is missing: %w", name, err)
	}
	binary := filepath.Join(root, "bin", strings.ReplaceAll(name, "/", "-")+".wasm")
	flags := "-ldflags=-s -w"
	for _, value := range values {
		flags += " -X " + value
	}
	args := []string{"build", "-trimpath", flags, "-buildvcs=false", "-o", binary}
	if name != string(pdf) {
		args = append(args, "-tags=kernel")
	}
	for _, p := range notInlined {
		args = append(args, "-gcflags="+p+"=-l")
	}
	cmd := exec.Command("go", append(args, "./wasm/"+name)...)
	cmd.Dir = root
	// The same flags everywhere make the program identical to the byte.
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if message, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile wasm/%s: %w\n%s", name, err, strings.TrimSpace(string(message)))
	}
	return os.ReadFile(binary)
}
