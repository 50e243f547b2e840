package process

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/pdftext/pdftest"
)

// These tests run seam eval questions with a scripted provider.

// madeQuestion is a question that seam eval questions prints.
type madeQuestion struct {
	Question, File, Made string
	Excerpts             []string
	Ideal                string `json:"ideal_answer"`
}

const orchard = `Apples ripen in the orchard behind the house. Their skin turns red in September.

A tractor pulls the plough across the field. It burns eleven litres of diesel an hour.

Violins are made of spruce and maple. The varnish takes weeks to dry.

Glaciers move a few centimetres a day. They carry stones down the valley.
`

// asker is a model that turns the first sentence of a passage into a question.
func asker(r *upstreamtest.Request) upstreamtest.Script {
	passage := passageOf(r)
	if passage == "" {
		return scholar(r)
	}
	first := strings.TrimSpace(strings.SplitAfter(passage, ".")[0])
	b, _ := json.Marshal(map[string]any{"questions": []map[string]string{{"question": "What of “" + strings.Fields(first)[0] + "”?", "excerpt": strings.ReplaceAll(first, " ", "\n "), "answer": first}}})
	return upstreamtest.Script{Words: []string{"```json\n", string(b), "\n```"}}
}

// passageOf returns the passage that a model is asked to make questions from.
func passageOf(r *upstreamtest.Request) string {
	var body struct {
		Messages []struct{ Content string }
	}
	if json.Unmarshal(r.Body, &body) != nil || len(body.Messages) != 2 {
		return ""
	}
	_, passage, _ := strings.Cut(body.Messages[1].Content, "Text:\n")
	return passage
}

// The questions of a model can be used as an evaluation set without changes.
func TestQuestionsOfAModelAreMeasuredBy(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	unread := true
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "tractor") && unread {
			unread = false
			return upstreamtest.Script{Words: []string{"I would rather not."}}
		}
		return asker(r)
	})
	dir, cache := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sets"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "farm.txt"), []byte(orchard), 0o644); err != nil {
		t.Fatal(err)
	}
	seam := func(args ...string) result {
		return runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=" + cache}, args...)
	}
	args := []string{"eval", "questions", "--suggest", "4", "farm.txt", "--model", "m", "--base-url", p.BaseURL, "--tokens", "words", "--max-tokens", "18", "-o", "sets/q.jsonl"}
	r := seam(args...)
	if r.status != 0 || r.out != "" || len(p.Requests()) != 5 || strings.Contains(r.err, " made") || !strings.Contains(r.err, "sending 4 requests (about ") {
		t.Fatalf("%+v after %d requests", r, len(p.Requests()))
	}
	first := mustRead(t, filepath.Join(dir, "sets", "q.jsonl"))
	rows := rowsOf[madeQuestion](t, string(first))
	if len(rows) != 4 {
		t.Fatalf("%s", first)
	}
	for i, word := range []string{"Apples", "A", "Violins", "Glaciers"} { // evenly, in the order of the text
		if q := rows[i]; q.Made != "model:m" || q.File != "../farm.txt" || q.Question != "What of “"+word+"”?" || len(q.Excerpts) != 1 || !strings.Contains(orchard, q.Excerpts[0]) || q.Ideal != q.Excerpts[0] {
			t.Errorf("%+v", q)
		}
	}
	// Every command reads the set unchanged, and keeps the name of the model that made it.
	g := readGrid(t, seam("eval", "grid", "--questions", "sets/q.jsonl", "--methods", "sentences", "--json"))
	if g.Questions != 4 || *g.Rows[0].Depths[1].Recall.Mean != 1 {
		t.Errorf("%+v", g)
	}
	if r := seam("eval", "retrieval", "--questions", "sets/q.jsonl", "--per-question", "each.json"); r.status != 0 || strings.Count(string(mustRead(t, filepath.Join(dir, "each.json"))), `"made": "model:m"`) != 4 {
		t.Errorf("%+v", r)
	}
	if r, report := evalPipeline(t, p, cache, "chunk-size", filepath.Join(dir, "farm.txt"), "--questions", filepath.Join(dir, "sets", "q.jsonl"), "--embedding-model", "builtin", "--sizes", "60"); r.status != 0 || len(report.Runs) != 4 {
		t.Errorf("%+v", r)
	}
	// Nothing is requested twice: the same set costs nothing, and a larger one pays only
	// for its new questions.
	asked := len(p.Requests())
	if again := seam(args...); again.status != 0 || len(p.Requests()) != asked || string(mustRead(t, filepath.Join(dir, "sets", "q.jsonl"))) != string(first) {
		t.Errorf("%+v after %d requests, before %d", again, len(p.Requests()), asked)
	}
	args[3] = "2"
	if fewer := seam(args...); fewer.status != 0 || len(p.Requests()) != asked || len(rowsOf[madeQuestion](t, string(mustRead(t, filepath.Join(dir, "sets", "q.jsonl"))))) != 2 {
		t.Errorf("%+v after %d requests, before %d", fewer, len(p.Requests()), asked)
	}
}

