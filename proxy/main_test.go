package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seam/shared/pdftext/pdftest"
)

// The tests here run the program as a process, as its users do.

var seam string // path of the program

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "seam-test")
	if err != nil {
		panic(err)
	}
	seam = filepath.Join(dir, "seam")
	os.Setenv("SEAM_CACHE", filepath.Join(dir, "cache")) // never the user's own
	if out, err := exec.Command("go", "build", "-o", seam, ".").CombinedOutput(); err != nil {
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

// run runs seam with stdin in and returns what it printed.
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
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// ok is run for what has to work without a word on stderr.
func ok(t *testing.T, in string, args ...string) string {
	t.Helper()
	r := run(t, in, args...)
	if r.status != 0 || r.err != "" {
		t.Fatalf("seam %s: status %d, stderr %q", strings.Join(args, " "), r.status, r.err)
	}
	return r.out
}

// A method that cuts nothing says why and what to change; following it cuts.
func TestNothingIsCut(t *testing.T) {
	name := file(t, "six.txt", []byte("The lathe turns the wood. The chisel cuts the wood. A comet has a tail of gas. The tail shines at night. Bread rises in a warm bowl. The dough needs an hour."))
	r := run(t, "", "chunk", "--method", "stddev", name)
	const want = "six.txt: nothing is cut: no distance is 3 standard deviations above the mean; --threshold 1.5 gives 2 chunks\n"
	if r.status != 0 || !strings.HasSuffix(r.err, want) || !strings.Contains(r.out, "6 sentences, 1 chunk\n") {
		t.Errorf("status %d, %q, %q", r.status, r.err, r.out)
	}
	if out := ok(t, "", "chunk", "--method", "stddev", "--threshold", "1.5", name); !strings.Contains(out, "6 sentences, 2 chunks\n") {
		t.Errorf("%q", out)
	}
	ok(t, "", "chunk", "--method", "stddev", "--count", "1", name)
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

func TestTextOfAPDF(t *testing.T) {
	path := pdf(t)
	out := ok(t, "", "text", path)
	if !strings.Contains(out, "Windmills") || !strings.Contains(out, "Venus turns backwards.") {
		t.Errorf("%q", out)
	}
	var doc struct {
		Pages []struct {
			Number        int
			Width, Height float64
			Text          string
			Words         []struct {
				Text       string
				Start, End int
				Box        [4]float64
			}
		}
	}
	if err := json.Unmarshal([]byte(ok(t, "", "text", "--format", "json", path)), &doc); err != nil {
		t.Fatal(err)
	}
	words, joined := 0, []string{}
	for _, p := range doc.Pages {
		joined = append(joined, p.Text)
		for _, w := range p.Words {
			words++
			if p.Text[w.Start:w.End] != w.Text {
				t.Errorf("%q at %d is %q", w.Text, w.Start, p.Text[w.Start:w.End])
			}
			if w.Box[0] < 0 || w.Box[2] > p.Width || w.Box[1] < 0 || w.Box[3] > p.Height || w.Box[0] >= w.Box[2] || w.Box[1] >= w.Box[3] {
				t.Errorf("%q has the box %v on a page of %v×%v", w.Text, w.Box, p.Width, p.Height)
			}
		}
	}
	if words < 50 || strings.Join(joined, "\f") != out {
		t.Errorf("%d words; the two formats differ", words)
	}
}

type chunksOut struct {
	Chunks []struct {
		File, ID, Text, Reason string
		Start, End, Tokens     int
		Page                   int
		Pages                  []int
	}
	Curve *struct {
		Values     []float64
		Boundaries []int
		Sentences  int
	}
}

// Offsets refer to what --document prints, for every method and view.
// A scan is no error, but what is missing is said.
func TestScan(t *testing.T) {
	r := run(t, "", "chunk", file(t, "scan.pdf", pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Image: true}, {Image: true}}})))
	if r.status != 0 || !strings.Contains(r.err, "pages 1, 2 hold images without text (scanned)") || !strings.Contains(r.err, "there is no text in this document") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}

func TestChunksAreSpansOfTheDocument(t *testing.T) {
	path := pdf(t)
	texts := map[string]string{}
	for _, view := range []string{"reading", "content"} {
		texts[view] = ok(t, "", "text", "--document", "--view", view, path)
	}
	for _, method := range []string{"percentile", "stddev", "iqr", "gradient", "notebook-percentile", "notebook-stddev", "notebook-iqr", "cluster", "sections", "recursive", "sentences", "page", "fixed"} {
		for _, view := range []string{"reading", "content"} {
			var got chunksOut
			out := ok(t, "", "chunk", "--method", method, "--view", view, "--max-tokens", "12", "--format", "json", path)
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			for _, c := range got.Chunks {
				if texts[view][c.Start:c.End] != c.Text || c.Tokens > 12 || c.Page != 1 || c.Reason == "" || c.ID == "" {
					t.Errorf("%s, %s: %+v", method, view, c)
				}
			}
			if len(got.Chunks) < 3 {
				t.Errorf("%s, %s: %d chunks", method, view, len(got.Chunks))
			}
		}
	}
}

