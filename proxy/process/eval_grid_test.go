package process

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// gridOf is the part of the output of seam eval grid --json that the tests check.
type gridOf struct {
	Questions int
	Goal      string
	Rows      []struct {
		Method, Embedder, Ranker string
		Size, Chunks             int
		Depths                   []struct {
			K                      int
			Recall, Precision, IoU struct{ Mean, Low, High *float64 }
			Read                   float64
		}
		Budgets []struct {
			Tokens int
			Recall struct{ Mean *float64 }
		}
		Against struct{ Mean *float64 }
		Tie     bool
		Millis  float64
	}
	Halves    *struct{ Odd, Even string }
	Documents []struct{ Name, SHA256 string }
}

// asked returns a folder with two texts, and questions about them in three forms.
func asked(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range map[string]string{
		"a.txt":     "The sails drive a shaft of oak.\nThe shaft drives the stones.\n\nÄrger is trouble, in German. Bread rises in a warm bowl. The dough needs an hour. A comet has a tail of gas.",
		"turns.pdf": string(mustRead(t, pdf(t))),
		"q.jsonl": `{"question":"What do the sails drive?","file":"a.txt","excerpts":["drive a  shaft of oak. The shaft"]}
{"id":7,"question":"Which word is <script>trouble</script> in German?","file":"a.txt","excerpts":["Ärger is trouble"]}
{"question":"How long does the dough need?","file":"a.txt","excerpts":["The dough needs an hour."]}
{"id":"v","question":"Which planet turns backwards?","file":"turns.pdf","excerpts":["Venus turns backwards."]}
{"question":"Who was the miller?","file":"a.txt","has_answer":false}`,
		"q.csv":  "question;excerpt\nWhat do the sails drive?;shaft of oak\n;drives the stones\nWho was the miller?;\n",
		"q.json": `[{"question":"What has a comet?","ideal_answer":"A tail.","has_answer":true,"excerpts":["a tail of gas"]}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readGrid(t *testing.T, r result) (g gridOf) {
	t.Helper()
	if r.status != 0 {
		t.Fatalf("%+v", r)
	}
	if err := json.Unmarshal([]byte(r.out), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// At equal depth a cell has the same figures as seam eval retrieval.
func TestEvalGridHasTheFiguresOfEvalRetrieval(t *testing.T) {
	dir := asked(t)
	same := []string{"--questions", "q.jsonl", "--methods", "percentile,recursive", "--sizes", "6,40", "--tokens", "words", "--json"}
	r := with(t, dir, "off", append([]string{"eval", "grid", "--rankers", "bm25,keyword,dense,hybrid", "-k", "1,3", "--within", "10,20"}, same...)...)
	g := readGrid(t, r)
	if len(g.Rows) != 2*2*4 || g.Questions != 4 || g.Goal != "recall in 10 tokens" || g.Halves == nil || len(g.Documents) != 2 || r.err != "seam: of 5 questions, skipped: 1 not answered by the text\n" {
		t.Fatalf("%+v %q", g, r.err)
	}
	for i, row := range g.Rows {
		if i > 0 && *row.Budgets[0].Recall.Mean > *g.Rows[i-1].Budgets[0].Recall.Mean || *row.Against.Mean > 0 || (i == 0) != (*row.Against.Mean == 0 && i == 0) {
			t.Errorf("row %d is out of order: %+v", i, row)
		}
		if lexical := row.Ranker == "bm25" || row.Ranker == "keyword"; (row.Embedder == "") != (lexical && row.Method == "recursive") {
			t.Errorf("%+v", row)
		}
	}
	for _, ranker := range []string{"bm25", "keyword", "dense", "hybrid"} {
		for _, k := range []int{1, 3} {
			var single rows
			r := with(t, dir, "off", append([]string{"eval", "retrieval", "--ranker", ranker, "-n", fmt.Sprint(k)}, same...)...)
			if err := json.Unmarshal([]byte(r.out), &single); err != nil {
				t.Fatal(err, r)
			}
			for _, row := range g.Rows {
				if row.Ranker != ranker {
					continue
				}
				want := single.row(t, fmt.Sprintf("%s %d", row.Method, row.Size), "all")
				d := row.Depths[0]
				if d.K != k {
					d = row.Depths[1]
				}
				for name, got := range map[string]*float64{"recall": d.Recall.Mean, "precision": d.Precision.Mean, "iou": d.IoU.Mean} {
					if w, _ := want[name].(float64); w-*got > 1e-4 || *got-w > 1e-4 {
						t.Errorf("%s %d %s, the first %d: %s %v instead of %v", row.Method, row.Size, ranker, k, name, *got, w)
					}
				}
			}
		}
	}
}

// A run is reproduced from its file to the byte, including the times of searches. Missing
// parts are measured again, wherever the file was truncated.
func TestEvalGridIsResumedAndReplayed(t *testing.T) {
	dir := asked(t)
	grid := func(more ...string) result {
		return with(t, dir, "off", append([]string{"eval", "grid", "--questions", "q.jsonl", "--methods", "percentile,fixed", "--rankers", "keyword,hybrid", "--within", "20", "--run", "run.jsonl", "--json"}, more...)...)
	}
	first := grid("--report", "first.html")
	readGrid(t, first)
	if again := grid("--replay", "--report", "again.html"); again.status != 0 || again.out != first.out {
		t.Errorf("%+v instead of %+v", again, first)
	}
	page := mustRead(t, filepath.Join(dir, "first.html"))
	if !bytes.Equal(page, mustRead(t, filepath.Join(dir, "again.html"))) {
		t.Error("the replayed report differs")
	}
	if again := grid(); again.out != first.out {
		t.Errorf("%s instead of what is kept, %s", again.out, first.out)
	}
	// A grid that grows keeps its old results: times are not measured again.
	var grown, before gridOf
	before = readGrid(t, first)
	grown = readGrid(t, with(t, dir, "off", "eval", "grid", "--questions", "q.jsonl", "--methods", "percentile,fixed,sentences", "--rankers", "keyword,hybrid", "--within", "20", "--run", "run.jsonl", "--json"))
	for _, old := range before.Rows {
		for _, row := range grown.Rows {
			if row.Method == old.Method && row.Ranker == old.Ranker && row.Millis != old.Millis {
				t.Errorf("%s %s was measured again", row.Method, row.Ranker)
			}
		}
	}
	if len(grown.Rows) != len(before.Rows)+2 {
		t.Errorf("%+v", grown)
	}
	whole := mustRead(t, filepath.Join(dir, "run.jsonl"))
	millis := regexp.MustCompile(`"millis":[0-9.e-]+`)
	for _, left := range []int{len(whole) - 1, len(whole) / 2, bytes.IndexByte(whole, '\n') + 1, 10, 0} {
		if err := os.WriteFile(filepath.Join(dir, "run.jsonl"), whole[:left], 0o600); err != nil {
			t.Fatal(err)
		}
		if left < len(whole)/2 {
			if r := grid("--replay"); r.status != 1 || r.out != "" || strings.Count(r.err, "\n") > 2 {
				t.Errorf("a replay of %d bytes: %+v", left, r)
			}
		}
		if got := grid(); millis.ReplaceAllString(got.out, "") != millis.ReplaceAllString(first.out, "") {
			t.Errorf("torn at %d: %s instead of %s", left, got.out, first.out)
		}
	}
	// A different question makes a different run.
	if r := with(t, dir, "off", "eval", "grid", "a.txt", "--questions", "q.json", "--run", "run.jsonl"); r.status != 2 || !strings.Contains(r.err, "another run") {
		t.Errorf("%+v", r)
	}
}

func TestEvalGridReport(t *testing.T) {
	dir := asked(t)
	r := with(t, dir, "off", "eval", "grid", "--questions", "q.jsonl", "--methods", "percentile,fixed", "--sizes", "8", "--report", "grid.html")
	if r.status != 0 || !strings.HasPrefix(r.out, "4 questions about 2 documents; per cent, with 95 % intervals; ordered by recall in 1000 tokens\n") || strings.Count(r.out, "best") < 2 {
		t.Errorf("%+v", r)
	}
	page := string(mustRead(t, filepath.Join(dir, "grid.html")))
	for _, want := range []string{"Which word is &lt;script&gt;trouble", "percentile 8, auto, hybrid", "turns.pdf", "<svg", "success@5"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, unwanted := range []string{"<script", "http:", "https:", "NaN", "ZgotmplZ", dir} {
		if strings.Contains(page, unwanted) {
			t.Errorf("%q is there", unwanted)
		}
	}
	table, err := csv.NewReader(strings.NewReader(with(t, dir, "off", "eval", "grid", "--questions", "q.jsonl", "--csv").out)).ReadAll()
	if err != nil || len(table) != 2 || table[1][0] != "semantic" || table[0][6] != "recall_in_1000" {
		t.Errorf("%v %v", table, err)
	}
}

func TestEvalGridOfOneDocument(t *testing.T) {
	dir := asked(t)
	for _, questions := range []string{"q.csv", "q.json"} {
		g := readGrid(t, with(t, dir, "off", "eval", "grid", "a.txt", "--questions", questions, "--methods", "sentences", "--json"))
		row := g.Rows[0]
		if g.Questions != 1 || len(g.Documents) != 1 || g.Documents[0].Name != "a.txt" || *row.Depths[1].Recall.Mean != 1 || row.Depths[0].Recall.Low != nil || !row.Tie || g.Halves != nil {
			t.Errorf("%s: %+v", questions, g)
		}
	}
}

// Questions without excerpts are meant for the other kind of evaluation: they are skipped
// and counted.
func TestQuestionsWithoutExcerptsAreLeftOut(t *testing.T) {
	dir := asked(t)
	const bare = `{"question":"How is bread made?","ideal_answer":"With patience.","has_answer":true},{"question":"Who was the miller?","has_answer":false},{"question":"What is it?"}`
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "some.json"), []byte(`[{"question":"What has a comet?","excerpts":["a tail of gas"]},`+bare+`]`), 0o644),
		os.WriteFile(filepath.Join(dir, "none.json"), []byte("["+bare+"]"), 0o644)); err != nil {
		t.Fatal(err)
	}
	r := with(t, dir, "off", "eval", "grid", "a.txt", "--questions", "some.json", "--methods", "sentences", "--json")
	if g := readGrid(t, r); g.Questions != 1 || r.err != "seam: of 4 questions, skipped: 1 not answered by the text, 2 without an excerpt of the text\n" {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{"grid", "a.txt"}, {"grid"}, {"retrieval"}} {
		r := with(t, dir, "off", append(append([]string{"eval"}, args...), "--questions", "none.json")...)
		if r.status != 1 || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, `"excerpts":["verbatim text",…]`) || !strings.Contains(r.err, "seam eval pipeline") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestEvalGridRefuses(t *testing.T) {
	dir := asked(t)
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "set --data FOLDER", nil},
		{2, "must be 1 or more", []string{"--questions", "q.jsonl", "-k", "0"}},
		{2, "must be 1 or more", []string{"--questions", "q.jsonl", "--within=-5"}},
		{2, "lists percentile twice", []string{"--questions", "q.jsonl", "--methods", "percentile,percentile"}},
		{2, "rankers", []string{"--questions", "q.jsonl", "--rankers", "best"}},
		{2, "set it with --run", []string{"--questions", "q.jsonl", "--replay"}},
		{2, "--replay sends nothing: leave out --dry-run", []string{"--questions", "q.jsonl", "--replay", "--run", "none.jsonl", "--dry-run"}},
		{2, "list all embedders in --embedders", []string{"--questions", "q.jsonl", "--embedders", "builtin", "--embedder", "lexical"}},
		{2, "list all methods in --methods", []string{"--questions", "q.jsonl", "--methods", "fixed", "--method", "sentences"}},
		{2, "list all sizes in --sizes", []string{"--questions", "q.jsonl", "--sizes", "64", "--max-tokens", "32"}},
		{2, "set the model that answers with --model", []string{"--questions", "q.jsonl", "--chat-price", "1,2"}},
		{2, "set the model that answers with --model", []string{"--questions", "q.jsonl", "--judge-price", "1,2"}},
		{2, "--judge-price needs --judge-model", []string{"--questions", "q.jsonl", "--model", "m", "--judge-price", "1,2"}},
		{1, "none.jsonl", []string{"--questions", "q.jsonl", "--replay", "--run", "none.jsonl"}},
		{1, "it is not a run of seam", []string{"--questions", "q.jsonl", "--run", "a.txt"}},
		{1, "gone.txt", []string{"gone.txt", "--questions", "q.json"}},
		{1, "question 1: a question is", []string{"--questions", "q.json"}},
		{2, "needs", []string{"--questions", "q.jsonl", "--embedders", "builtin,openai:some"}},
		{1, "write ", []string{"--questions", "q.jsonl", "--report", "no/such/folder.html"}},
	} {
		r := with(t, dir, "off", append([]string{"eval", "grid"}, c.args...)...)
		last := r.err[strings.LastIndex(strings.TrimSuffix(r.err, "\n"), "\n")+1:]
		if r.status != c.status || !strings.Contains(last, c.want) {
			t.Errorf("%v: %+v instead of %d, %q", c.args, r, c.status, c.want)
		}
	}
	if b := mustRead(t, filepath.Join(dir, "a.txt")); !bytes.HasPrefix(b, []byte("The sails")) {
		t.Error("a file that is no run was written to")
	}
}

// A run is stored in the cache, except with documents opened with a password or questions
// from stdin.
func TestEvalGridKeepsNothingPrivate(t *testing.T) {
	dir, cache := asked(t), t.TempDir()
	secret := pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The treasure is under the oak."}}}}, Encrypt: true, Password: "open sesame"}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "locked.pdf"), pdftest.Write(secret), 0o644),
		os.WriteFile(filepath.Join(dir, "secret.json"), []byte(`[{"question":"Where is it?","excerpts":["under the oak"]}]`), 0o644)); err != nil {
		t.Fatal(err)
	}
	kept := func() int {
		files, _ := os.ReadDir(filepath.Join(cache, "runs"))
		return len(files)
	}
	if r := with(t, dir, cache, "eval", "grid", "locked.pdf", "--password", "open sesame", "--questions", "secret.json"); r.status != 0 || kept() != 0 {
		t.Errorf("%d runs: %+v", kept(), r)
	}
	if r := with(t, dir, cache, "eval", "grid", "a.txt", "--questions", "q.json"); r.status != 0 || kept() != 1 {
		t.Errorf("%d runs: %+v", kept(), r)
	}
}

// A dry run prints the number of texts and queries for each hosted embedder, and sends nothing.
func TestEvalGridDryRun(t *testing.T) {
	dir := asked(t)
	r := runIn(t, dir, []string{"SEAM_CACHE=off", "OPENAI_API_KEY=k"}, "eval", "grid", "--questions", "q.jsonl", "--methods", "percentile", "--embedders", "builtin,openai:one,openai:two", "--base-url", "http://127.0.0.1:9/v1", "--dry-run")
	if r.status != 0 || strings.Count(r.out, "would send") != 4 || strings.Count(r.out, "would send 4 queries") != 2 || !strings.Contains(r.out, "one") || !strings.Contains(r.out, "two") {
		t.Errorf("%+v", r)
	}
}

// The published set of questions names chapters; its spans were looked up by hand. The
// excerpt of the ninth, direct air capture, does not occur in the document.
func TestEvalGridOfThePublishedQuestions(t *testing.T) {
	data, err := filepath.Abs(cmp.Or(os.Getenv("SEAM_DATA"), "../../../shared/data"))
	if err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(data, "pdf", "rag", "AI_Information.pdf")
	if _, err := os.Stat(document); err != nil {
		t.Skip("SEAM_DATA has no pdf/rag/AI_Information.pdf")
	}
	questions, err := filepath.Abs("testdata/ai-information.json")
	if err != nil {
		t.Fatal(err)
	}
	r := with(t, t.TempDir(), "off", "eval", "grid", document, "--questions", questions, "--methods", "semantic,recursive", "--json")
	g := readGrid(t, r)
	if g.Questions != 4 || !strings.Contains(r.err, "of 10 questions, skipped: 6 not answered") {
		t.Errorf("%+v", r)
	}
	for _, row := range g.Rows {
		if *row.Depths[1].Recall.Mean < .75 {
			t.Errorf("%s finds %v of the answers among five chunks", row.Method, *row.Depths[1].Recall.Mean)
		}
	}
}
