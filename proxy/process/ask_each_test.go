package process

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/pdftext/pdftest"
)

// These tests run seam ask --each with a scripted provider that answers from the passages that it
// was sent.

// towns are the questions about 50 documents that differ only in their figures, such as V17-2 for
// question 2 in document 17. No document has the words of the last but one question, and only
// every second one the figure of the last.
var towns = []struct{ question, fact string }{
	{"Who is the mayor?", "The mayor of the town is"},
	{"How long is the bridge?", "The bridge over the river is as long as"},
	{"What does the ferry cost?", "The ferry costs"},
	{"Quid sit zymurgy?", ""},
	{"When does the market open?", "The market opens at"},
}

// townFiles writes the documents, half of them PDFs, into two folders that have files of the same
// names. It returns the folder and the names in the order of the table.
func townFiles(t *testing.T) (dir string, names []string) {
	t.Helper()
	dir = t.TempDir()
	for i := range 50 {
		var parts []string
		for n, f := range towns {
			if f.fact != "" && (n != 4 || i%2 == 0) {
				parts = append(parts, "# Part "+string(rune('A'+n)), fmt.Sprintf("%s V%d-%d. %s", f.fact, i, n, strings.Repeat("People talk about it all day long. ", 6)))
			} else if n == 4 {
				parts = append(parts, "# Part E", fmt.Sprintf("The market behind house %d is closed for repairs, and does not open.", i))
			}
		}
		name := filepath.Join(dir, string(rune('a'+i/25)), fmt.Sprintf("town%02d", i%25))
		content := []byte(strings.Join(parts, "\n\n"))
		if i%25 < 12 {
			name += ".pdf"
			content = pdftest.Article(parts...)
		} else {
			name += ".md"
		}
		os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return dir, names
}

// clerk answers from the passages of a request, and cites the one that holds the answer. Requests
// take different times.
func clerk(t *testing.T) func(*upstreamtest.Request) upstreamtest.Script {
	return func(r *upstreamtest.Request) upstreamtest.Script {
		content := messagesOf(t, r)[1].Content
		s := upstreamtest.Script{Words: []string{"The provided passages do not contain the answer."}, HeaderDelay: time.Duration(len(content)%5) * time.Millisecond}
		for _, f := range towns {
			if f.fact == "" || !strings.Contains(content, f.question) {
				continue
			}
			for i, p := range passagesOf(content) {
				if v := regexp.MustCompile(`V\d+-\d`).FindString(after(p, f.fact)); v != "" {
					s.Words = strings.SplitAfter(fmt.Sprintf("=It is %s [%d], not [9].", v, i+1), " ")
				}
			}
		}
		return s
	}
}

// after returns the text that follows the only place of a phrase, with single spaces, or "".
func after(text, phrase string) string {
	_, rest, _ := strings.Cut(strings.Join(strings.Fields(text), " "), phrase)
	return rest
}

type eachRow struct {
	File  string
	Cells []struct {
		Question, Status, Answer, Finish, Error string
		Passages                                int
		Left                                    []string
		Evidence                                []struct {
			Number, Start, End, Page int
			Cited                    bool
			ID, Section, Quote, Text string
			Pages                    []int
		}
	}
}

func questionsFile(t *testing.T) string {
	lines := "\ufeff# about towns\r\n\r\n"
	for _, f := range towns {
		lines += "  " + f.question + "\r\n"
	}
	return file(t, "questions.txt", []byte(lines))
}

// wrongCells counts the cells that are not as the documents say, and names the first.
func wrongCells(t *testing.T, rows []eachRow, names []string) (wrong int) {
	t.Helper()
	if len(rows) != len(names) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, r := range rows {
		for n, c := range r.Cells {
			want, status := fmt.Sprintf("=It is V%d-%d [", i, n), "answered"
			switch {
			case n == 3:
				want, status = "", "unsent"
			case n == 4 && i%2 == 1:
				want, status = "", "absent"
			}
			ok := r.File == names[i] && len(r.Cells) == len(towns) && c.Question == towns[n].question && c.Status == status && strings.HasPrefix(c.Answer, want)
			if status == "answered" {
				ok = ok && len(c.Evidence) == 1 && c.Evidence[0].Cited && strings.HasSuffix(c.Answer, fmt.Sprintf(" [%d], not.", c.Evidence[0].Number)) &&
					strings.Contains(c.Evidence[0].Text, fmt.Sprintf("V%d-%d.", i, n)) && c.Finish == "stop" && c.Passages > 0
			}
			if !ok {
				if wrong++; wrong == 1 {
					t.Errorf("%s, %s: %+v", r.File, towns[n].question, c)
				}
			}
		}
	}
	return wrong
}

// eachArgs asks for sections as chunks, so that a document has several.
func eachArgs(more ...string) []string {
	return append([]string{"ask", "--each", "--mode", "keyword", "-k", "3", "--method", "sections"}, more...)
}

// Of 50 documents and 5 questions no cell is mixed up, with a key of one's own and through a
// proxy, and seam ask on one file alone sends the same requests.
func TestEachMixesNothingUp(t *testing.T) {
	dir, names := townFiles(t)
	questions := questionsFile(t)
	p := upstreamtest.Start()
	defer p.Close()
	p.By(clerk(t))
	l := linktest.Start(t, limit.Limits{})
	l.Provider.By(clerk(t))
	r := own(t, t.TempDir(), eachArgs("--base-url", p.BaseURL, "--model", "c", "--chat-price", "1,2", "--format", "jsonl", "--questions", questions, dir)...)
	if r.status != 0 {
		t.Fatalf("%+v", r.err)
	}
	rows := lineByLine[eachRow](t, r.out)
	if n := wrongCells(t, rows, names); n > 0 {
		t.Errorf("%d of 250 cells are wrong", n)
	}
	if n := len(p.Requests()); n != 200 || !strings.Contains(r.err, "seam: sending 200 requests (about ") || !strings.Contains(r.err, ", with a question and at most 3 passages of one file in each, with text next to them, and above each passage a line that names its document, section, page and date: about $") || !strings.Contains(r.err, "removed 175 numbers") {
		t.Errorf("%d requests, %s", n, r.err)
	}
	proxied := hostedWith(t, l, t.TempDir(), eachArgs("--model", "c", "--format", "jsonl", "--questions", questions, dir)...)
	if proxied.status != 0 || proxied.out != r.out {
		t.Errorf("through a proxy: %d, %s", proxied.status, proxied.err)
	}
	sent := map[string]bool{}
	for _, q := range p.Requests() {
		sent[string(q.Body)] = true
	}
	for i := 0; i < len(names); i += 7 {
		for _, f := range towns {
			before := len(p.Requests())
			own(t, t.TempDir(), "ask", "--mode", "keyword", "-k", "3", "--method", "sections", "--base-url", p.BaseURL, "--model", "c", f.question, names[i])
			for _, q := range p.Requests()[before:] {
				if !sent[string(q.Body)] {
					t.Errorf("%s, %s: seam ask sends another request: %s", names[i], f.question, q.Body)
				}
			}
		}
	}
}

// Answers that came are not requested again after the program was killed or stopped. Stopped, it
// prints those that came.
func TestEachPaysNothingTwice(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", ownKey)
	t.Setenv("SEAM_PROXY", "")
	for name, signal := range map[string]os.Signal{"killed": os.Kill, "stopped": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			dir, names := townFiles(t)
			cache, out := t.TempDir(), filepath.Join(t.TempDir(), "out.jsonl")
			t.Setenv("SEAM_CACHE", cache)
			p := upstreamtest.Start()
			defer p.Close()
			held, release := holdAfter(90, clerk(t))
			p.By(held)
			args := eachArgs("--base-url", p.BaseURL, "--model", "c", "--format", "jsonl", "-o", out, "--questions", questionsFile(t), dir)
			kept := func() (n int) {
				runs, _ := filepath.Glob(filepath.Join(cache, "runs", "ask-each-*.jsonl"))
				for _, run := range runs {
					n += strings.Count(readFile(t, run), `"result":"answer-`)
				}
				return n
			}
			state, told := endedOnTheWay(t, "", args, signal, func() bool { return kept() >= 90 && len(p.Requests()) == 90+atATime })
			release()
			if signal == os.Interrupt {
				rows, answered := lineByLine[eachRow](t, readFile(t, out)), 0
				for _, r := range rows {
					for _, c := range r.Cells {
						if c.Status == "answered" || c.Status == "absent" {
							answered++
						}
					}
				}
				if state.ExitCode() != 130 || !strings.HasSuffix(told, "seam: stopped\n") || !strings.Contains(told, "the run is stored in ") || answered != 90 {
					t.Errorf("%d, %d cells: %s", state.ExitCode(), answered, told)
				}
			} else if _, err := os.Stat(out); err == nil {
				t.Error("a killed run wrote its output")
			}
			p.By(clerk(t))
			r := own(t, cache, args...)
			if r.status != 0 || len(p.Requests()) != 200+atATime || !strings.Contains(r.err, "110 requests") || !strings.Contains(r.err, "minus 90 answers already stored") {
				t.Errorf("%d requests: %+v", len(p.Requests()), r)
			}
			wrongCells(t, lineByLine[eachRow](t, readFile(t, out)), names)
			// A third run sends nothing.
			if r = own(t, cache, args...); r.status != 0 || len(p.Requests()) != 200+atATime || strings.Contains(r.err, "sending") {
				t.Errorf("%d requests: %+v", len(p.Requests()), r)
			}
		})
	}
}

