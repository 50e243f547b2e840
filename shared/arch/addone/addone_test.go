package addone

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kind is a kind of thing to add, with the example that the test adds. Its new files are
// below testdata/NAME.
type kind struct {
	name   string
	readme string // README with the section that lists the files for this kind
	word   string // replaces NAME from the README in the example's files
	most   int    // maximum number of files it may touch
	edits  []edit
	// Tests of the example, and tests that cover all things of its kind, of the packages
	// and of the page.
	packages, tests, unit []string
	check                 func(*testing.T, tree) // checks that the program works with it; nil if the tests do
}

// edit inserts a text into a file, before the only occurrence of the text before.
type edit struct{ file, before, add string }

var kinds = []kind{command, format, method, embedder, message, panel, engine}

// tree is the folder of a copy.
type tree string

// TestAddOne adds one thing of each kind to one copy of the tree. It runs each of them, and
// the tests that cover all things of its kind.
func TestAddOne(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	c := copied(t, root)
	touched := map[string][]string{}
	for _, k := range kinds {
		touched[k.name] = c.apply(t, k)
	}
	c.run(t, "", "go", "build", "-o", "bin/seam", "./proxy")
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			files := touched[k.name]
			t.Logf("%d files: %s", len(files), strings.Join(files, " "))
			if len(files) > k.most {
				t.Errorf("a %s touches %d files, %d are enough: %q", k.name, len(files), k.most, files)
			}
			text, err := os.ReadFile(filepath.Join(root, k.readme))
			if err != nil {
				t.Fatal(err)
			}
			if named := listedFiles(string(text), k.name, k.word); !slices.Equal(named, files) {
				t.Errorf("%s names %q for a new %s, which touches %q", k.readme, named, k.name, files)
			}
			if k.check != nil {
				k.check(t, c)
			}
		})
	}
	t.Run("tests", func(t *testing.T) { c.test(t) })
}

// test runs the tests of all kinds. The Go tests run in a single command.
func (c tree) test(t *testing.T) {
	t.Helper()
	var packages, tests, unit []string
	for _, k := range kinds {
		packages, tests, unit = append(packages, k.packages...), append(tests, k.tests...), append(unit, k.unit...)
	}
	if !exists(c.at("web/widget/dist/widget.js")) {
		t.Log("TestVersionsAreRaised is left out: the widget is not built; make widget builds it")
		tests = slices.DeleteFunc(tests, func(name string) bool { return name == "TestVersionsAreRaised" })
	}
	args := []string{"test", "-v", "-run", "^(" + strings.Join(sorted(tests), "|") + ")$"}
	out := c.run(t, "", "go", append(args, sorted(packages)...)...)
	for _, name := range sorted(tests) {
		if !strings.Contains(out, "--- PASS: "+name+" ") {
			t.Errorf("%s did not run", name)
		}
	}
	if !exists(c.at("web/node_modules")) {
		t.Log("the page's types and unit tests are left out: web/node_modules is not there; make web installs it")
		return
	}
	c.run(t, "", "node", "web/test/messages.mjs")
	c.run(t, "", "node", "web/node_modules/typescript/bin/tsc", "--noEmit", "-p", "web")
	c.run(t, "", "node", "--test", "web/test/rooms.test.mjs")
	c.run(t, "", "go", "run", "./web/build", "--unit", "web/.cache/unit")
	args = []string{"--test"}
	for _, name := range sorted(unit) {
		args = append(args, "web/.cache/unit/"+name+".test.mjs")
	}
	c.run(t, "", "node", args...)
}

