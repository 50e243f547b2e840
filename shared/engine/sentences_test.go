package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seam/shared/charset"
	"seam/shared/chunk"
	"seam/shared/read"
	"seam/shared/text"
)

// sentencesFile lists every sentence that the engine may send to the page, one per line,
// with its formatting verbs. A translation of the page needs words for each.
// UPDATE_GOLDEN=1 writes it.
const sentencesFile = "testdata/sentences.txt"

// speaking lists the packages with errors and notes that users see unchanged.
var speaking = []string{".", "../breakpoint", "../chunk", "../edit", "../enrich/enrich.go", "../llm/read.go", "../pipeline", "../pdftext/collection/collection.go", "../pdftext/notes.go", "../read", "../search", "../vector/memory.go"}

// answering lists the packages with errors that a proxy sends.
var answering = []string{"../protocol/client", "../../proxy/gateway", "../../proxy/limit", "../../proxy/upstream"}

// says maps functions that take such a sentence to the index of the argument.
var says = map[string]int{"errors.New": 0, "fmt.Errorf": 0, "badRequest": 0, "badf": 0, "damagedf": 0, "lost": 0, "note": 0, "protocol.Errorf": 1, "fail": 1}

func TestSentences(t *testing.T) {
	c := &collector{found: map[string]bool{}}
	for _, m := range chunk.Methods() {
		if m.Setting != nil {
			c.add(m.Setting.None)
		}
	}
	for _, in := range []struct{ b, name string }{
		{"\xff\xfea\x00", ""}, {"caf\xe9", ""}, {"éàüö\xe9", ""}, {"A text with one\x00.", ""}, {"\xff", "windows-1251"}, {"\xff", "shift_jis"},
		{"<?xml encoding='windows-1251'?>\xe0", ""}, {"\xc2\xee\xe4\xe0 \xf2\xe5\xf7\xb8\xf2 \xef\xee \xea\xe0\xed\xe0\xeb\xf3", ""},
	} {
		_, notes, err := charset.Decode([]byte(in.b), charset.Options{Name: in.name})
		if err != nil || len(notes) == 0 {
			t.Fatalf("%q: %q, %v", in, notes, err)
		}
		for _, note := range notes {
			note = regexp.MustCompile("windows-1251|shift_jis").ReplaceAllString(note, "%s")
			c.add(note)
			if short, _, _ := strings.Cut(note, charset.Offsets); !strings.HasSuffix(short, charset.Declares) {
				c.add(short) // of a page
			}
		}
	}
	for _, name := range []string{"a.csv", "a.json"} {
		d, err := read.All().Read(name, []byte("a"), read.Options{})
		if err != nil || len(d.Notes) != 1 {
			t.Fatalf("%s: %v, %v", name, d, err)
		}
		c.add(d.Notes[0])
	}
	c.add(text.ErrBinary.Error())
	c.add(text.ErrUnclear.Error())
	for i, place := range slices.Concat(speaking, answering) {
		c.whole = i >= len(speaking)
		if err := filepath.WalkDir(place, c.visit); err != nil {
			t.Fatal(err)
		}
	}
	all := make([]string, 0, len(c.found))
	for s := range c.found {
		all = append(all, s)
	}
	slices.Sort(all)
	now := strings.Join(all, "\n") + "\n"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(sentencesFile, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(sentencesFile)
	if err != nil {
		t.Fatal(err)
	}
	if now != string(want) {
		t.Errorf("%s differs: UPDATE_GOLDEN=1, and the words of web/app/words/german for what is new:\n%s", sentencesFile, now)
	}
}

// collector finds sentences in source files.
type collector struct {
	found map[string]bool
	whole bool // only sentences with a full stop, like a proxy's; the others are for operators
}

func (c *collector) visit(path string, d fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case d.IsDir() && (d.Name() == "testdata" || strings.HasSuffix(d.Name(), "test")):
		return fs.SkipDir
	case d.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
		return nil
	}
	f, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	ast.Inspect(f, c.look)
	return nil
}

func (c *collector) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if i, ok := says[called(n)]; ok && i < len(n.Args) {
			c.add(format(n.Args[i]))
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Message", "Hint", "Reason"}, key.Name) {
			c.add(format(n.Value))
		}
	case *ast.CompositeLit:
		if name, ok := n.Type.(*ast.Ident); ok && name.Name == "missingJSON" {
			c.add(format(n.Elts[len(n.Elts)-1]))
		}
	case *ast.AssignStmt: // a message that is chosen before it is sent
		for _, each := range n.Rhs {
			c.addWhole(format(each))
		}
	case *ast.ReturnStmt:
		for _, each := range n.Results {
			c.addWhole(format(each))
		}
	}
	return true
}

var (
	words = regexp.MustCompile(`[a-zA-Z]{2,} [a-z]`)
	whole = regexp.MustCompile(`^[A-Z%].*(\.(%s)?|\?|: try again in a moment|: %[sv])$`)
)

func (c *collector) add(s string) {
	if words.MatchString(s) && (!c.whole || whole.MatchString(s)) {
		c.found[s] = true
	}
}

func (c *collector) addWhole(s string) {
	if whole.MatchString(s) {
		c.add(s)
	}
}

// called returns the name of the called function, with its package.
func called(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// format returns a string expression with %s in place of parts that are known only at run
// time.
func format(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return format(e.X) + format(e.Y)
	case *ast.CallExpr:
		if called(e) == "fmt.Sprintf" {
			return format(e.Args[0])
		}
	}
	return "%s"
}
