package process

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository makes a folder of files that is a git repository.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := tree(t, files)
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("git: %v: %s", err, out)
	}
	return dir
}

var project = map[string]string{
	"a.md": "One.", "build/b.md": "Two.", "src/keep.log.md": "Three.", "src/x.tmp.md": "Four.", "src/sub/y.tmp.md": "Five.", "src/sub/deep/z.md": "Six.",
	".hidden.md": "Seven.", ".github/h.md": "Eight.", ".config/w.md": "Nine.", "node_modules/m/readme.md": "Ten.", "local.md": "Eleven.", "drafts/d.md": "Twelve.", "drafts/e.md": "Thirteen.",
	".gitignore": "# of git\n*.tmp.md\n/build/\n\n!.config\n", "src/.gitignore": "!x.tmp.md\ndeep/\n", "drafts/.ignore": "d.md\n",
}

// Folders are read as ripgrep reads them, and the line about the names left out is true.
func TestFoldersAsRipgrep(t *testing.T) {
	dir := repository(t, project)
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), []byte("local.md\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, files []string
		says        string
	}{
		{[]string{"."}, []string{".config/w.md", "a.md", "drafts/e.md", "src/keep.log.md", "src/x.tmp.md"},
			"seam: .: skipped 4 hidden files and 2 hidden folders (--hidden), 3 ignored files and 2 ignored folders (.git/info/exclude, .gitignore, .ignore; --no-ignore), 1 folder node_modules (--no-ignore)\n"},
		{[]string{"--exclude", "drafts/", "--exclude", "/src/k*", "--hidden", "."}, []string{".config/w.md", ".github/h.md", ".hidden.md", "a.md", "src/x.tmp.md"},
			"seam: .: skipped 2 files seam cannot read (.gitignore), 2 ignored files and 2 ignored folders (.git/info/exclude, .gitignore; --no-ignore), 1 folder .git (--no-ignore), 1 folder node_modules (--no-ignore), 1 excluded file and 1 excluded folder\n"},
		{[]string{"--no-ignore", "."}, []string{"a.md", "build/b.md", "drafts/d.md", "drafts/e.md", "local.md", "node_modules/m/readme.md", "src/keep.log.md", "src/sub/deep/z.md", "src/sub/y.tmp.md", "src/x.tmp.md"},
			"seam: .: skipped 4 hidden files and 3 hidden folders (--hidden)\n"},
		{[]string{"local.md", "drafts/d.md", ".hidden.md", "build", "node_modules"}, []string{"local.md", "drafts/d.md", ".hidden.md", "build/b.md", "node_modules/m/readme.md"}, ""}, // named by themselves
		{[]string{"src"}, []string{"src/keep.log.md", "src/x.tmp.md"}, "seam: src: skipped 1 hidden file (--hidden), 1 ignored file and 1 ignored folder (.gitignore; --no-ignore)\n"},
		{[]string{"**/*.md"}, []string{"a.md", "drafts/e.md", "src/keep.log.md", "src/x.tmp.md"},
			"seam: **/*.md: skipped 3 ignored files and 2 ignored folders (.git/info/exclude, .gitignore, .ignore; --no-ignore), 1 folder node_modules (--no-ignore)\n"},
		{[]string{"src/*/*.md", "--exclude", "none"}, []string{"src/sub/y.tmp.md"}, ""}, // as in a shell
		{[]string{"--exclude", "x.*", "src/*.md"}, []string{"src/keep.log.md"}, "seam: src/*.md: skipped 1 excluded file\n"},
	} {
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "jsonl"}, tt.args...)...)
		if got := filesOf(t, r.out); r.status != 0 || r.err != tt.says || !slices.Equal(got, tt.files) {
			t.Errorf("%q: %q, want %q (status %d, %q, want %q)", tt.args, got, tt.files, r.status, r.err, tt.says)
		}
	}
	// A .gitignore is for a repository, a .ignore is for every folder.
	os.RemoveAll(filepath.Join(dir, ".git"))
	r := runIn(t, dir, nil, "chunk", "--format", "jsonl", ".")
	if got := filesOf(t, r.out); !slices.Equal(got, []string{"a.md", "build/b.md", "drafts/e.md", "local.md", "src/keep.log.md", "src/sub/deep/z.md", "src/sub/y.tmp.md", "src/x.tmp.md"}) {
		t.Errorf("outside a repository: %q, %q", got, r.err)
	}
	for _, args := range [][]string{{"--exclude", "!a.md"}, {"--exclude", "[a"}, {"--exclude", "#"}} {
		if r := runIn(t, dir, nil, append([]string{"text", "."}, args...)...); r.status != 2 || !strings.HasPrefix(r.err, "seam: --exclude "+args[1]+" matches nothing: ") {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := runIn(t, dir, nil, "text", "node_modules", "--exclude", "*.md"); r.status != 1 || !strings.Contains(r.err, "but 1 excluded file") {
		t.Errorf("%+v", r)
	}
}

// Random ignore files leave out the same files as git, which decides by the same rules.
func TestFoldersAsGit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	for range 25 {
		files := map[string]string{}
		for _, d := range []string{"", "a/", "a/b/", "a/b/c/", "b/", "c d/"} {
			for _, f := range []string{"x.md", "y.md", "xy.md", "[z].md", "b.md"} {
				files[d+f] = "One."
			}
		}
		for _, d := range []string{"", "a/", "b/", "a/b/"} {
			var lines strings.Builder
			for range random.IntN(5) {
				fmt.Fprintf(&lines, "%s%s%s%s%s\n", pick("", "", "!"), pick("", "", "/", "**/", "a/", "a/**/", "/*/"),
					pick("x.md", "*.md", "x*", "[xy].md", "[!x].md", "?.md", "b", "c", "a", "c d", "**", "b/**", "*", `\[z\].md`, "[]xyz[]*", "x**.md"), pick("", "", "", "/"), pick("", "", " ", "\r"))
			}
			files[d+".gitignore"] = lines.String()
		}
		dir := repository(t, files)
		cmd := exec.Command("git", "ls-files", "--others", "--exclude-standard", "-z", "*.md")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
		r := runIn(t, dir, nil, "chunk", "--format", "jsonl", "--method", "fixed", ".")
		got := filesOf(t, r.out)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q, git has %q:\n%q\n%q\n%q\n%q", got, want, files[".gitignore"], files["a/.gitignore"], files["b/.gitignore"], files["a/b/.gitignore"])
		}
	}
}