func TestTokensOfChunks(t *testing.T) {
	path := file(t, "a.txt", []byte("Tokenizers count differently, don't they?\n\nA second paragraph. Größer als gedacht, and 12345 more."))
	dir := t.TempDir()
	words := `{"model":{"type":"WordLevel","vocab":{"[UNK]":0,"a":1},"unk_token":"[UNK]"},"pre_tokenizer":{"type":"Whitespace"}}`
	own := filepath.Join(dir, "tokenizer.json")
	if err := os.WriteFile(own, []byte(words), 0o644); err != nil {
		t.Fatal(err)
	}
	for unit, want := range map[string][]int{"cl100k": {9, 17}, "o200k_base": {8, 15}, "tokenizer:" + own: {9, 12}} {
		var got chunksOut
		if err := json.Unmarshal([]byte(ok(t, "", "chunk", "--method", "sections", "--tokens", unit, "--format", "json", path)), &got); err != nil {
			t.Fatal(err)
		}
		var n []int
		for _, c := range got.Chunks {
			n = append(n, c.Tokens)
		}
		if !slices.Equal(n, want) {
			t.Errorf("%s: %v, want %v", unit, n, want)
		}
	}
	for _, tt := range []struct {
		unit   string
		status int
		says   string
	}{{"miles", 2, "cl100k"}, {"tokenizer:" + filepath.Join(dir, "none.json"), 1, "no such file"}, {"tokenizer:" + path, 1, "a.txt"}} {
		if r := run(t, "", "chunk", "--tokens", tt.unit, path); r.status != tt.status || !strings.Contains(r.err, tt.says) {
			t.Errorf("%s: status %d, %q", tt.unit, r.status, r.err)
		}
	}
}

func TestChunkFormats(t *testing.T) {
	path := file(t, "a.txt", []byte("One thing. Another, \"quoted\" thing.\nAnd <b>more</b>."))
	lines := strings.Split(strings.TrimSpace(ok(t, "", "chunk", "--count", "3", "--format", "jsonl", path)), "\n")
	rows, err := csv.NewReader(strings.NewReader(ok(t, "", "chunk", "--count", "3", "--format", "csv", path))).ReadAll()
	if err != nil || len(lines) != 3 || len(rows) != 4 {
		t.Fatalf("%d lines, %d rows, %v", len(lines), len(rows), err)
	}
	for i, line := range lines {
		var c struct{ ID, Text, File string }
		if err := json.Unmarshal([]byte(line), &c); err != nil || c.ID != rows[i+1][1] || c.Text != rows[i+1][9] || c.File != path {
			t.Errorf("%s against %q: %v", line, rows[i+1], err)
		}
	}
	if !strings.Contains(lines[2], "<b>more</b>") {
		t.Errorf("markup is escaped: %s", lines[2])
	}
	text := ok(t, "", "chunk", "--count", "3", path)
	if !strings.Contains(text, "3 sentences, 3 chunks") || !strings.Contains(text, "Another, \"quoted\" thing.") {
		t.Errorf("%s", text)
	}
	var two chunksOut
	if err := json.Unmarshal([]byte(ok(t, "More text. On stdin.", "chunk", "--format", "json", path, "-")), &two); err != nil {
		t.Fatal(err)
	}
	if first, last := two.Chunks[0].File, two.Chunks[len(two.Chunks)-1].File; first != path || last != "-" {
		t.Errorf("files %q and %q", first, last)
	}
}

