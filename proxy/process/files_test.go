package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// tree makes a folder of files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runIn is like run, in a folder and with environment variables.
func runIn(t *testing.T, dir string, env []string, args ...string) result {
	t.Helper()
	cmd := exec.Command(seam, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	checkSchema(t, args, out.String())
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// filesOf returns the files named in lines of chunks, each once.
func filesOf(t *testing.T, lines string) (files []string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var c struct{ File string }
		if err := json.Unmarshal([]byte(line), &c); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q: %v", line, err)
		}
		if !slices.Contains(files, c.File) {
			files = append(files, c.File)
		}
	}
	return files
}

// written returns the files below a folder.
func written(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !isSettings(d.Name()) {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// isSettings reports whether a file has the settings of the file of chunks beside it.
func isSettings(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".settings")
}

var notes = map[string]string{
	"notes/b.md": "One.", "notes/a.txt": "Two.", "notes/deep/er/c.txt": "Three.", "notes/deep/x.pdf.bak": "No.", "notes/y.jpg": "No.",
	"notes/.git/d.txt": "No.", "notes/.e.txt": "No.", "alone.txt": "Four.", "other/f.txt": "Five.", "other/[g].txt": "Six.",
}

func TestFoldersAndPatterns(t *testing.T) {
	dir := tree(t, notes)
	for link, to := range map[string]string{"notes/deep/back": "..", "notes/deep/more": "../../other", "notes/gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, tt := range []struct {
		args  []string
		files []string
		says  string
	}{
		{[]string{"notes"}, []string{"notes/a.txt", "notes/b.md", "notes/deep/er/c.txt"},
			"seam: notes: skipped 2 files seam cannot read (.bak, .jpg), 1 hidden file and 1 hidden folder (--hidden), 1 link out of the folder (--follow), 2 links (broken, or to a folder already read)\n"},
		{[]string{"--follow", "notes"}, []string{"notes/a.txt", "notes/b.md", "notes/deep/er/c.txt", "notes/deep/more/[g].txt", "notes/deep/more/f.txt"},
			"seam: notes: skipped 2 files seam cannot read (.bak, .jpg), 1 hidden file and 1 hidden folder (--hidden), 2 links (broken, or to a folder already read)\n"},
		{[]string{"other", "alone.txt", "other/f.txt"}, []string{"other/[g].txt", "other/f.txt", "alone.txt"}, ""},
		{[]string{"notes/*.txt"}, []string{"notes/a.txt"}, ""},
		{[]string{"*/f.*", "other/*"}, []string{"other/f.txt", "other/[g].txt"}, ""},
		{[]string{"**/er/*.txt"}, []string{"notes/deep/er/c.txt"}, "seam: **/er/*.txt: skipped 1 link out of the folder (--follow)\n"},
		{[]string{"other/**/*.txt"}, []string{"other/[g].txt", "other/f.txt"}, ""},
		{[]string{"other/[g].txt"}, []string{"other/[g].txt"}, ""}, // the name of an existing file is not a pattern
		{[]string{"o?her/[a-f].txt"}, []string{"other/f.txt"}, ""},
		{[]string{filepath.Join(dir, "al*.txt")}, []string{filepath.Join(dir, "alone.txt")}, ""},
	} {
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "jsonl"}, tt.args...)...)
		if got := filesOf(t, r.out); r.status != 0 || r.err != tt.says || !slices.Equal(got, tt.files) {
			t.Errorf("%q: %q, want %q (status %d, %q)", tt.args, got, tt.files, r.status, r.err)
		}
	}
	r := runIn(t, dir, nil, "text", "none/*.pdf", "alone.txt", "other")
	if r.status != 1 || r.err != "seam: none/*.pdf matches no file that seam can read\n" || r.out != "Four.\fSix.\fFive." {
		t.Errorf("%+v", r)
	}
	if r = runIn(t, dir, nil, "text", "other/[f.txt"); r.status != 1 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "bracket") {
		t.Errorf("%+v", r)
	}
	if r = runIn(t, dir, nil, "chunk", "-", "-"); r.status != 2 || !strings.Contains(r.err, "once") {
		t.Errorf("%+v", r)
	}
}