// Failures concern their own cells: of a provider, of a prompt that was cut, of a file. Rows are
// in the order of the command line, also for a file that is given twice.
func TestEachFailures(t *testing.T) {
	dir := tree(t, map[string]string{
		"x/a.md": "The gate is green.", "y/a.md": "The gate is red.", "bad.pdf": "no PDF at all", "down.md": "The gate is down.", "cut.md": "The gate is cut. " + strings.Repeat("In the month of flood the keeper counted boats. ", 200),
		"none.md": "Nothing here.", "filter.md": "The gate is secret.", "empty.md": "The gate is void.",
	})
	p := upstreamtest.Start()
	defer p.Close()
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		body := string(r.Body)
		for word, s := range map[string]upstreamtest.Script{
			"gate is green": {Words: []string{"Green [1]."}}, "gate is red": {Words: []string{"Red [1]."}},
			"gate is down": {Status: http.StatusInternalServerError}, "gate is cut": {Words: []string{"Cut [1]."}, Read: 300},
			"gate is secret": {Status: http.StatusBadRequest, Body: `{"error":{"message":"content_filter"}}`}, "gate is void": {Words: []string{" "}},
		} {
			if strings.Contains(body, word) {
				return s
			}
		}
		return upstreamtest.Script{}
	})
	cache := t.TempDir()
	ask := func(more ...string) result {
		t.Helper()
		args := eachArgs("--base-url", p.BaseURL, "--model", "c", "--max-tokens", "4000", "What about the gate?", "y/a.md", "x/a.md", "bad.pdf", "down.md", "cut.md", "none.md", "filter.md", "empty.md", "y/a.md")
		return runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=" + cache}, append(args, more...)...)
	}
	r := ask("--format", "jsonl")
	rows := lineByLine[eachRow](t, r.out)
	want := []string{"y/a.md answered Red [1].", "x/a.md answered Green [1].", "bad.pdf failed", "down.md failed", "cut.md failed", "none.md unsent", "filter.md failed", "empty.md failed", "y/a.md answered Red [1]."}
	errs := []string{"", "", "bad.pdf: ", "provider", "The model read 300 of about ", "", "provider", "empty", ""}
	if r.status != 1 || len(rows) != len(want) || strings.Count(r.err, "bad.pdf") != 1 || !strings.Contains(r.err, "4 cells without an answer because of an error") {
		t.Fatalf("%+v", r)
	}
	for i, row := range rows {
		c := row.Cells[0]
		if got := strings.TrimSpace(row.File + " " + c.Status + " " + c.Answer); got != want[i] || (c.Error != "") != (errs[i] != "") || !strings.Contains(c.Error, errs[i]) || strings.Contains(c.Error, "\n") {
			t.Errorf("%q, %+v", got, c)
		}
	}
	// The equal request of the file given twice is one. Failures are tried again, except for
	// an empty answer, which was paid for.
	before := map[string]int{}
	for _, q := range p.Requests() {
		before[regexp.MustCompile(`gate is \w+`).FindString(string(q.Body))]++
	}
	if before["gate is red"] != 1 || before["gate is green"] != 1 {
		t.Errorf("%v", before)
	}
	again := ask("--format", "jsonl")
	for _, q := range p.Requests() {
		before[regexp.MustCompile(`gate is \w+`).FindString(string(q.Body))]--
	}
	if again.out != r.out || before["gate is red"] != 0 || before["gate is void"] != 0 || before["gate is cut"] != -1 || before["gate is secret"] != -1 {
		t.Errorf("%v, %+v", before, again)
	}
}