// With --headers every format has them, and lengths are those of both together.
func TestHeaders(t *testing.T) {
	path := pdf(t)
	args := []string{"chunk", "--method", "sections", "--tokens", "words", "--max-tokens", "30", "--headers"}
	var got struct {
		Chunks []struct {
			Header, Text string
			Tokens       int
		}
	}
	if err := json.Unmarshal([]byte(ok(t, "", append(args, "--format", "json", path)...)), &got); err != nil {
		t.Fatal(err)
	}
	headed := 0
	for _, c := range got.Chunks {
		n := len(strings.Fields(c.Text))
		if c.Header != "" {
			headed++
			n += len(strings.Fields(strings.ReplaceAll(c.Header, "›", "")))
		}
		if c.Tokens > 30 || c.Tokens != n {
			t.Errorf("%d tokens, want %d: %+v", c.Tokens, n, c)
		}
	}
	if headed == 0 {
		t.Error("no headers")
	}
	rows, err := csv.NewReader(strings.NewReader(ok(t, "", append(args, "--format", "csv", path)...))).ReadAll()
	if err != nil || rows[0][len(rows[0])-1] != "header" || rows[1][len(rows[0])-1] != got.Chunks[0].Header {
		t.Errorf("%q (%v)", rows[0], err)
	}
	if text := ok(t, "", append(args, path)...); !strings.Contains(text, "\n["+got.Chunks[0].Header+"]\n") {
		t.Errorf("the header is not in the text: %.300s", text)
	}
	if out := ok(t, "", "chunk", "--method", "sections", "--format", "json", path); strings.Contains(out, `"header"`) {
		t.Error("a header that nobody asked for")
	}
}

func TestSentences(t *testing.T) {
	in := "Dr. Weber met Émile. They talked.\n\nThen it rained."
	var got []string
	for line := range strings.Lines(ok(t, in, "sentences", "-")) {
		var s struct {
			Start, End int
			Text       string
		}
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		if in[s.Start:s.End] != s.Text {
			t.Errorf("%q at %d is %q", s.Text, s.Start, in[s.Start:s.End])
		}
		got = append(got, s.Text)
	}
	if strings.Join(got, "|") != "Dr. Weber met Émile.|They talked.|Then it rained." {
		t.Errorf("%q", got)
	}
	if n := strings.Count(ok(t, in, "sentences", "--method", "notebook"), "\n"); n != 3 {
		t.Errorf("the notebook finds %d", n)
	}
}

// npy is a NumPy file of rows of two numbers.
func npy(rows ...[2]float32) []byte {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 2), }", len(rows))
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	b = append(b, head...)
	for _, row := range rows {
		for _, x := range row {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

func TestBreakpoints(t *testing.T) {
	nan := float32(math.NaN())
	x, y := [2]float32{3, 0}, [2]float32{0, 0.5}
	for _, tt := range []struct {
		name string
		rows [][2]float32
		args []string
		want string
		says string
	}{
		{"two alike, two alike, across", [][2]float32{x, x, y, y}, []string{"--method", "percentile", "--threshold", "50"}, `{"distances":[0,1,0],"threshold":0,"boundaries":[1]}`, ""},
		{"a count", [][2]float32{x, x, y, y, x}, []string{"--count", "3"}, `{"distances":[0,1,0,1],"threshold":1,"boundaries":[1,3]}`, ""},
		{"more chunks than sentences", [][2]float32{x, y}, []string{"--count", "9"}, `{"distances":[1],"threshold":1,"boundaries":[0]}`, ""},
		{"one chunk", [][2]float32{x, y}, []string{"--count", "1"}, `{"distances":[1],"threshold":null,"boundaries":[]}`, ""},
		{"no row", nil, nil, `{"distances":[],"threshold":null,"boundaries":[]}`, ""},
		{"one row", [][2]float32{x}, nil, `{"distances":[],"threshold":null,"boundaries":[]}`, ""},
		{"two rows", [][2]float32{x, y}, nil, `{"distances":[1],"threshold":1,"boundaries":[]}`, ""},
		{"no direction", [][2]float32{x, {nan, 1}, {0, 0}, x}, []string{"--method", "notebook-iqr"}, `{"distances":[1,1,1],"threshold":0,"boundaries":[]}`, "2 of 4 rows"},
	} {
		r := run(t, "", append([]string{"breakpoints", "--vectors", file(t, "v.npy", npy(tt.rows...))}, tt.args...)...)
		if r.status != 0 || r.out != tt.want+"\n" || !strings.Contains(r.err, tt.says) || tt.says == "" && r.err != "" {
			t.Errorf("%s: %+v, want %s", tt.name, r, tt.want)
		}
	}
}

// An error is one line that names the file and says what to do; 1 for what
// failed, 2 for a wrong command line.
func TestSectionsOfMarkdown(t *testing.T) {
	path := file(t, "mills.md", []byte("---\ntitle: Of mills\n---\n\nBefore all.\n\n# Wind\n\nIt turns them.\n\nSails\n-----\n\nThey are of cloth."))
	args := []string{"chunk", "--method", "sections", "--headers", "--format", "json"}
	var cut struct {
		Chunks []struct{ Section, Header, Text string }
	}
	if err := json.Unmarshal([]byte(ok(t, "", append(args, path)...)), &cut); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range cut.Chunks {
		got += fmt.Sprintf("%s|%s|%.5s\n", c.Section, c.Header, c.Text)
	}
	if want := "|Of mills|---\nt\nWind|Of mills › Wind|# Win\nWind › Sails|Of mills › Wind › Sails|Sails\n"; got != want {
		t.Errorf("%s", got)
	}
}

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
		{[]string{"text", file(t, "book.epub", []byte("PK\x03\x04"))}, 1, []string{"an EPUB book", "export it as PDF, "}},
		{[]string{"text", file(t, "letter.rtf", []byte(`{\rtf1 Hi}`))}, 1, []string{"an RTF document", "export it as PDF, "}},
		{[]string{"search", "query only"}, 2, []string{"file or a folder"}},
		{[]string{"search", " ", "x.txt"}, 2, []string{"empty"}},
		{[]string{"search", "-k", "0", "q", "x.txt"}, 2, []string{"-k 0"}},
		{[]string{"search", "q", dir}, 1, []string{dir, "no PDF"}},
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

// One bad file among many is named, and costs the others nothing.
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
		if r.status != 1 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "bad.pdf") || !strings.Contains(r.out, "lighthouse") {
			t.Errorf("seam %v: %+v", args, r)
		}
	}
}