// Questions are made from runs of sentences. If they were made from the chunks of a method,
// that method would have an advantage.
func TestQuestionsAreOfNoMethodsChunks(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(asker)
	var b strings.Builder
	for i := range 90 {
		fmt.Fprintf(&b, "Apple %d ripens in the orchard behind the house. ", i)
	}
	document := file(t, "farm.txt", []byte(b.String()))
	runs := ok(t, "", "chunk", "--method", "sentences", "--min-tokens", "128", "--max-tokens", "256", "--format", "jsonl", document)
	if r := own(t, "off", "eval", "questions", "-n", "9", "--base-url", p.BaseURL, "--model", "m", document); r.status != 0 || len(p.Requests()) < 3 || len(p.Requests()) != strings.Count(runs, "\n") {
		t.Fatalf("%+v after %d requests", r, len(p.Requests()))
	}
	for _, q := range p.Requests() {
		if !strings.Contains(runs, `"text":"`+passageOf(q)+`"`) {
			t.Errorf("%q", passageOf(q))
		}
	}
}

// Excerpts that do not occur in their passage are dropped and counted.
func TestQuestionsWithoutTheirExcerptAreDropped(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		excerpt := map[string]string{"Apples": "Apples are blue.", "A": "It burns eleven litres of diesel an hour.", "Violins": "house", "Glaciers": "They carry stones"}[strings.Fields(passageOf(r))[0]]
		b, _ := json.Marshal(excerpt)
		return upstreamtest.Script{Words: []string{`{"questions":[{"question":"Why?","excerpt":` + string(b) + `},{"question":"And?","excerpt":"Nobody says so."},{"question":" ","excerpt":"e"}]}`}}
	})
	document := file(t, "farm.txt", []byte(orchard+"\nViolins stand in the house, and nobody plays.\n"))
	args := []string{"eval", "questions", "-n", "5", "--base-url", p.BaseURL, "--model", "m", "--tokens", "words", "--max-tokens", "18", document}
	r := own(t, "off", args...)
	rows := rowsOf[madeQuestion](t, r.out)
	if r.status != 0 || len(rows) != 2 || rows[0].Excerpts[0] != "It burns eleven litres of diesel an hour." || rows[1].Excerpts[0] != "They carry stones" {
		t.Fatalf("%+v", r)
	}
	if !strings.Contains(r.err, "seam: 2 of 5 questions made, ") || !strings.Contains(r.err, "excerpts not verbatim or found elsewhere") || !strings.Contains(r.err, "chunks without a usable answer (none of its excerpts is in the text verbatim)") {
		t.Error(r.err)
	}
	p.Always(upstreamtest.Script{})
	p.By(func(*upstreamtest.Request) upstreamtest.Script {
		return upstreamtest.Script{Words: []string{`{"questions":[]}`}}
	})
	if r := own(t, "off", args...); r.status != 1 || r.out != "" || !strings.Contains(r.err, "no usable question") {
		t.Errorf("%+v", r)
	}
}