// sorted returns the distinct names in order.
func sorted(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// copied returns a copy of the tree: all files that git tracks or would add, and the output
// of make widget.
func copied(t *testing.T, root string) tree {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Skipf("there is no list of the files of the tree: git ls-files: %v", err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for _, built := range []string{"web/widget/dist", "proxy/ranks/packed"} {
		found, err := filepath.Glob(filepath.Join(root, built, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			files = append(files, strings.TrimPrefix(file, root+"/"))
		}
	}
	c := tree(t.TempDir())
	for _, file := range files {
		b, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue // deleted in the work tree
		}
		if err != nil {
			t.Fatal(err)
		}
		c.write(t, file, b)
	}
	if modules := filepath.Join(root, "web/node_modules"); exists(modules) {
		if err := os.Symlink(modules, c.at("web/node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// apply adds the example of a kind, and returns the sorted list of touched files.
func (c tree) apply(t *testing.T, k kind) []string {
	t.Helper()
	touched := map[string]bool{}
	source := filepath.Join("testdata", k.name)
	err := filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file := filepath.ToSlash(strings.TrimPrefix(path, source+string(filepath.Separator)))
		if exists(c.at(file)) {
			t.Errorf("%s is there already", file)
		}
		c.write(t, file, b)
		touched[file] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range k.edits {
		b, err := os.ReadFile(c.at(e.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b, []byte(e.before)); n != 1 {
			t.Fatalf("%s has %q in %d places", e.file, e.before, n)
		}
		c.write(t, e.file, bytes.Replace(b, []byte(e.before), []byte(e.add+e.before), 1))
		touched[e.file] = true
	}
	return slices.Sorted(maps.Keys(touched))
}

func (c tree) at(file string) string { return filepath.Join(string(c), file) }

func (c tree) write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.at(file)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.at(file), b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a program in the copy, which must succeed, and returns its stdout. Paths are
// trimmed, so that a second copy compiles entirely from the cache.
func (c tree) run(t *testing.T, in string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = string(c), strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "SEAM_CACHE="+c.at("cache"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, &out, &errs)
	}
	return out.String()
}

// seam runs the copy's seam.
func (c tree) seam(t *testing.T, in string, args ...string) string {
	t.Helper()
	return c.run(t, in, c.at("bin/seam"), args...)
}

// chunks returns the text of a file as read by the copy's program, and its chunks. It
// checks that each chunk is at its offsets.
func (c tree) chunks(t *testing.T, file string, args ...string) (whole string, chunks []string) {
	t.Helper()
	whole = c.seam(t, "", "text", file)
	var cut struct {
		Chunks []struct {
			Start, End int
			Text       string
		}
	}
	if err := json.Unmarshal([]byte(c.seam(t, "", slices.Concat([]string{"chunk", "--format", "json"}, args, []string{file})...)), &cut); err != nil {
		t.Fatal(err)
	}
	for _, chunk := range cut.Chunks {
		if chunk.Start < 0 || chunk.End > len(whole) || whole[chunk.Start:chunk.End] != chunk.Text {
			t.Errorf("%q is not the text from %d to %d", chunk.Text, chunk.Start, chunk.End)
		}
		chunks = append(chunks, chunk.Text)
	}
	return whole, chunks
}

// listedFiles returns the sorted list of files in a README's section "To add a KIND": the paths at
// the start of its items, with word for NAME.
func listedFiles(readme, kind, word string) []string {
	head := regexp.MustCompile(`(?m)^## To add an? ` + kind + `$`).FindStringIndex(readme)
	if head == nil {
		return nil
	}
	section, _, _ := strings.Cut(readme[head[1]:], "\n## ")
	var files []string
	for _, item := range regexp.MustCompile("(?m)^- `([^`]+)`").FindAllStringSubmatch(section, -1) {
		files = append(files, strings.ReplaceAll(item[1], "NAME", word))
	}
	slices.Sort(files)
	return files
}

// A README with extra or different files must be noticed.
func TestTold(t *testing.T) {
	const readme = "## To add a box\n\n- `a/NAME.go`: it.\n- `a/boxes.go`: a row of `boxes`.\n\n## To add a lid\n\n- `b/NAME.go`\n"
	if got, want := listedFiles(readme, "box", "crate"), []string{"a/boxes.go", "a/crate.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := listedFiles(readme, "key", "crate"); got != nil {
		t.Errorf("%q of a kind that it does not name", got)
	}
}