func TestAFileForEach(t *testing.T) {
	dir := tree(t, notes)
	os.WriteFile(filepath.Join(dir, "notes", "b.pdf"), pdftest.Article("Of b."), 0o644)
	r := runIn(t, dir, nil, "chunk", "--format", "jsonl", "-o", "out/", "notes", "alone.txt", "other/f.txt")
	want := []string{"a.txt.jsonl", "alone.txt.jsonl", "b.md.jsonl", "b.pdf.jsonl", "deep/er/c.txt.jsonl", "f.txt.jsonl"}
	if got := written(t, filepath.Join(dir, "out")); r.status != 0 || r.out != "" || !slices.Equal(got, want) {
		t.Errorf("%q, want %q: %+v", got, want, r)
	}
	// Two folders with equal file names, and an output folder that exists.
	os.Mkdir(filepath.Join(dir, "texts"), 0o755)
	os.WriteFile(filepath.Join(dir, "other", "A.txt"), []byte("Seven."), 0o644)
	if r = runIn(t, dir, nil, "text", "-o", "texts", "notes/*.txt", "other/A.txt"); r.status != 0 {
		t.Errorf("%+v", r)
	}
	if got := written(t, filepath.Join(dir, "texts")); !slices.Equal(got, []string{"notes/a.txt.txt", "other/A.txt.txt"}) {
		t.Errorf("%q", got)
	}
	all := ""
	for _, name := range written(t, filepath.Join(dir, "texts")) {
		b, _ := os.ReadFile(filepath.Join(dir, "texts", name))
		all += string(b)
	}
	if !strings.Contains(all, "Two.") || !strings.Contains(all, "Seven.") {
		t.Errorf("one is written over the other: %q", all)
	}
	// Inputs are never overwritten. Each JSON output file has one object, as for a single
	// file.
	for _, args := range [][]string{{"text", "-o", "other/f.txt", "other/f.txt"}, {"text", "-o", "alone.txt", "alone.txt", "other"}} {
		if r = runIn(t, dir, nil, args...); r.status != 2 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "would overwrite the input") {
			t.Errorf("%q: %+v", args, r)
		}
	}
	r = runIn(t, dir, nil, "chunk", "--format", "json", "-o", "json/", "other/f.txt")
	b, err := os.ReadFile(filepath.Join(dir, "json", "f.txt.json"))
	if alone := runIn(t, dir, nil, "chunk", "--format", "json", "other/f.txt"); err != nil || r.status != 0 || string(b) != alone.out {
		t.Errorf("%s, want %s: %v", b, alone.out, err)
	}
}

// Everything goes into one file, which is complete in the end or unchanged.
func TestAFileForAll(t *testing.T) {
	dir := tree(t, notes)
	out := filepath.Join(dir, "all.csv")
	if r := runIn(t, dir, nil, "chunk", "--format", "csv", "-o", "all.csv", "other", "missing.txt", "alone.txt"); r.status != 1 || r.out != "" || r.err != "seam: missing.txt: no such file\n" {
		t.Errorf("%+v", r)
	}
	b, _ := os.ReadFile(out)
	if strings.Count(string(b), "\n") != 4 || !strings.HasPrefix(string(b), "file,id,") {
		t.Errorf("%s", b)
	}
	if r := runIn(t, dir, nil, "chunk", "--format", "csv", "-o", "all.csv", "--method", "percentile", "--threshold", "900", "other"); r.status != 2 {
		t.Errorf("%+v", r)
	}
	if again, _ := os.ReadFile(out); !bytes.Equal(b, again) {
		t.Errorf("a command that failed has changed the file: %s", again)
	}
	if r := runIn(t, dir, nil, "text", "-o", "none/x.txt", "alone.txt"); r.status != 1 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "write none/x.txt: ") {
		t.Errorf("%+v", r)
	}
}