// A stopped run writes the questions made so far, and the same command continues.
func TestStoppedQuestionsAreKept(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	held, release := holdAfter(2, asker)
	p.By(held)
	document, cache, to := file(t, "farm.txt", []byte(orchard)), t.TempDir(), filepath.Join(t.TempDir(), "q.jsonl")
	args := []string{"eval", "questions", "-n", "4", "--base-url", p.BaseURL, "--model", "m", "--tokens", "words", "--max-tokens", "18", "-o", to, document}
	t.Setenv("OPENAI_API_KEY", ownKey)
	t.Setenv("SEAM_PROXY", "")
	t.Setenv("SEAM_CACHE", cache)
	state, told := endedOnTheWay(t, "", args, syscall.SIGINT, func() bool {
		return replies(t, filepath.Join(cache, "runs", "*.jsonl")) >= 2 && len(p.Requests()) == 4 // all that are asked
	})
	release()
	if rows := rowsOf[madeQuestion](t, string(mustRead(t, to))); len(rows) != 2 || state.ExitCode() != 130 || !strings.Contains(told, "seam: 2 of 4 questions made\nseam: stopped\n") || !strings.Contains(told, "is stored in") {
		t.Errorf("%d %s %+v", state.ExitCode(), told, rows)
	}
	before := len(p.Requests())
	p.By(asker)
	if r := own(t, cache, args...); r.status != 0 || len(p.Requests()) != before+2 || len(rowsOf[madeQuestion](t, string(mustRead(t, to)))) != 4 {
		t.Errorf("%+v after %d requests", r, len(p.Requests()))
	}
}

func TestQuestionsMistakes(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	document := file(t, "farm.txt", []byte(orchard))
	for _, tt := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "--model", []string{document}},
		{2, "use 1 or more", []string{"-n", "0", "--model", "m", document}},
		{2, "give the file the extension .jsonl", []string{"--model", "m", "-o", "q.csv", document}},
		{1, "gone.txt", []string{"--model", "m", "gone.txt"}},
		{1, "no text to ask about", []string{"--model", "m", file(t, "blank.txt", []byte(" \n"))}},
	} {
		r := own(t, "off", append([]string{"eval", "questions", "--base-url", p.BaseURL}, tt.args...)...)
		if r.status != tt.status || r.out != "" || !strings.Contains(r.err, tt.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", tt.args, r)
		}
	}
	r := own(t, "off", "eval", "questions", "--base-url", p.BaseURL, "--model", "m", "--chat-price", "100,200", "--dry-run", document)
	if r.status != 0 || len(p.Requests()) > 0 || !strings.HasPrefix(r.out, "would send 1 request (about ") || !strings.Contains(r.out, "about $0.") || strings.Contains(r.out, "$0.0000") {
		t.Errorf("%+v", r)
	}
	p.Always(upstreamtest.Script{Status: http.StatusUnauthorized})
	if r = own(t, "off", "eval", "questions", "--base-url", p.BaseURL, "--model", "m", document); r.status != 1 || r.out != "" || strings.Count(r.err, "OPENAI_API_KEY") != 1 {
		t.Errorf("%+v", r)
	}
	// Nothing is stored for a document opened with a password, and prompts can be replaced.
	p.By(asker)
	secret := pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "Venus turns backwards."}}}}, Encrypt: true, Password: "open sesame"}
	cache, folder := t.TempDir(), filepath.Dir(file(t, "questions.txt", []byte("Ask in verse.")))
	r = own(t, cache, "eval", "questions", "--base-url", p.BaseURL, "--model", "m", "--password", "open sesame", "--prompts", folder, "-n", "3", file(t, "locked.pdf", pdftest.Write(secret)))
	last := p.Requests()[len(p.Requests())-1]
	if r.status != 0 || len(rowsOf[madeQuestion](t, r.out)) != 1 || slices.ContainsFunc(written(t, cache), func(name string) bool { return strings.Contains(name, "runs") }) || !strings.Contains(string(last.Body), "Ask in verse.") || !strings.Contains(string(last.Body), fmt.Sprintf("Questions wanted: %d", 3)) {
		t.Errorf("%+v, %s", r, last.Body)
	}
}
