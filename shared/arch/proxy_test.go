package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commandRows lists the packages of proxy/command from the ground up. A package may import
// packages of earlier rows only.
var commandRows = [][]string{
	{"terminal", "sniff", "grammar"},
	{"files", "defaults"},
	{"hosted"},
	{"cut"},
	{"ask", "collections", "sites", "evaluate"},
	{"agents", "manual"},
}

// gatewaySide lists the packages of the thin proxy, which is a separate program and must
// not depend on the command line.
var gatewaySide = []string{"admission", "boltfile", "cache", "config", "gateway", "limit", "metrics", "relay", "seam-proxy", "server", "trace", "upstream"}

const commands = "seam/proxy/command"

// checkProxy returns the problem with an import of a package of proxy/, or "".
func checkProxy(from, imported string) string {
	if room, ok := strings.CutPrefix(from, "seam/proxy/"); ok && under(imported, commands) && slices.ContainsFunc(gatewaySide, func(g string) bool { return under(room, g) }) {
		return "the thin proxy knows nothing of the command line"
	}
	if !under(from, commands) || from == commands || !under(imported, commands) {
		return ""
	}
	if imported == commands {
		return "a room imports the commands that stand on it"
	}
	lower, upper := commandRow(imported), commandRow(from)
	if lower < 0 || upper < 0 {
		return "a room of proxy/command stands in no row of this test"
	}
	if lower >= upper {
		return "a room imports one that does not stand below it"
	}
	return ""
}

func commandRow(path string) int {
	room := strings.TrimPrefix(path, commands+"/")
	return slices.IndexFunc(commandRows, func(row []string) bool { return slices.Contains(row, room) })
}

func TestProxyImports(t *testing.T) {
	for _, p := range list(t, "linux", "amd64") {
		for _, imported := range p.Imports {
			if why := checkProxy(p.ImportPath, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
	}
}

func TestProxyRulesRefuse(t *testing.T) {
	for _, bad := range [][2]string{
		{commands + "/terminal", commands + "/files"},
		{commands + "/sites", commands + "/evaluate"},
		{commands + "/cut", commands},
		{commands + "/attic", commands + "/terminal"},
		{"seam/proxy/relay", commands + "/hosted"},
		{"seam/proxy/seam-proxy", commands},
	} {
		if checkProxy(bad[0], bad[1]) == "" {
			t.Errorf("%s may import %s", bad[0], bad[1])
		}
	}
	if why := checkProxy(commands+"/sites", commands+"/cut"); why != "" {
		t.Errorf("sites may not import cut: %s", why)
	}
}

// Maximum number of files in a package, without tests, and of files with methods of one
// type.
const mostFiles, mostFilesOfType = 20, 2

// manyFilesOfType lists the types of proxy/ with methods in more files when this rule was
// introduced. The list may shrink, but not grow.
var manyFilesOfType = map[string]int{
	"proxy/command.chunkCommand":         3, // cutting, --lines, --manifest
	"proxy/command.searchCommand":        3, // files, --index, --remote
	"proxy/command/cut.Cutter":           6, // data made from a document: chunks, bundles, vectors, a searcher
	"proxy/command/cut.Models":           3,
	"proxy/command/evaluate.exam":        3,
	"proxy/command/evaluate.grid":        5,
	"proxy/command/evaluate.gridReport":  3,
	"proxy/command/evaluate.measurement": 3,
	"proxy/command/files.lister":         3,
	"proxy/command/sites.IndexCommand":   5,
	"proxy/command/sites.indexer":        9,
	"proxy/config.Loaded":                5,
	"proxy/gateway.Gateway":              6,
	"proxy/gateway.running":              3,
	"proxy/limit.Ledger":                 5,
	"proxy/relay.Relay":                  4,
	"proxy/remote/opensearch.Engine":     3,
	"proxy/remote/postgres.Engine":       4,
	"proxy/remote/weaviate.Engine":       3,
	"proxy/server.parts":                 4,
	"proxy/upstream.Client":              4,
	"proxy/upstream.Provider":            4,
	"proxy/upstream/upstreamtest.reply":  4,
}

// sizes returns the number of files of each package below root, and for each type the
// number of files with its methods. Tests do not count.
func sizes(root string) (files, types map[string]int, err error) {
	files, types = map[string]int{}, map[string]int{}
	base := filepath.Dir(root)
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(base, filepath.Dir(path))
		if err != nil {
			return err
		}
		files[filepath.ToSlash(dir)]++
		own := map[string]bool{}
		for _, decl := range f.Decls {
			if method, ok := decl.(*ast.FuncDecl); ok && method.Recv != nil {
				own[filepath.ToSlash(dir)+"."+receiver(method)] = true
			}
		}
		for name := range own {
			types[name]++
		}
		return nil
	})
	return files, types, err
}

// spread returns a message for each package and type with too many files.
func spread(files, types map[string]int) (wrong []string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] > mostFiles {
			wrong = append(wrong, fmt.Sprintf("%s has %d files: make a room of some of them", name, files[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if n, most := types[name], max(mostFilesOfType, manyFilesOfType[name]); n > most {
			wrong = append(wrong, fmt.Sprintf("methods of %s are in %d files, %d are enough", name, n, most))
		}
	}
	return wrong
}

func TestProxySizes(t *testing.T) {
	files, types, err := sizes("../../proxy")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d packages found", len(files))
	}
	for _, why := range spread(files, types) {
		t.Error(why)
	}
	for name, most := range manyFilesOfType {
		if types[name] < most {
			t.Errorf("methods of %s are in %d files: the list says %d, make it shrink", name, types[name], most)
		}
	}
}

func TestProxySizesRefuse(t *testing.T) {
	if wrong := spread(map[string]int{"proxy/attic": mostFiles + 1}, map[string]int{"proxy/attic.box": mostFilesOfType + 1}); len(wrong) != 2 {
		t.Errorf("%q", wrong)
	}
}
