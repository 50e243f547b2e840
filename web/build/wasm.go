package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// small are packages that are compiled without inlining, because a program is
// downloaded before it runs and these are never what takes its time: what reads
// and writes JSON, dates and messages, pages of HTML and books, what cuts, counts and
// judges, what a reader of PDFs brings along and nobody calls, and the runtime itself. It takes 100 kB off the compressed engine, 9 %. Sentences take an eighth
// longer for it; the benchmarks of embedding and of cutting 20,000
// sentences again did not tell the difference.
var small = strings.Fields(`
	runtime encoding/json encoding/base64 encoding/hex fmt internal/fmtsort reflect internal/reflectlite
	time strconv internal/strconv context os io io/fs bufio errors sort iter maps sync internal/sync
	internal/poll internal/bisect internal/godebug internal/race internal/oserror syscall syscall/js
	math/rand/v2 internal/chacha8rand path cmp container/heap archive/zip encoding/xml seam/shared/read/epub seam/shared/read/html golang.org/x/net/html golang.org/x/net/html/atom
	seam/shared/bundle seam/shared/bundle/archive seam/shared/engine/pdfworker seam/shared/experiment seam/shared/llm seam/shared/enrich encoding/gob math/big
	crypto/internal/fips140/nistec crypto/internal/fips140/nistec/fiat crypto/internal/fips140/ecdsa crypto/internal/fips140/bigmod mime net/url image/png
	seam/shared/text seam/shared/sentence seam/shared/token seam/shared/token/bpe seam/shared/chunk
	seam/shared/protocol seam/shared/protocol/client seam/shared/pipeline seam/shared/search seam/shared/answer seam/shared/engine seam/shared/engine/rpc seam/shared/edit
	seam/shared/vector seam/shared/embed/remote seam/shared/embed/static/tokenizer seam/shared/embed/static/safetensors
	seam/wasm/bridge seam/wasm/bridge/network seam/wasm/bridge/promise seam/wasm/bridge/vectors
	seam/wasm/bridge/files seam/wasm/engine internal/filepathlite internal/syscall/unix internal/stringslite internal/testlog seam/shared/embed/static/norm github.com/clipperhouse/uax29/v2/graphemes seam/shared/kept seam/shared/read seam/shared/markup seam/shared/digest hash/crc32`)

// smallEngine are more of them, in the engine alone. Sentences are then found a
// sixth more slowly; embedding, reading for meaning and cutting again take as long as before.
var smallEngine = strings.Fields(`
	slices strings bytes math unicode unicode/utf8 encoding/binary unicode/utf16 gonum.org/v1/gonum/floats seam/shared/text seam/shared/embed seam/shared/topic
	github.com/clipperhouse/uax29/v2/words seam/shared/breakpoint internal/abi seam/shared/index seam/shared/language seam/shared/embed/encoder seam/shared/embed/builtin seam/shared/embed/lexical internal/runtime/maps ` +
	stems + strings.ReplaceAll(" danish dutch english finnish french german italian norwegian portuguese romanian russian spanish swedish", " ", " "+stems+"/"))

const stems = "github.com/blevesearch/snowballstem"

// benchProgram is what make bench-web measures: compiled as the engine is.
const benchProgram = "kernel/bench"

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
	binary := filepath.Join(dir, "program.wasm")
	flags := "-ldflags=-s -w"
	for _, value := range values {
		flags += " -X " + value
	}
	args := []string{"build", "-trimpath", flags, "-o", binary}
	without := small
	if name == string(engine) || name == benchProgram {
		overlay, err := overlaid(dir)
		if err != nil {
			return nil, err
		}
		args = append(args, "-tags=kernel", "-overlay", overlay)
		without = slices.Concat(small, smallEngine)
	}
	for _, p := range without {
		args = append(args, "-gcflags="+p+"=-l")
	}
	cmd := exec.Command("go", append(args, "./wasm/"+name)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if message, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile wasm/%s: %w\n%s", name, err, strings.TrimSpace(string(message)))
	}
	return os.ReadFile(binary)
}

// emptied are files of Go's library that the engine is compiled with in a short form, since
// nobody calls what they are for there. Whoever comes to use more of them is told by the
// compiler.
//
//   - log: the library of stemmers imports it for a function that nobody calls, and with its
//     dates it takes 6 kB of the compressed engine.
//   - internal/godebug: GODEBUG is not set in a browser, and every setting is empty. With
//     what it counts and searches for it takes 22 kB.
var emptied = map[string]string{
	"log/log.go": "package log\n\nfunc Printf(string, ...any) {}\n",
	"internal/godebug/godebug.go": `package godebug

type Setting struct{ name string }

func New(name string) *Setting          { return &Setting{name} }
func (s *Setting) Name() string         { return s.name }
func (s *Setting) Undocumented() bool   { return false }
func (s *Setting) String() string       { return s.name + "=" }
func (s *Setting) IncNonDefault()       {}
func (s *Setting) Value() string        { return "" }
`,
}

// overlaid writes an overlay for go build that has what is emptied.
func overlaid(dir string) (overlay string, err error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find Go: %w", err)
	}
	replaced := map[string]string{}
	for name, source := range emptied {
		short := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(short, []byte(source), 0o600); err != nil {
			return "", err
		}
		replaced[filepath.Join(strings.TrimSpace(string(out)), "src", filepath.FromSlash(name))] = short
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}
