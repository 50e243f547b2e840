// Package process tests the program seam as its users run it: as a process.
package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

var seam string // path of the program

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "seam-test")
	if err != nil {
		panic(err)
	}
	seam = filepath.Join(dir, "seam")
	os.Setenv("SEAM_CACHE", filepath.Join(dir, "cache")) // never the user's own
	os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	if out, err := exec.Command("go", "build", "-o", seam, "seam/proxy").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

type result struct {
	status   int
	out, err string
}

// run runs seam with in as stdin and returns its output.
func run(t *testing.T, in string, args ...string) result {
	t.Helper()
	cmd := exec.Command(seam, args...)
	cmd.Stdin = strings.NewReader(in)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	checkSchema(t, args, out.String())
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// ok is like run, for commands that must succeed with nothing on stderr. A search may find nothing.
func ok(t *testing.T, in string, args ...string) string {
	t.Helper()
	r := run(t, in, args...)
	if nothing := r.status == 1 && len(args) > 0 && args[0] == "search"; r.status != 0 && !nothing || r.err != "" {
		t.Fatalf("seam %s: status %d, stderr %q", strings.Join(args, " "), r.status, r.err)
	}
	return r.out
}

// failed is the exit status of a command whose work failed. A search has the statuses of grep.
func failed(command string) int {
	if command == "search" {
		return 2
	}
	return 1
}

func file(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

var paragraphs = []string{
	"# Windmills", "A windmill turns its cap into the wind. The sails drive a shaft of oak. The shaft drives the stones.",
	"# Lathes", "A lathe turns the work and holds the tool still. Shavings fly from the chisel. Hard wood takes a better polish.",
	"# Planets", "A planet turns around its star. Our day is one turn of the axis. Venus turns backwards.",
}

func pdf(t *testing.T) string { return file(t, "turns.pdf", pdftest.Article(paragraphs...)) }

// An error is one line that names the file and says what to do. The status is 1 for failed
// work and 2 for a wrong command line.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Dir(file(t, "index.html", []byte("<!doctype html>")))
	for _, tt := range []struct {
		args   []string
		status int
		says   []string
	}{
		{[]string{"text", "no-such-file.pdf"}, 1, []string{"no-such-file.pdf", "no such file"}},
		{[]string{"text", dir}, 1, []string{dir, "holds no PDF"}},
		{[]string{"text", file(t, "empty.pdf", nil)}, 1, []string{"empty.pdf"}},
		{[]string{"text", file(t, "picture.pdf", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"))}, 1, []string{"picture.pdf", "PDF"}},
		{[]string{"text", file(t, "stump.pdf", pdftest.Article("Some text.")[:60])}, 1, []string{"stump.pdf", "damaged", "another copy"}},
		{[]string{"text", file(t, "binary.txt", []byte("a\x00b"))}, 1, []string{"binary.txt", "not a text", "seam reads PDF, "}},
		{[]string{"chunk", file(t, "sheet.xlsx", []byte("PK\x03\x04"))}, 1, []string{"sheet.xlsx", "an Excel workbook", "export it as PDF, "}},
		{[]string{"chunk", "--method", "magic", "x.txt"}, 2, []string{"magic", "percentile, stddev"}},
		{[]string{"chunk", "--method", "percentile", "--threshold", "400", file(t, "a.txt", []byte("One. Two. Three."))}, 2, []string{"400", "0 to 100"}},
		{[]string{"chunk", "--method", "page", "--overlap", "4", "x.txt"}, 2, []string{"overlap", "page"}},
		{[]string{"chunk", "--method", "recursive", "--threshold", "4", "x.txt"}, 2, []string{"threshold", "recursive"}},
		{[]string{"chunk", "--method", "recursive", "--min-tokens", "300", "x.txt"}, 2, []string{"300", "256"}},
		{[]string{"chunk", "--min-tokens", "9", "--max-tokens", "3", "x.txt"}, 2, []string{"minimum of 9"}},
		{[]string{"chunk", "--page-join", "", "x.txt"}, 2, []string{"content view"}},
		{[]string{"chunk"}, 2, []string{"file"}},
		{[]string{"chnk"}, 2, []string{"chnk", `did you mean "chunk"?`, "`seam -h`"}},
		{[]string{"help", "chnk"}, 2, []string{`did you mean "chunk"?`}},
		{[]string{"chunk", "--method", "recursiv", "x.txt"}, 2, []string{"did you mean recursive?", "percentile, stddev"}},
		{[]string{"chunk", "--method", "Fixd", "x.txt"}, 2, []string{"did you mean fixed?"}},
		{[]string{"chunk", file(t, "letter.docx", []byte("PK\x03\x04"))}, 1, []string{"letter.docx", "a Word document", "export it as PDF, "}},
		{[]string{"text", file(t, "letter.odt", []byte("PK\x03\x04"))}, 1, []string{"an OpenDocument file", "export it as PDF, "}},
		{[]string{"text", file(t, "book.odt", []byte("PK\x03\x04"))}, 1, []string{"an OpenDocument file", "export it as PDF, "}},
		{[]string{"text", file(t, "book.epub", []byte("PK\x03\x04"))}, 1, []string{"this book cannot be opened: it is not a zip file"}},
		{[]string{"text", file(t, "letter.rtf", []byte(`{\rtf1 Hi}`))}, 1, []string{"an RTF document", "export it as PDF, "}},
		{[]string{"search", "query only"}, 2, []string{"file or folder"}},
		{[]string{"search", " ", "x.txt"}, 2, []string{"empty"}},
		{[]string{"search", "-k", "0", "q", "x.txt"}, 2, []string{"-k 0"}},
		{[]string{"search", "q", dir}, 2, []string{dir, "no PDF"}},
		{[]string{"breakpoints", "--vectors", file(t, "v.npy", []byte("no"))}, 1, []string{"v.npy", ".npy"}},
		{[]string{"breakpoints", "--method", "x", "--vectors", "v.npy"}, 2, []string{"unknown method"}},
		{[]string{"breakpoints", "--count", "0", "--vectors", file(t, "n.npy", npy())}, 2, []string{"--count 0"}},
		{[]string{"breakpoints", "--count", "2", "--threshold", "9", "--vectors", "v.npy"}, 2, []string{"--count"}},
		{[]string{"serve", "--addr", "nowhere", "--dir", page}, 1, []string{"nowhere"}},
		{[]string{"serve", "--dir", dir}, 1, []string{"make build"}},
	} {
		r := run(t, "", tt.args...)
		if r.status != tt.status || strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "seam: ") {
			t.Errorf("seam %v: status %d, stderr %q", tt.args, r.status, r.err)
		}
		for _, s := range tt.says {
			if !strings.Contains(r.err, s) {
				t.Errorf("seam %v does not say %q: %s", tt.args, s, r.err)
			}
		}
	}
}

// One bad file among many is named, and the others are not affected.
func TestABadFileAmongGoodOnes(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.txt"), filepath.Join(dir, "bad.pdf")
	os.WriteFile(good, []byte("A lighthouse. Its lamp."), 0o644)
	os.WriteFile(bad, []byte("no PDF at all"), 0o644)
	for _, args := range [][]string{
		{"chunk", "--format", "json", good, bad},
		{"chunk", "--format", "csv", bad, good},
		{"search", "lighthouse", dir},
	} {
		r := run(t, "", args...)
		if r.status != failed(args[0]) || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "bad.pdf") || !strings.Contains(r.out, "lighthouse") {
			t.Errorf("seam %v: %+v", args, r)
		}
	}
}

// interrupt sends Ctrl-C to cmd, which must then exit with one line on stderr.
func interrupt(t *testing.T, cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 130 || stderr.String() != "seam: stopped\n" {
		t.Errorf("%v: status %d, stderr %q", cmd.Args, cmd.ProcessState.ExitCode(), stderr.String())
	}
}

// Ctrl-C ends the work at once, with one line.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(seam, "sentences", file(t, "big.txt", []byte(strings.Repeat("A windmill turns its cap into the wind. ", 50_000))))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Output has begun, and the rest is blocked until this test reads it. Ctrl-C must end
	// the program anyway.
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	interrupt(t, cmd, &errs)
}

// Ctrl-C also works while waiting for stdin, for example when the user forgot to name a
// file.
func TestInterruptOfStdin(t *testing.T) {
	for _, args := range [][]string{{"sentences", "-"}, {"chunk", "-"}, {"chunk", "--lines", "-"}} {
		cmd := exec.Command(seam, args...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Writing more than a pipe holds makes sure that the program is reading, and so
		// handles signals by now.
		if _, err := in.Write([]byte(strings.Repeat("A mill. ", 64<<10))); err != nil {
			t.Fatal(err)
		}
		interrupt(t, cmd, &errs)
	}
}

func TestHelp(t *testing.T) {
	_, list, _ := strings.Cut(ok(t, ""), "\nCommands:\n")
	commands := regexp.MustCompile(`(?m)^  ([a-z]\S*(?: [a-z]+)?)  `).FindAllStringSubmatch(list, -1)
	if len(commands) < 20 {
		t.Errorf("%d commands:\n%s", len(commands), list)
	}
	for _, command := range commands {
		c := command[1]
		if out := ok(t, "", append(strings.Fields(c), "-h")...); !strings.Contains(out, "Example") || !strings.Contains(out, "seam "+c+" ") {
			t.Errorf("%s has no example:\n%s", c, out)
		}
	}
	if ok(t, "", "help") != ok(t, "") || ok(t, "", "help", "chunk") != ok(t, "", "chunk", "--help") || ok(t, "", "help", "eval", "retrieval") != ok(t, "", "eval", "retrieval", "-h") {
		t.Error("seam help is another help")
	}
	if out := ok(t, "", "--version"); !strings.HasPrefix(out, "seam ") {
		t.Errorf("%q", out)
	}
}