// A wrong key ends the run, and is printed once. Nothing is stored of documents with a password.
func TestEachEndsWithAWrongKey(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "The gate is green.", "b.md": "The gate is red."})
	p := upstreamtest.Start()
	defer p.Close()
	cache := t.TempDir()
	ask := func(more ...string) result {
		return runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=" + cache}, eachArgs(append(more, "--base-url", p.BaseURL, "--model", "c", "What about the gate?", "a.md", "b.md")...)...)
	}
	p.Always(upstreamtest.Script{Status: http.StatusUnauthorized})
	if r := ask(); r.status != 1 || r.out != "" || strings.Count(r.err, "OPENAI_API_KEY") != 1 {
		t.Errorf("%+v", r)
	}
	p.Always(upstreamtest.Script{Words: []string{"Yes [1]."}})
	before := len(p.Requests())
	for range 2 {
		if r := ask("--password", "secret"); r.status != 0 || strings.Contains(r.err, "stored") {
			t.Errorf("%+v", r)
		}
	}
	if n := len(p.Requests()) - before; n != 4 {
		t.Errorf("%d requests", n)
	}
}

// Passages that do not fit into the context are named, and are no evidence.
func TestEachFitsTheContext(t *testing.T) {
	path := chronicle(t)
	p := upstreamtest.Start(upstreamtest.Script{Words: []string{"Many."}})
	defer p.Close()
	p.Gets = map[string]string{"/api/ps": `{"models":[{"name":"c:latest","context_length":2048}]}`}
	reads(t, p.Provider, 2048)
	r := own(t, t.TempDir(), "ask", "--each", "--model", "c", "--base-url", p.BaseURL, "-k", "9", "--method", "sections", "--max-tokens", "600", "--format", "jsonl", "How many boats did the keeper of the weir count?", path)
	rows := lineByLine[eachRow](t, r.out)
	if r.status != 0 || !strings.Contains(r.err, "1 cell without some of the passages found") {
		t.Fatalf("%+v", r)
	}
	c := rows[0].Cells[0]
	if c.Passages < 1 || c.Passages+len(c.Left) != 9 || len(c.Evidence) != c.Passages || c.Evidence[0].Cited {
		t.Errorf("%+v", c)
	}
	for _, e := range c.Evidence {
		if slices.Contains(c.Left, e.ID) || !strings.Contains(string(p.Requests()[0].Body), e.Text[2:11]) {
			t.Errorf("%+v", e)
		}
	}
}
