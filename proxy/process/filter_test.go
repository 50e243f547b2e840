package process

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// jsonLine returns an input line of a filter.
func jsonLine(t *testing.T, v map[string]any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// asLines converts the output of --format jsonl to the output expected from a filter.
func asLines(jsonl, head, file string) string {
	var out strings.Builder
	for line := range strings.Lines(jsonl) {
		_, rest, _ := strings.Cut(line, `,"chunk":`)
		out.WriteString(head)
		if file != "" {
			out.WriteString(`,"file":"` + file + `"`)
		}
		out.WriteString(`,"chunk":` + rest)
	}
	return out.String()
}

// Documents come back in their order. Each chunk has the id and meta of its line unchanged,
// and otherwise the same bytes as without a filter.
func TestFilter(t *testing.T) {
	essay := strings.Join(paragraphs, "\n\n")
	dir := tree(t, map[string]string{"a.md": essay, "b.txt": essay, "page.html": "<!doctype html><title>T</title><h1>A head</h1><p>One thing.</p><p>Another.</p>"})
	os.WriteFile(filepath.Join(dir, "c.pdf"), pdftest.Article(paragraphs...), 0o644)
	var in, want strings.Builder
	for i, name := range []string{"c.pdf", "a.md", "page.html", "b.txt"} {
		alone := runIn(t, dir, nil, "chunk", "--headers", "--max-tokens", "20", "--format", "jsonl", name)
		fmt.Fprintf(&in, `{"meta": {"b":1.50,"a":[12345678901234567890, "<&>"]}, "path": %q, "id": "%d \u00e9"}`+"\n", name, i)
		want.WriteString(asLines(alone.out, fmt.Sprintf(`{"id":"%d \u00e9","meta":{"b":1.50,"a":[12345678901234567890,"<&>"]}`, i), name))
		if b, _ := os.ReadFile(filepath.Join(dir, name)); name != "c.pdf" { // the same as a text
			in.WriteString(jsonLine(t, map[string]any{"id": i, "text": string(b), "name": name}))
			want.WriteString(asLines(alone.out, fmt.Sprintf(`{"id":%d`, i), name))
		}
	}
	stdin := exec.Command(seam, "chunk", "--as", "text", "--headers", "--max-tokens", "20", "--format", "jsonl", "-")
	stdin.Stdin = strings.NewReader(essay)
	alone, err := stdin.Output()
	if err != nil {
		t.Fatal(err)
	}
	in.WriteString("\n" + `{"id":-1.0,"path":null,"text":` + strings.TrimSpace(string(mustJSON(t, essay))) + `}`) // without a name or a newline
	want.WriteString(asLines(string(alone), `{"id":-1.0`, ""))
	file := filepath.Join(dir, "lines.jsonl")
	os.WriteFile(file, []byte(strings.ReplaceAll("\ufeff"+in.String(), "\n", "\r\n")), 0o644)
	for _, args := range [][]string{{"-"}, {"--lines", "-"}, {"--format", "jsonl", "-"}, {"--lines", file}, {"--lines", "-o", filepath.Join(dir, "out"), "-"}} {
		cmd := exec.Command(seam, append([]string{"chunk", "--headers", "--max-tokens", "20"}, args...)...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(in.String())
		out, err := cmd.Output()
		if strings.Contains(strings.Join(args, " "), "-o") {
			out, _ = os.ReadFile(filepath.Join(dir, "out"))
		}
		chunks := strings.Join(slices.DeleteFunc(slices.Collect(strings.Lines(string(out))), isDone), "")
		if done := strings.Count(string(out), `"done":true`); err != nil || chunks != want.String() || done != 8 {
			t.Errorf("%q: %v, %d done\n%s\nwant\n%s", args, err, done, out, want.String())
		}
	}
}

// isDone reports whether a line is the last one of a document.
func isDone(line string) bool { return strings.Contains(line, `"done":true`) }

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An unreadable line is reported in its place, and the others are not affected.
func TestLinesThatFail(t *testing.T) {
	dir := tree(t, map[string]string{"a.txt": "One thing.", "not.pdf": "no PDF at all", "empty.txt": "", "sheet.xlsx": "PK\x03\x04", "x.seam": ""})
	os.WriteFile(filepath.Join(dir, "stump.pdf"), pdftest.Article("Some text.")[:60], 0o644)
	long := `{"id":"long","text":"` + strings.Repeat("Word. ", 3<<20) + `"}`
	cases := []struct{ line, id, says string }{
		{`{"id":1,"path":"a.txt"}`, "1", ""},
		{`{"id":2,"path":"none.txt"}`, "2", "none.txt: no such file"},
		{`{"id":"3","path":"stump.pdf"}`, `"3"`, "damaged"},
		{`{"id":4,"path":"not.pdf"}`, "4", "not.pdf"},
		{`{"id":5,"path":"."}`, "5", "a folder"},
		{`{"id":6,"path":"sheet.xlsx"}`, "6", "an Excel workbook"},
		{`{"id":7,"path":"x.seam"}`, "7", "a bundle"},
		{`{"id":8,"path":"/dev/null"}`, "8", "not a regular file"},
		{`{"id":9,"path":"-"}`, "9", "stdin"},
		{`{"id":10,"path":"empty.txt"}`, "10", "no text"},
		{`{"id":11,"text":""}`, "11", "no text"},
		{`{"id":12,"text":"%PDF-1.7 but no"}`, "12", "damaged"},
		{`{"id":13}`, "13", `neither "path" nor "text"`},
		{`{"id":14,"path":"a.txt","text":"x"}`, "14", "both"},
		{`{"id":15,"path":7}`, "15", "not a string"},
		{`{"id":16,"path":"a.txt","url":"x"}`, "16", `"url"`},
		{`{"id":17,"path":"a.txt","name":"a.md"}`, "17", "name"},
		{`{"path":"a.txt"}`, "", `"id"`},
		{`{"id":null,"path":"a.txt"}`, "", `"id"`},
		{`{"id":{},"path":"a.txt"}`, "", `"id"`},
		{`{"id":1,"path":`, "", "JSON"},
		{`{"id":1} {"id":2}`, "", "JSON"},
		{`[]`, "", "JSON"},
		{`null`, "", "JSON"},
		{"{\"id\":\"\xff\"}", "", "UTF-8"},
		{long, "", "longer than 16 MB"},
		{`{"id":27,"text":"Another thing."}`, "27", ""},
	}
	var in strings.Builder
	failed := 0
	for _, c := range cases {
		in.WriteString(c.line + "\n")
		if c.says != "" {
			failed++
		}
	}
	cmd := exec.Command(seam, "chunk", "--lines", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in.String())
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if want := fmt.Sprintf("seam: %d of %d lines have an error instead of chunks\n", failed, len(cases)); err != nil || errs.String() != want {
		t.Errorf("%v, %q, want %q", err, errs.String(), want)
	}
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(out)), "\n"), isDone)
	if len(lines) != len(cases) {
		t.Fatalf("%d lines for %d:\n%.3000s", len(lines), len(cases), out)
	}
	for i, c := range cases {
		var got struct {
			ID          json.RawMessage
			Line        int
			Error, Text string
		}
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || string(got.ID) != c.id {
			t.Errorf("%.80q: %s, %v", c.line, lines[i], err)
		}
		if (c.says == "") != (got.Error == "") || !strings.Contains(got.Error, c.says) || c.says != "" && got.Line != i+1 || c.says == "" && got.Text == "" {
			t.Errorf("%.80q: %s, want %q", c.line, lines[i], c.says)
		}
	}
	if out := ok(t, "", "chunk", "--lines", "-"); out != "" {
		t.Errorf("of no lines: %q", out)
	}
}