// Ctrl-C ends work at once, in one line.
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
	// Something is printed, and more cannot be as long as nobody reads it.
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	io.Copy(io.Discard, out)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 130 || errs.String() != "seam: stopped\n" {
		t.Errorf("status %d, stderr %q", cmd.ProcessState.ExitCode(), errs.String())
	}
}

func TestHelp(t *testing.T) {
	if out := ok(t, ""); !strings.Contains(out, "chunk") || !strings.Contains(out, "serve") {
		t.Errorf("%s", out)
	}
	for _, c := range []string{"text", "sentences", "breakpoints", "chunk", "search", "ask", "serve"} {
		if out := ok(t, "", c, "-h"); !strings.Contains(out, "Example") || !strings.Contains(out, "seam "+c+" ") {
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

// A page that is served until the signal, on a free port.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>page"), 0o644)
	cmd := exec.Command(seam, "serve", "--addr", "127.0.0.1:0", "--dir", dir)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	out := bufio.NewReader(pipe)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://127.0.0.1:")
	port, _, found := strings.Cut(rest, "/")
	if !found {
		t.Fatalf("no address in %q", line)
	}
	slow, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	io.WriteString(slow, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Get("http://127.0.0.1:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(b) != "<!doctype html>page" || resp.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("%q %v", b, resp.Header)
	}
	// The same port again is an error with a way out.
	if r := run(t, "", "serve", "--addr", "127.0.0.1:"+port, "--dir", dir); r.status != 1 || !strings.Contains(r.err, "is in use") {
		t.Errorf("%+v", r)
	}
	slow.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, slow); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("a body that does not come holds its connection")
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if last, _ := out.ReadString('\n'); last != "stopped\n" {
		t.Errorf("its last words are %q", last)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v", err)
	}
}

// Where a chunk stands in the document, and what the document says of itself,
// come out of a PDF file.
func TestSectionsOfPDF(t *testing.T) {
	long := strings.Repeat("Weavers came when the mills were old. They set their frames beside the wheel, and a shaft turned them. ", 4)
	path := file(t, "mills.pdf", pdftest.Article("# The valley", long, "## Mills", long, "## Looms", long))
	var doc struct {
		Title    string
		Sections []struct {
			Title string
			Level int
			Start int
		}
	}
	if err := json.Unmarshal([]byte(ok(t, "", "text", "--format", "json", path)), &doc); err != nil {
		t.Fatal(err)
	}
	view := ok(t, "", "text", "--document", path)
	if doc.Title != "Article" || len(doc.Sections) != 3 {
		t.Fatalf("title %q, sections %+v", doc.Title, doc.Sections)
	}
	for _, s := range doc.Sections {
		if !strings.HasPrefix(view[s.Start:], s.Title) {
			t.Errorf("section %q begins with %.20q", s.Title, view[s.Start:])
		}
	}
	chunks := func(view string) map[string]int {
		var cut struct{ Chunks []struct{ Section string } }
		if err := json.Unmarshal([]byte(ok(t, "", "chunk", "--max-tokens", "40", "--view", view, "--format", "json", path)), &cut); err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, c := range cut.Chunks {
			n[c.Section]++
		}
		return n
	}
	if n := chunks("reading"); n["The valley"] == 0 || n["The valley › Mills"] == 0 || n["The valley › Looms"] == 0 || len(n) != 3 {
		t.Errorf("chunks by section: %v", n)
	}
	if n := chunks("content"); len(n) != 1 || n[""] == 0 {
		t.Errorf("chunks of the content view by section: %v", n)
	}
}
