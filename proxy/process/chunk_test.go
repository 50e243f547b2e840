package process

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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

// A method that cuts nothing says why and suggests a change, which then cuts.
func TestNothingIsCut(t *testing.T) {
	name := file(t, "six.txt", []byte("The lathe turns the wood. The chisel cuts the wood. A comet has a tail of gas. The tail shines at night. Bread rises in a warm bowl. The dough needs an hour."))
	r := run(t, "", "chunk", "--method", "stddev", name)
	const want = "six.txt: not cut: no distance is 3 standard deviations above the mean; --threshold 1.5 gives 2 chunks\n"
	if r.status != 0 || !strings.HasSuffix(r.err, want) || !strings.Contains(r.out, "6 sentences, 1 chunk\n") {
		t.Errorf("status %d, %q, %q", r.status, r.err, r.out)
	}
	if out := ok(t, "", "chunk", "--method", "stddev", "--threshold", "1.5", name); !strings.Contains(out, "6 sentences, 2 chunks\n") {
		t.Errorf("%q", out)
	}
	ok(t, "", "chunk", "--method", "stddev", "--count", "1", name)
}

// A long text that the method's default leaves whole is cut with the nearest number that
// cuts, unless a number was chosen.
func TestLongTextIsCut(t *testing.T) {
	const six = "The lathe turns the wood. The chisel cuts the wood. A comet has a tail of gas. The tail shines at night. Bread rises in a warm bowl. The dough needs an hour. "
	name := file(t, "long.txt", []byte(strings.Repeat(six, 20)))
	r := run(t, "", "chunk", "--method", "stddev", "--format", "jsonl", name)
	const said = "long.txt: no distance is 3 standard deviations above the mean; cut with --threshold 1"
	if r.status != 0 || !strings.Contains(r.err, said) || strings.Count(r.out, "\n") < 3 {
		t.Errorf("status %d, %q, %d lines", r.status, r.err, strings.Count(r.out, "\n"))
	}
	whole := run(t, "", "chunk", "--method", "stddev", "--threshold", "3", "--format", "jsonl", name)
	if strings.Count(whole.out, "\n") != 1 || !strings.Contains(whole.err, "long.txt: not cut: ") {
		t.Errorf("%q, %d lines", whole.err, strings.Count(whole.out, "\n"))
	}
}

// Offsets refer to what --document prints, for every method and view.
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

// With --headers every format includes them, and lengths count header and chunk together.
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
	if err != nil || rows[0][10] != "header" || rows[1][10] != got.Chunks[0].Header {
		t.Errorf("%q (%v)", rows[0], err)
	}
	if text := ok(t, "", append(args, path)...); !strings.Contains(text, "\n["+got.Chunks[0].Header+"]\n") {
		t.Errorf("the header is not in the text: %.300s", text)
	}
	if out := ok(t, "", "chunk", "--method", "sections", "--format", "json", path); strings.Contains(out, `"header"`) {
		t.Error("a header that nobody asked for")
	}
}

// Headings of Markdown are sections, and the title of its front matter is the document's
// title.
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
	if want := "|Of mills|Befor\nWind|Of mills › Wind|# Win\nWind › Sails|Of mills › Wind › Sails|Sails\n"; got != want {
		t.Errorf("%s", got)
	}
}

// A number that cannot be met is an error, or a note that says why.
func TestWishes(t *testing.T) {
	essay := file(t, "essay.md", []byte(strings.Join(paragraphs, "\n\n")))
	for args, says := range map[string]string{
		"--count 0":                       "--count: 0 is no number of at least 1",
		"--count -3":                      "--count: -3 is no number of at least 1",
		"--max-tokens 0":                  "--max-tokens: 0 is no number of at least 1",
		"--max-tokens many":               "--max-tokens: many is no number of at least 1",
		"--count 3 --threshold 1":         "--threshold and --count both say where to cut: give one of them",
		"--threshold -1":                  "invalid coarseness -1: use a value above 0",
		"--min-tokens -1":                 "-1",
		"--method cluster --count 3":      "cluster does not support a threshold or a count",
		"--method sections --threshold 3": "sections does not support a threshold or a count",
		"--method fixed --threshold 3":    "fixed does not support a threshold or a count",
	} {
		if r := run(t, "", append(append([]string{"chunk"}, strings.Fields(args)...), essay)...); r.status != 2 || r.out != "" || !strings.Contains(r.err, says) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	for args, says := range map[string]string{
		"--count 3":                                      "",
		"--count 50":                                     "essay.md: 12 chunks instead of 50: the text has 12 sentences\n",
		"--count 2 --max-tokens 30":                      " chunks instead of 2: a chunk has at most 30 tokens\n",
		"--count 9 --min-tokens 40":                      " instead of 9: some chunks would be shorter than the minimum\n",
		"--count 12 --max-tokens 500":                    "",
		"--method stddev --threshold -1 --max-tokens 99": "", // a value for this method
	} {
		if r := run(t, "", append(append([]string{"chunk"}, strings.Fields(args)...), essay)...); r.status != 0 || !strings.HasSuffix(r.err, says) || says == "" && r.err != "" {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