// A client that sends one line and waits gets its chunks before the next line. A client
// that disconnects ends the program.
func TestFilterAnswersAtOnce(t *testing.T) {
	cmd := exec.Command(seam, "chunk", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	for i := range 20 {
		if _, err := io.WriteString(in, jsonLine(t, map[string]any{"id": i, "text": "One thing."})); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"chunk", "done"} {
			if line, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,"%s":`, i, key)) {
				t.Fatalf("line %d: %q, %v", i, line, err)
			}
		}
	}
	out.Close()
	line := []byte(jsonLine(t, map[string]any{"id": 0, "text": "One thing."}))
	for err == nil {
		_, err = in.Write(line)
	}
	cmd.Wait()
	if errs.String() != "" {
		t.Errorf("%q", errs.String())
	}
}

// Input that is not a line of a filter is read as a document, unchanged.
func TestStdinIsADocument(t *testing.T) {
	for _, tt := range []struct {
		in   string
		args []string
	}{
		{"One thing. Another.\n", nil},
		{`{"id": 1}` + "\n", nil},
		{`{"text": "One."}` + "\n" + `{"id":1,"text":"Two."}` + "\n", nil},
		{`{"id":1,"text":"Two.","more":3}` + "\n", nil},
		{`{"id":1,"text":"Two."}` + "\n", []string{"--no-lines"}},
	} {
		out := ok(t, tt.in, append(append([]string{"chunk", "--method", "page", "--format", "jsonl"}, tt.args...), "-")...)
		var got struct{ File, Text string }
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.File != "-" || got.Text != strings.TrimSpace(tt.in) {
			t.Errorf("%q: %q, %v", tt.in, out, err)
		}
	}
	if out := ok(t, `{"id":1,"text":"Two."}`+"\n", "chunk", "--format", "csv", "-"); !strings.HasPrefix(out, "file,id") {
		t.Errorf("%q", out)
	}
	long := `{"id":1,"text":"` + strings.Repeat("Word. ", 3<<20)
	out := ok(t, long, "chunk", "--method", "fixed", "--tokens", "chars", "--max-tokens", "1000000", "--format", "jsonl", "-")
	if !strings.Contains(out, fmt.Sprintf(`"end":%d,`, len(long))) {
		t.Errorf("a document in one line of %d bytes is not read to its end", len(long))
	}
	dir := t.TempDir()
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"--lines", "a", "b"}, "one file of lines"},
		{[]string{"--lines", "--format", "csv", "-"}, "csv"},
		{[]string{"--lines", "-o", dir, "-"}, "folder"},
		{[]string{"--lines", "--dry-run", "-"}, "--dry-run"},
	} {
		if r := run(t, "", append([]string{"chunk"}, tt.args...)...); r.status != 2 || !strings.Contains(r.err, tt.says) {
			t.Errorf("%q: %+v", tt.args, r)
		}
	}
	if r := run(t, `{"id":1,"text":"Two."}`, "chunk", "--dry-run", "-"); r.status != 2 || !strings.Contains(r.err, "--dry-run") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "chunk", "--lines", filepath.Join(dir, "none")); r.status != 1 || !strings.Contains(r.err, "no such file") {
		t.Errorf("%+v", r)
	}
}

