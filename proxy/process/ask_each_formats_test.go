package process

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// Questions and answers with quotes, line breaks and formulas are data in every format.
func TestEachFormats(t *testing.T) {
	dir := tree(t, map[string]string{"=a.md": "# Gate\n\nThe \"gate\" is \x1b[31mgreen.", "b.md": "Nothing here."})
	p := upstreamtest.Start()
	defer p.Close()
	p.Always(upstreamtest.Script{Words: []string{"=HYPERLINK(\"http://", "example.org\")\n\nIt is \"green\" [1]."}})
	question := "=1+1, is the \"gate\"\ngreen?"
	ask := func(format string) string {
		t.Helper()
		r := runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=off"}, eachArgs("--base-url", p.BaseURL, "--model", "c", "--format", format, question, "=a.md", "b.md")...)
		if r.status != 0 {
			t.Fatalf("%+v", r)
		}
		return r.out
	}
	answer := "=HYPERLINK(\"http://example.org\")\n\nIt is \"green\" [1]."
	sheet, marked := strings.CutPrefix(ask("csv"), "\ufeff")
	cells, err := csv.NewReader(strings.NewReader(sheet)).ReadAll()
	if err != nil || !marked || len(cells) != 3 || cells[0][1] != "'"+question || cells[1][0] != "'=a.md" || cells[1][1] != "'"+answer || !strings.HasPrefix(cells[1][2], "[1] Gate: ") || cells[2][1] != "not in it (nothing sent)" || cells[2][2] != "" {
		t.Errorf("%q, %v", cells, err)
	}
	var whole struct {
		Model     string
		Questions []string
		Files     []eachRow
	}
	if err := json.Unmarshal([]byte(ask("json")), &whole); err != nil || whole.Model != "c" || whole.Questions[0] != question || len(whole.Files) != 2 || whole.Files[0].Cells[0].Answer != answer {
		t.Errorf("%+v, %v", whole, err)
	}
	text := ask("text")
	if !strings.Contains(text, "=a.md\n  =1+1, is the \"gate\" green?\n    =HYPERLINK") || !strings.Contains(text, "\n      [1] Gate: ") || strings.Contains(text, "\x1b") || !strings.HasSuffix(text, "\nb.md\n  =1+1, is the \"gate\" green?\n    not in it (nothing sent)\n") {
		t.Errorf("%s", text)
	}
}

// A dry run lists the requests, and sends nothing. A wrong command line is one sentence.
func TestEachDryRun(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "The gate is green.", "b.md": "The gate is red.", "c.md": "Nothing.", "empty.txt": "# none\n\n"})
	p := upstreamtest.Start()
	defer p.Close()
	ask := func(args ...string) result {
		return runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=off"}, append([]string{"ask", "--each", "--mode", "keyword", "--base-url", p.BaseURL}, args...)...)
	}
	r := ask("--model", "c", "--chat-price", "1,2", "--dry-run", "What about the gate?", "a.md", "b.md", "c.md")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.status != 0 || len(p.Requests()) != 0 || len(lines) != 3 || !strings.HasPrefix(lines[0], "would send 2 requests (about ") || !strings.Contains(lines[0], ": about $0.00") ||
		!strings.HasPrefix(lines[1], "a.md: What about the gate?: 1 passage, about ") || !strings.HasPrefix(lines[2], "b.md: ") {
		t.Errorf("%+v", r)
	}
	if r = ask("--model", "c", "--dry-run", "What about lighthouses?", "c.md"); r.status != 0 || r.out != "nothing would be sent\n" {
		t.Errorf("%+v", r)
	}
	r = ask("--model", "c", "--dry-run", "--mode", "hybrid", "--embedder", "openai:e", "What about the gate?", "a.md", "b.md")
	if lines = strings.Split(strings.TrimSpace(r.out), "\n"); r.status != 0 || len(p.Requests()) != 0 || len(lines) != 3 || !strings.HasPrefix(lines[1], "would send the query (about ") || !strings.Contains(lines[2], "would send at most 2 requests to c at ") {
		t.Errorf("%+v", r)
	}
	for want, args := range map[string][]string{
		"empty.txt has no question":      {"--model", "c", "--questions", "empty.txt", "a.md"},
		"no such file":                   {"--model", "c", "--questions", "gone.txt", "a.md"},
		"the question is empty":          {"--model", "c", " ", "a.md"},
		"give a file or folder":          {"--model", "c", "Why?"},
		"needs --model or --local":       {"Why?", "a.md"},
		"does not work with --parts":     {"--model", "c", "--parts", "Why?", "a.md"},
		"does not work with --reasoning": {"--model", "c", "--reasoning", "Why?", "a.md"},
		"--chat-price needs":             {"--model", "c", "--chat-price", "1", "Why?", "a.md"},
		"would overwrite":                {"--model", "c", "-o", "a.md", "Why?", "a.md"},
		"must be one of":                 {"--model", "c", "--format", "xml", "Why?", "a.md"},
	} {
		status := 2
		if want == "no such file" {
			status = 1
		}
		if r := ask(args...); r.status != status || r.out != "" || !strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", want, r)
		}
	}
	if r := own(t, "off", "ask", "--questions", "q.txt", "Why?", "a.md"); r.status != 2 || !strings.Contains(r.err, "--questions needs --each") {
		t.Errorf("%+v", r)
	}
}

// With a hosted embedder a question is embedded once for all files.
func TestEachEmbedsAQuestionOnce(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "The gate is green.", "b.md": "The gate is red.", "c.md": "Nothing."})
	p := upstreamtest.Start()
	defer p.Close()
	p.Always(upstreamtest.Script{Words: []string{"Yes [1]."}})
	question := "What about the gate?"
	r := own(t, "off", "ask", "--each", "--base-url", p.BaseURL, "--model", "c", "--embedder", "openai:e", question, dir)
	embedded, asked := 0, 0
	for _, q := range p.Requests() {
		if slices.Contains(q.Texts, question) {
			embedded++
		} else if q.Texts == nil {
			asked++
		}
	}
	if r.status != 0 || embedded != 1 || asked != 2 {
		t.Errorf("%d and %d requests, %+v", embedded, asked, r)
	}
}
