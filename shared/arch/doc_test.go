package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// undocumented returns the exported identifiers of a file that have no doc comment, with
// their places. It covers functions, types, methods of exported types and interfaces,
// constants and variables. For constants and variables, a comment on their group or at the
// end of their line is enough. Fields need none.
func undocumented(fset *token.FileSet, file *ast.File) []string {
	var out []string
	missing := func(n ast.Node, name string) { out = append(out, fset.Position(n.Pos()).String()+": "+name) }
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if of := receiver(d); d.Doc == nil && d.Name.IsExported() && (of == "" || ast.IsExported(of)) {
				missing(d, strings.TrimPrefix(of+"."+d.Name.Name, "."))
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					if s.Doc == nil && s.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
						missing(s, s.Name.Name)
					}
					for _, m := range methods(s) {
						missing(m, s.Name.Name+"."+m.Names[0].Name)
					}
				case *ast.ValueSpec:
					if s.Doc == nil && s.Comment == nil && d.Doc == nil && slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
						missing(s, s.Names[0].Name)
					}
				}
			}
		}
	}
	return out
}

// receiver returns the name of a method's receiver type, or "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// methods returns the exported methods of an interface that have no comment.
func methods(s *ast.TypeSpec) []*ast.Field {
	i, ok := s.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(i.Methods.List), func(m *ast.Field) bool {
		return len(m.Names) == 0 || !m.Names[0].IsExported() || m.Doc != nil || m.Comment != nil
	})
}

// Users of a package read its comments, not its code.
func TestEverythingExportedHasADocComment(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	for _, folder := range []string{"shared", "proxy", "wasm", "web"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".")):
				return filepath.SkipDir
			case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			files++
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, name := range undocumented(fset, file) {
				t.Errorf("%s has no doc comment", name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files found", files)
	}
}

// The rule must be able to fail.
func TestUndocumentedIsFound(t *testing.T) {
	const source = `package p

func F() {}

func f() {}

type T struct{ Field int }

func (t *T) M() {}

func (t *G[K]) M() {}

// G has a comment.
type G[K any] struct{}

type hidden struct{}

func (hidden) M() {}

// I has a comment.
type I interface {
	M()
	// N has a comment.
	N()
	o()
}

const C = 1

// A group may share one.
const (
	D = 1
	E = 2
)

var (
	V = 1
	W = 2 // in its line
	x = 3
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, place := range undocumented(fset, file) {
		got = append(got, place[strings.LastIndexByte(place, ' ')+1:])
	}
	if want := []string{"F", "T", "T.M", "G.M", "I.M", "C", "V"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
