package arch

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// handlers lists the packages that compute, which the page's handlers may not import.
// Handlers call package pipeline and similar ones.
var handlers = []string{"sentence", "topic", "breakpoint", "chunk", "edit", "index", "language", "embed/lexical"}

// The engine's handlers may not compute, and packages that compute may not depend on
// messages.
func TestRooms(t *testing.T) {
	for _, p := range list(t, "js", "wasm") {
		room, ok := strings.CutPrefix(p.ImportPath, "seam/shared/")
		for _, imported := range p.Imports {
			name, local := strings.CutPrefix(imported, "seam/shared/")
			switch {
			case !ok || !local:
			case room == "engine" && slices.Contains(handlers, name):
				t.Errorf("a handler computes: %s imports %s", room, name)
			case !under(room, "engine") && under(name, "engine"):
				t.Errorf("%s knows a message: it imports %s", room, name)
			}
		}
	}
}

// rooms lists the packages with ordered files.
var rooms = []string{"pipeline", "engine", "search", "answer"}

// The files of these packages must have an order in which each uses only earlier ones.
func TestFilesReferForward(t *testing.T) {
	exports := exportData(t)
	for _, room := range rooms {
		uses := references(t, room, exports)
		for len(uses) > 0 {
			before := len(uses)
			for file, others := range uses {
				if len(others) == 0 {
					delete(uses, file)
					for _, set := range uses {
						delete(set, file)
					}
				}
			}
			if len(uses) == before {
				t.Errorf("the files of %s go round in circles: %v", room, uses)
				break
			}
		}
	}
}

// exportData returns the files of compiled packages, by import path.
func exportData(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "seam/shared/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			files[path] = file
		}
	}
	return files
}

// references returns, for each file of a package, the files with declarations that it uses.
func references(t *testing.T, name string, exports map[string]string) map[string]map[string]bool {
	t.Helper()
	dir := filepath.Join("..", name)
	files := token.NewFileSet()
	var parsed []*ast.File
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]map[string]bool{}
	for _, file := range names {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
		uses[filepath.Base(file)] = map[string]bool{}
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	}
	config := types.Config{Importer: importer.ForCompiler(files, "gc", lookup)}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check("seam/shared/"+name, files, parsed, &info)
	if err != nil {
		t.Fatal(err)
	}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || object.Parent() != pkg.Scope() && !isMethod(object) {
			continue
		}
		from, to := filepath.Base(files.Position(id.Pos()).Filename), filepath.Base(files.Position(object.Pos()).Filename)
		if from != to {
			uses[from][to] = true
		}
	}
	return uses
}

func isMethod(object types.Object) bool {
	f, ok := object.(*types.Func)
	return ok && f.Signature().Recv() != nil
}