// The output is the same for any number of workers, in the order of the arguments. A file
// that fails is reported in its place.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 14 {
		name := fmt.Sprintf("%02d.txt", i)
		content := strings.Repeat(fmt.Sprintf("Sentence %d turns its cap into the wind. Venus has a day of its own. ", i), 1+900/(i+1))
		if i%5 == 3 {
			content = "\x00"
		}
		if i == 7 {
			content = strings.Repeat("Die Mühle dreht sich im Wind und mahlt das Korn für die Leute im Tal. ", 30) // which prints a warning
		}
		os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644)
		names = append(names, name)
	}
	for _, args := range [][]string{{"text"}, {"text", "--format", "json"}, {"chunk"}, {"chunk", "--format", "csv", "--headers"}, {"chunk", "--format", "json"},
		{"chunk", "--method", "recursive", "--overlap", "20", "--format", "jsonl"}, {"chunk", "--method", "fixed", "--format", "json"}, {"chunk", "--embedder", "lexical", "--format", "jsonl"}} {
		one := runIn(t, dir, []string{"GOMAXPROCS=1"}, append(args, names...)...)
		four := runIn(t, dir, []string{"GOMAXPROCS=4"}, append(args, names...)...)
		if one != four {
			t.Errorf("%q: with four at once it is another", args)
		}
		if one.status != 1 || strings.Count(one.err, "not a text") != 3 || !strings.Contains(one.err, "03.txt") || len(one.out) < 10000 {
			t.Errorf("%q: status %d, %q", args, one.status, one.err)
		}
		if args[len(args)-1] == "json" && args[0] == "chunk" && !json.Valid([]byte(one.out)) {
			t.Errorf("%q: no JSON", args)
		}
	}
}

// started starts a process; its output can be read as it comes.
func started(t *testing.T, args ...string) (cmd *exec.Cmd, out *bufio.Reader, errs *bytes.Buffer) {
	t.Helper()
	cmd, errs = exec.Command(seam, args...), &bytes.Buffer{}
	cmd.Stderr = errs
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewReader(pipe), errs
}

// The output for a file is printed when it is done, regardless of the next file.
func TestLinesComeAsFilesAreDone(t *testing.T) {
	first := file(t, "first.txt", []byte("A windmill turns. Its cap does, too."))
	pipe := filepath.Join(t.TempDir(), "later.txt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, format := range []string{"jsonl", "csv"} {
		cmd, out, errs := started(t, "chunk", "--format", format, first, pipe)
		if format == "csv" {
			out.ReadString('\n')
		}
		if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, "A windmill turns.") {
			t.Fatalf("%q, %v", line, err)
		}
		if err := os.WriteFile(pipe, []byte("It came later."), 0o600); err != nil { // waits for the reader
			t.Fatal(err)
		}
		if rest, _ := io.ReadAll(out); cmd.Wait() != nil || !strings.Contains(string(rest), "It came later.") {
			t.Errorf("%q, %q", rest, errs)
		}
	}
}

// The first chunks of a long text appear long before the last, and Ctrl-C leaves complete
// lines of the finished part.
func TestStoppedInTheMiddle(t *testing.T) {
	long := file(t, "long.txt", []byte(strings.Repeat("A windmill turns its cap into the wind. The sails drive a shaft of oak. ", 200_000)))
	for _, method := range []string{"recursive", "fixed"} {
		for _, format := range []string{"jsonl", "json", "csv"} {
			cmd, out, errs := started(t, "chunk", "--method", method, "--format", format, long)
			if _, err := out.Peek(1); err != nil {
				t.Fatal(err)
			}
			cmd.Process.Signal(os.Interrupt) // it cannot end by itself because its output is not read
			b, _ := io.ReadAll(out)
			if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 || errs.String() != "seam: stopped\n" {
				t.Errorf("%s: status %d, %q", method, cmd.ProcessState.ExitCode(), errs)
			}
			switch n := bytes.Count(b, []byte("\n")); {
			case len(b) == 0 || len(b) > 10<<20:
				t.Errorf("%s, %s: %d bytes were printed", method, format, len(b))
			case format == "jsonl":
				filesOf(t, string(b))
			case format == "json" && !json.Valid(b), format == "csv" && (n < 2 || b[len(b)-1] != '\n'):
				t.Errorf("%s, %s: torn: …%q", method, format, b[max(0, len(b)-80):])
			}
		}
	}
}