// Lines have the formats for loaders and databases, with vectors. The input's id names the
// document, and no line is anything but a chunk.
func TestLinesInOtherFormats(t *testing.T) {
	in := `{"id":"a/1","text":"One thing. Another."}` + "\n" + `{"id":7,"text":"One thing. Another."}` + "\n" + `{"id":8,"path":"none.txt"}` + "\n"
	seen := map[string]bool{}
	for _, format := range []string{"langchain", "qdrant", "chroma", "opensearch", "llamaindex", "lancedb", "weaviate", "pinecone"} {
		r := run(t, in, "chunk", "--embedder", "builtin", "--format", format, "--lines", "-")
		if r.status != 1 || !strings.HasPrefix(r.err, "seam: line 3: none.txt: no such file\nseam: 1 of 3 lines have an error") {
			t.Errorf("%s: %+v", format, r)
		}
		if strings.Count(r.out, `"document":"a/1"`) != 1 || strings.Count(r.out, `"document":"7"`) != 1 || strings.Contains(r.out, `"done"`) || strings.Contains(r.out, "none.txt") {
			t.Errorf("%s: %s", format, r.out)
		}
		if format == "qdrant" {
			for _, p := range qdrant(t, r.out) {
				seen[p.id] = true
				if len(p.vector) != 256 {
					t.Errorf("%d numbers", len(p.vector))
				}
			}
		}
	}
	if len(seen) != 2 {
		t.Errorf("the same text in two documents has the ids %v", seen)
	}
	for _, format := range []string{"json", "csv", "pgvector", "parquet"} {
		if r := run(t, in, "chunk", "--format", format, "--lines", "-"); r.status != 2 || !strings.Contains(r.err, "--lines does not work with --format "+format) {
			t.Errorf("%s: %+v", format, r)
		}
	}
}
