package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rows lists the packages of shared/ from the ground up. A package may import packages of
// its own row and of earlier rows, but not of later ones. A name includes the packages
// below it.
var rows = [][]string{
	{"bundle/archive", "digest"},
	{"text", "protocol"},
	{"markup", "charset"},
	{"pdftext", "sentence", "token", "token/bpe", "vector", "language", "protocol/client", "llm"},
	{"read"},
	{"embed"},
	{"embed/remote", "embed/static"},
	{"embed/encoder"},
	{"embed/builtin", "embed/meaning"},
	{"breakpoint", "topic"},
	{"chunk", "chunk/chunktest"},
	{"edit"},
	{"index"},
	{"pipeline"},
	{"search", "answer", "bundle", "kept", "site", "export"},
	{"eval", "enrich"},
	{"experiment"},
	{"engine/rpc"},
	{"engine"},
	{"arch"},
}

// outside lists the modules that shared/ may import, with the packages that may import
// them. An empty list allows all.
var outside = map[string][]string{
	"github.com/pdfcpu/pdfcpu":                        {"pdftext"},
	"github.com/clipperhouse/uax29/v2":                {"token", "chunk", "embed/static/tokenizer"},
	"golang.org/x/text":                               nil,
	"golang.org/x/sys/cpu":                            {"embed/encoder"},
	"golang.org/x/net/html":                           nil,
	"github.com/andybalholm/cascadia":                 {"site"},
	"github.com/JohannesKaufmann/html-to-markdown/v2": {"site"},
	"github.com/santhosh-tekuri/jsonschema/v6":        {"export/schema/schematest"}, // only for tests
	"gonum.org/v1/gonum/floats":                       nil,
	"github.com/blevesearch/snowballstem":             nil,
}

// banned lists packages of the standard library that depend on a machine: network, file
// system, clock, randomness, JavaScript.
var banned = []string{"net", "net/http", "os", "os/exec", "os/signal", "syscall", "syscall/js", "math/rand", "math/rand/v2", "crypto/rand", "regexp", "log", "log/slog"}

type pkg struct {
	ImportPath string
	Imports    []string
}

// list returns the direct imports of all packages of the module for one target. Indirect
// imports do not count, because on js even fmt leads to syscall/js.
func list(t *testing.T, goos, goarch string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", "seam/...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// under reports whether path is dir or below it.
func under(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// rowOf returns the row of a package of shared/. The longest matching name decides.
func rowOf(name string) int {
	row, length := -1, 0
	for i, names := range rows {
		for _, n := range names {
			if under(name, n) && len(n) > length {
				row, length = i, len(n)
			}
		}
	}
	return row
}

// check returns the problem with an import, or "".
func check(from, imported string) string {
	shared, isShared := strings.CutPrefix(from, "seam/shared/")
	local, isLocal := strings.CutPrefix(imported, "seam/")
	switch {
	case imported == "syscall/js" && !under(from, "seam/wasm"):
		return "syscall/js belongs to wasm/ alone"
	case (imported == "net" || imported == "net/http") && !under(from, "seam/proxy"):
		return "network packages belong to proxy/ alone"
	case isLocal && under(local, "proxy") && !under(from, "seam/proxy"):
		return "nothing outside of proxy/ imports proxy/"
	case under(from, "seam/proxy/gateway") && under(local, "shared") && local != "shared/protocol":
		return "the gateway knows the protocol and nothing else of the engine"
	case !isShared:
		return ""
	case slices.Contains(banned, imported):
		return "shared/ gets files, clocks and chance handed in"
	case isLocal && !under(local, "shared"):
		return "shared/ imports only shared/"
	case isLocal && rowOf(strings.TrimPrefix(local, "shared/")) > rowOf(shared):
		return "a lower layer imports an upper one"
	case !isLocal && strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		return foreign(shared, imported)
	}
	return ""
}

func foreign(shared, imported string) string {
	for module, users := range outside {
		if !under(imported, module) {
			continue
		}
		if len(users) == 0 || slices.ContainsFunc(users, func(u string) bool { return under(shared, u) }) {
			return ""
		}
		return module + " belongs to " + strings.Join(users, ", ")
	}
	return "a module that shared/ does not know: add it to this test with its cost in wasm"
}

func TestImports(t *testing.T) {
	for _, target := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		pkgs := list(t, target[0], target[1])
		if len(pkgs) < 10 {
			t.Fatalf("only %d packages found for %v", len(pkgs), target)
		}
		for _, p := range pkgs {
			if name, ok := strings.CutPrefix(p.ImportPath, "seam/shared/"); ok && rowOf(name) < 0 {
				t.Errorf("%s stands in no row of this test", p.ImportPath)
			}
			for _, imported := range p.Imports {
				if why := check(p.ImportPath, imported); why != "" {
					t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
				}
			}
		}
	}
}

// The engine's worker must not contain the PDF reader. It is larger than all the rest, and
// has its own worker.
func TestTheEngineReadsNoPDF(t *testing.T) {
	for program, want := range map[string]bool{"seam/wasm/engine": false, "seam/wasm/pdf": true} {
		cmd := exec.Command("go", "list", "-deps", program)
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		if got := slices.Contains(strings.Fields(string(out)), "seam/shared/pdftext"); got != want {
			t.Errorf("%s has package pdftext: %v", program, got)
		}
	}
}

// The rules must be able to fail.
func TestRulesRefuse(t *testing.T) {
	for _, bad := range [][2]string{
		{"seam/shared/text", "syscall/js"},
		{"seam/shared/chunk", "net/http"},
		{"seam/shared/engine", "os"},
		{"seam/shared/vector", "seam/shared/chunk"},
		{"seam/shared/engine/rpc", "seam/shared/engine"},
		{"seam/shared/eval", "seam/shared/engine"},
		{"seam/shared/text", "seam/proxy/command"},
		{"seam/shared/pdftext", "seam/shared/read"},
		{"seam/shared/markup", "seam/shared/sentence"},
		{"seam/shared/protocol", "seam/shared/protocol/client"},
		{"seam/shared/embed/lexical", "seam/shared/embed/remote"},
		{"seam/shared/protocol/client", "net/http"},
		{"seam/wasm/engine", "seam/proxy/site"},
		{"seam/shared/chunk", "github.com/pdfcpu/pdfcpu/pkg/pdfcpu"},
		{"seam/shared/chunk", "example.org/surprise"},
		{"seam/proxy/gateway", "seam/shared/engine"},
		{"seam/web", "net/http"},
	} {
		if check(bad[0], bad[1]) == "" {
			t.Errorf("%s may import %s", bad[0], bad[1])
		}
	}
}