// A name that is not UTF-8 is valid: the file is opened, the name is printed escaped, and
// JSON output with it is valid.
func TestNamesThatAreNoUTF8(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"caf\xe9.txt": "One.", "tab\t\x1b[2J.txt": "\x00", "caf\xe8.txt": "Two."} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Skip(err)
		}
	}
	for _, args := range [][]string{{"."}, {"caf\xe8.txt", "caf\xe9.txt", "tab\t\x1b[2J.txt"}, {"*.txt"}} {
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "jsonl"}, args...)...)
		if got := filesOf(t, r.out); r.status != 1 || !slices.Equal(got, []string{`caf\xe8.txt`, `caf\xe9.txt`}) {
			t.Errorf("%q: %q, %+v", args, got, r)
		}
		if strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, `seam: tab\t\x1b[2J.txt: not a text`) {
			t.Errorf("%q: %q", args, r.err)
		}
	}
	r := runIn(t, dir, nil, "text", "missing\xff.txt")
	if r.status != 1 || r.err != "seam: missing\\xff.txt: no such file\n" {
		t.Errorf("%q", r.err)
	}
	if r = runIn(t, dir, nil, "text", "-o", "out/", "caf\xe9.txt"); r.status != 0 || !slices.Equal(written(t, filepath.Join(dir, "out")), []string{"caf\xe9.txt.txt"}) {
		t.Errorf("%+v", r)
	}
	r = runIn(t, dir, nil, "search", "--json", "--mode", "keyword", "one", "caf\xe9.txt")
	if r.status != 0 || !json.Valid([]byte(r.out)) || !strings.Contains(r.out, `"caf\\xe9.txt"`) {
		t.Errorf("%+v", r)
	}
}

// A command that reads one file never overwrites it, under any of its names.
func TestNothingIsWrittenOverWhatIsRead(t *testing.T) {
	const content = "# One\n\nA thing.\n"
	dir := tree(t, map[string]string{"a.md": content})
	if err := os.Symlink("a.md", filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"embed"}, {"enrich", "headers"}, {"enrich", "knowledge", "--model", "m", "--base-url", "http://127.0.0.1:1/v1"}, {"eval", "questions", "--model", "m", "--base-url", "http://127.0.0.1:1/v1"}} {
		for _, out := range []string{"a.md", "./a.md", "link.md"} {
			r := runIn(t, dir, nil, append(args, "-o", out, "a.md")...)
			if b, err := os.ReadFile(filepath.Join(dir, "a.md")); r.status != 2 || !strings.Contains(r.err, "would overwrite the input a.md") || err != nil || string(b) != content {
				t.Errorf("%q -o %s: %+v, %q", args, out, r, b)
			}
		}
	}
}

// A file longer than any document is not read. Among others it is reported as unreadable,
// and the program does not crash.
func TestAFileLongerThanMemory(t *testing.T) {
	dir := tree(t, map[string]string{"a.txt": "One.", "disk.txt": ""})
	if err := os.Truncate(filepath.Join(dir, "disk.txt"), 40<<30); err != nil {
		t.Skip(err) // this disk does not support sparse files
	}
	r := runIn(t, dir, nil, "chunk", "--format", "jsonl", ".")
	if got := filesOf(t, r.out); r.status != 1 || !slices.Equal(got, []string{"a.txt"}) || r.err != "seam: disk.txt is 40 GB, and seam reads at most 4 GB: split it first\n" {
		t.Errorf("%q, %+v", got, r)
	}
}
