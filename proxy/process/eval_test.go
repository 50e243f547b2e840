package process

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
)

// Three segments of three sentences: windmills, lathes, planets.
const separated = `==========
A windmill turns its cap into the wind. The sails drive a shaft of oak.
The shaft drives the stones.
==========
A lathe turns the work and holds the tool still. Shavings fly from the chisel. Hard wood takes a better polish.
==============
A planet turns around its star. Our day is one turn of the axis. Venus turns backwards.
==========
`

type rows struct {
	Rows        []map[string]any
	Differences []map[string]any
}

// row returns the row of a method and a set or corpus.
func (r rows) row(t *testing.T, method, of string) map[string]any {
	t.Helper()
	for _, row := range r.Rows {
		if row["method"] == method && (row["set"] == of || row["corpus"] == of) {
			return row
		}
	}
	t.Fatalf("no row of %s, %s in %v", method, of, r.Rows)
	return nil
}

func evalJSON(t *testing.T, args ...string) (r rows) {
	t.Helper()
	if err := json.Unmarshal([]byte(ok(t, "", append([]string{"eval"}, append(args, "--json")...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func near(x any, want float64) bool {
	f, ok := x.(float64)
	return ok && math.Abs(f-want) < 1e-9
}

// With nine sentences, k = 2 and seven windows, each boundary falls into four of them.
func TestEvalSegmentationOfOwnFiles(t *testing.T) {
	path := file(t, "own.txt", []byte(separated))
	set := filepath.ToSlash(filepath.Dir(path))
	got := evalJSON(t, "segmentation", "--method", "percentile", "--baselines", "--count", "3", path)
	for method, want := range map[string][6]float64{
		"none":  {3, 1, .5714, .5714, 0, 0},
		"all":   {3, 9, .4286, 1, .4, .4},
		"equal": {3, 3, 0, 0, 1, 1},
	} {
		for _, of := range []string{set, "ALL", "sets"} {
			for i, key := range []string{"segments", "found", "pk", "windowdiff", "f1", "f1_1"} {
				if row := got.row(t, method, of); !near(row[key], want[i]) || !near(row["documents"], 1) {
					t.Errorf("%s: %s %v instead of %v", method, key, row[key], want[i])
				}
			}
		}
	}
	if !near(got.row(t, "percentile", "ALL")["found"], 3) || len(got.Rows) != 15 || len(got.Differences) != 4 {
		t.Errorf("%+v", got)
	}
	if d := got.Differences[0]; d["against"] != "percentile" || d["pk"].(map[string]any)["error"] != nil {
		t.Errorf("of one document there is no standard error: %v", d)
	}
	// A folder of such files; with --lines five of the lines are sentences.
	got = evalJSON(t, "segmentation", "--method", "percentile", "--lines", filepath.Dir(path))
	if row := got.row(t, "percentile", "ALL"); !near(row["segments"], 3) || len(got.Rows) != 3 || len(got.Differences) != 0 {
		t.Errorf("%v", row)
	}
}

// known writes a folder with a refs.json of two sets.
func known(t *testing.T) (dir string) {
	dir = t.TempDir()
	a, b := "One here. Two here. Three here. Four here.", "Ä one.\nÖ two.\nÜ three.\n"
	refs := `{"docs":[{"id":"a","set":"x-1","file":"t/a.txt","sentences":[[0,9],[10,19],[20,31],[32,42]],"boundaries":[1]},
		{"id":"b","set":"y","file":"t/b.txt","sentences":[[0,7],[8,15],[16,25]],"boundaries":[0]}]}`
	os.Mkdir(filepath.Join(dir, "t"), 0o755)
	for name, content := range map[string]string{"t/a.txt": a, "t/b.txt": b, "refs.json": refs, "mine.json": `{"a":[0,20],"b":[0,16]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEvalSegmentationOfKnownTexts(t *testing.T) {
	dir := known(t)
	mine := filepath.Join(dir, "mine.json")
	perDoc := filepath.Join(dir, "per-doc.json")
	got := evalJSON(t, "segmentation", "--data", dir, "--predictions", mine, "--per-doc", perDoc)
	// a is correct. In b, with k = 2, the single window has a boundary in both.
	for of, want := range map[string][5]float64{"x-1": {1, 0, 0, 1, 1}, "y": {1, 0, 0, 0, 1}, "ALL": {2, 0, 0, .5, 1}, "sets": {2, 0, 0, .5, 1}} {
		for i, key := range []string{"documents", "pk", "windowdiff", "f1", "f1_1"} {
			if row := got.row(t, "mine", of); !near(row[key], want[i]) {
				t.Errorf("%s: %s is %v instead of %v", of, key, row[key], want[i])
			}
		}
	}
	b, err := os.ReadFile(perDoc)
	var docs []struct {
		Method, ID, Set string
		Boundaries      []int
	}
	if err == nil {
		err = json.Unmarshal(b, &docs)
	}
	if err != nil || len(docs) != 2 || docs[1].ID != "b" || docs[1].Method != "mine" || !slices.Equal(docs[1].Boundaries, []int{1}) {
		t.Errorf("%+v %v", docs, err)
	}
	got = evalJSON(t, "segmentation", "--refs", filepath.Join(dir, "refs.json"), "--set", "x", "--predictions", mine, "--methods", "percentile:50,iqr", "--no-baselines")
	if len(got.Rows) != 9 || len(got.Differences) != 2 || got.Differences[0]["method"] != "percentile:50" || got.Differences[0]["against"] != "mine" {
		t.Errorf("%+v", got)
	}
	out := ok(t, "", "eval", "segmentation", "--data", dir, "--methods", "percentile,fixed")
	for _, want := range []string{"set   method      docs  segments  found     Pk     WD     F1   F1±1\n", "sets  random", "Differences from percentile (documents: 2)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	table, err := csv.NewReader(strings.NewReader(ok(t, "", "eval", "segmentation", "--data", dir, "--csv"))).ReadAll()
	if err != nil || len(table) != 5 || table[4][1] != "sets" || table[0][5] != "pk" {
		t.Errorf("%v %v", table, err)
	}
}

// Semantic cuts fewer passages apart than headings alone do, measured by the boundaries of
// careful annotators in texts with headings. WindowDiff counts every extra cut.
func TestEvalSegmentationOfHeadings(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("no texts with headings: %v", err)
	}
	dir := t.TempDir()
	make := exec.Command(python, "-B", "../../shared/eval/headed/make.py", "--data", cmp.Or(os.Getenv("SEAM_DATA"), "../../../shared/data"), dir)
	out, err := make.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%s", out)
	got := evalJSON(t, "segmentation", "--data", dir, "--methods", "semantic,sections", "--embedder", "lexical")
	semantic, sections := got.row(t, "semantic", "ALL"), got.row(t, "sections", "ALL")
	t.Logf("Pk of semantic %.3f, of sections %.3f; %.1f parts, %.1f of %.1f", semantic["pk"], sections["pk"], semantic["found"], sections["found"], semantic["segments"])
	if semantic["windowdiff"].(float64) >= sections["windowdiff"].(float64) {
		t.Errorf("semantic %v, sections %v", semantic, sections)
	}
}

func TestEvalSegmentationRefuses(t *testing.T) {
	dir := known(t)
	in := func(name, content string) string { return file(t, name, []byte(content)) }
	latin := known(t)
	if err := os.WriteFile(filepath.Join(latin, "t/b.txt"), []byte("\xc4 one.\n\xd6 two.\n\xdc three. And more of it.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "give text files", nil},
		{2, "give text files", []string{"--data", dir, "--refs", "x"}},
		{2, "--set needs", []string{"--set", "x", "y.txt"}},
		{2, "--lines needs files", []string{"--lines", "--data", dir}},
		{2, `unknown method "guess"`, []string{"--methods", "guess", "--data", dir}},
		{2, "write METHOD or METHOD:THRESHOLD", []string{"--methods", "percentile:x", "--data", dir}},
		{2, "lists percentile twice", []string{"--methods", "percentile,percentile", "--data", dir}},
		{1, "nowhere/refs.json: no such file; it should be a refs.json", []string{"--data", "nowhere"}},
		{1, `no set with the prefix "z"`, []string{"--data", dir, "--set", "z"}},
		{1, `this is not {"docs"`, []string{"--refs", filepath.Join(dir, "mine.json")}},
		{1, "gone.txt: no such file", []string{"--refs", in("refs.json", `{"docs":[{"id":"q","set":"s","file":"gone.txt","sentences":[[0,3]],"boundaries":[]}]}`)}},
		{1, "own.txt: no known boundary: put a line of ten or more =", []string{in("own.txt", "One. Two.")}},
		{1, "no sentence found", []string{in("own.txt", "==========")}},
		{1, "a PDF cannot hold lines", []string{pdf(t)}},
		{1, "has no chunks of b", []string{"--data", dir, "--predictions", in("p.json", `{"a":[0]}`)}},
		{1, `p.json is not {"id"`, []string{"--data", dir, "--predictions", in("p.json", `[]`)}},
		{1, "differs from the file at these offsets", []string{"--data", latin}},
	} {
		r := run(t, "", append([]string{"eval", "segmentation"}, c.args...)...)
		lines := strings.Split(strings.TrimSpace(r.err), "\n")
		if r.status != c.status || r.out != "" || !strings.Contains(lines[len(lines)-1], c.want) {
			t.Errorf("%v: %+v instead of %d, %q", c.args, r, c.status, c.want)
		}
	}
}

func TestEvalRetrievalOfOwnQuestions(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"a.txt":     []byte("The sails drive a shaft of oak.\nThe shaft drives the stones.\n\nÄrger is trouble, in German."),
		"turns.pdf": mustRead(t, pdf(t)),
		"q.jsonl": []byte(`{"question":"What do the sails drive?","file":"a.txt","excerpts":["drive a  shaft of oak. The shaft"]}
{"id":7,"question":"Which word is trouble in German?","file":"a.txt","excerpts":["Ärger is trouble"]}
{"id":"v","question":"Which planet turns backwards?","file":"turns.pdf","excerpts":["Venus turns backwards."]}`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	questions := filepath.Join(dir, "q.jsonl")
	for _, ranker := range []string{"bm25", "keyword", "dense", "hybrid"} {
		perQuestion := filepath.Join(dir, "single.json")
		got := evalJSON(t, "retrieval", "--questions", questions, "--ranker", ranker, "--per-question", perQuestion,
			"--methods", "percentile,notebook-percentile,fixed", "--sizes", "6,1000", "--tokens", "words")
		if len(got.Rows) != 3*6 || len(got.Differences) != 5 {
			t.Fatalf("%s: %+v", ranker, got)
		}
		// With chunks as large as the texts everything is found, and precision is the share
		// of the excerpts in the text.
		row := got.row(t, "fixed 1000", "a.txt")
		if !near(row["chunks"], 1) || !near(row["mean_chars"], 90) || !near(row["recall"], 1) || !near(row["precision_omega"], eval2(31./90, 16./90)) {
			t.Errorf("%s: %v", ranker, row)
		}
		var single []struct{ Method, ID, Corpus string }
		if err := json.Unmarshal(mustRead(t, perQuestion), &single); err != nil || len(single) != 18 || single[0].ID != "1" || single[1].ID != "7" || single[2].Corpus != "turns.pdf" {
			t.Errorf("%+v %v", single, err)
		}
	}
	out := ok(t, "", "eval", "retrieval", "--questions", questions, "-n", "2", "--method", "percentile")
	if !strings.HasPrefix(out, "n=2, ranker bm25, per cent\ncorpus     method      questions  chunks") || strings.Contains(out, "Differences") {
		t.Errorf("%s", out)
	}
	table, err := csv.NewReader(strings.NewReader(ok(t, "", "eval", "retrieval", "--questions", questions, "--csv"))).ReadAll()
	if err != nil || len(table) != 4 || table[1][1] != "all" || len(table[0]) != 13 {
		t.Errorf("%v %v", table, err)
	}
}

// Methods and sizes share paid vectors, and so does the next run with its questions.
func TestEvalPaysOnce(t *testing.T) {
	l, cache := linktest.Start(t, limit.Limits{}), t.TempDir()
	sent := func() (n int) {
		for _, q := range l.Provider.Requests() {
			n += len(q.Texts)
		}
		return n
	}
	dir := filepath.Dir(pdf(t))
	questions := filepath.Join(dir, "q.json")
	if err := os.WriteFile(questions, []byte(`{"question":"Which planet turns backwards?","file":"`+pdf(t)+`","excerpts":["Venus turns backwards."]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"eval", "retrieval", "--questions", questions, "--ranker", "dense", "--methods", "percentile,stddev,gradient", "--sizes", "12,40", "--embedder", "openai:e"}
	if r := hostedWith(t, l, cache, append(args, "--dry-run")...); r.status != 0 || !strings.HasPrefix(r.out, "would send 12 texts") || sent() != 0 {
		t.Errorf("%+v, %d sent", r, sent())
	}
	first := hostedWith(t, l, cache, args...)
	if first.status != 0 || strings.Count(first.err, "sending 12 texts") != 1 || sent() != 13 {
		t.Errorf("%+v, %d sent", first, sent())
	}
	if r := hostedWith(t, l, cache, args...); r.status != 0 || r.err != "" || r.out != first.out || sent() != 13 {
		t.Errorf("%+v, %d sent", r, sent())
	}
	if r := run(t, "", args...); r.status != 2 || !strings.Contains(r.err, "needs a proxy") {
		t.Errorf("%+v", r)
	}
}

// eval2 returns the mean of two figures, rounded as printed.
func eval2(a, b float64) float64 { return math.Round((a+b)/2*1e5) / 1e5 }

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEvalRetrievalRefuses(t *testing.T) {
	dir := known(t)
	ask := func(content string) []string {
		path := filepath.Join(dir, fmt.Sprintf("q%d.json", len(content)))
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return []string{"--questions", path}
	}
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "set --data FOLDER", nil},
		{2, "-n 0: use 1 or more", append(ask(`[]`), "-n", "0")},
		{2, "--sizes: use 1 or more", append(ask(`[]`), "--sizes", "3,0")},
		{1, "nowhere/questions.json: no such file; it should be", []string{"--data", "nowhere"}},
		{1, "no questions found", ask(`[]`)},
		{1, "question 1: a question is", ask(`[{"question":"x","excerpts":["y"]}]`)},
		{1, "no question has an excerpt", ask(`[{"question":"x"}]`)},
		{1, "asks about gone.txt", ask(`[{"question":"x","file":"gone.txt","excerpts":["y"]}]`)},
		{1, `q72.json: question 1: the excerpt "Five here" is not in t/a.txt`, ask(`[{"question":"x","file":"t/a.txt","excerpts":["One here","Five  here"]}]`)},
		{1, "asks about none", ask(`[{"id":"k","question":"x","corpus":"none","references":[{"text":"y","char_start":0,"char_end":1}]}]`)},
	} {
		r := run(t, "", append([]string{"eval", "retrieval"}, c.args...)...)
		if r.status != c.status || r.out != "" || !strings.Contains(r.err, c.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v instead of %d, %q", c.args, r, c.status, c.want)
		}
	}
}

// scorer runs a reference scorer with this seam, and skips the test if there is none.
func scorer(t *testing.T, script, folder string, args ...string) (got map[string]any, data string) {
	t.Helper()
	data, err := filepath.Abs(cmp.Or(os.Getenv("SEAM_DATA"), "../../../shared/data"))
	if err != nil {
		t.Fatal(err)
	}
	path, data := filepath.Join(data, "..", "tools", script), filepath.Join(data, folder)
	python, err := exec.LookPath("python3")
	for _, needed := range []string{path, data} {
		if err == nil {
			_, err = os.Stat(needed)
		}
	}
	if err != nil {
		t.Skipf("no comparison with %s: %v (set SEAM_DATA to the folder of test data)", script, err)
	}
	out, err := exec.Command(python, append([]string{"-B", path, "--seam", seam, "--json"}, args...)...).Output()
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return got, data
}

// seam eval prints the same figures as the reference scorers for seam chunk.
func TestEvalAgreesWithTheTools(t *testing.T) {
	for _, args := range [][]string{{"--method", "percentile"}, {"--method", "fixed", "--max-tokens", "90"}} {
		want, data := scorer(t, "score_segmentation.py", "segmentation", args...)
		got := evalJSON(t, append([]string{"segmentation", "--data", data}, args...)...)
		for of, row := range want {
			mine := maps.Clone(got.row(t, args[1], of))
			delete(mine, "method")
			delete(mine, "set")
			if !reflect.DeepEqual(mine, row) {
				t.Errorf("%v, %s: %v instead of %v", args, of, mine, row)
			}
		}
		if len(want) != len(got.Rows) {
			t.Errorf("%d rows instead of %d", len(got.Rows), len(want))
		}
	}
	for _, args := range [][]string{{"--method", "percentile"}, {"--method", "percentile", "--max-tokens", "200"}, {"--method", "fixed", "--max-tokens", "200", "--overlap", "50", "-n", "3"}} {
		want, data := scorer(t, "score_retrieval.py", "chunking_eval", args...)
		got := evalJSON(t, append([]string{"retrieval", "--data", data}, args...)...)
		all := got.row(t, args[1], "all")
		if all["chunks"] != want["chunks"] || all["mean_chars"] != want["mean_chars"] {
			t.Errorf("%v: %v instead of %v", args, all, want)
		}
		for of, row := range want {
			figures, ok := row.(map[string]any)
			if !ok {
				continue
			}
			mine := maps.Clone(got.row(t, args[1], of))
			for _, key := range []string{"method", "corpus", "chunks", "mean_chars"} {
				delete(mine, key)
			}
			if !reflect.DeepEqual(mine, figures) {
				t.Errorf("%v, %s: %v instead of %v", args, of, mine, figures)
			}
		}
	}
}
