package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"seam/shared/text"
)

// tool returns a function that runs a reference scorer, and the folder of its data. It
// skips the test without Python, the scorer or the data.
func tool(t *testing.T, script, folder string) (run func(args ...string) []byte, dir string) {
	t.Helper()
	data := cmp.Or(os.Getenv("SEAM_DATA"), "../../../shared/data")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("no comparison with %s: %v", script, err)
	}
	path := filepath.Join(data, "..", "tools", script)
	for _, needed := range []string{path, filepath.Join(data, folder)} {
		if _, err := os.Stat(needed); err != nil {
			t.Skipf("no comparison with %s: set SEAM_DATA to the folder of test data (%v)", script, err)
		}
	}
	return func(args ...string) []byte {
		t.Helper()
		var errs bytes.Buffer
		cmd := exec.Command(python, append([]string{"-B", path, "--data", filepath.Join(data, folder)}, args...)...)
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", script, args, err, errs.Bytes())
		}
		return out
	}, filepath.Join(data, folder)
}

func read(t *testing.T, v any, names ...string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(names...))
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, v any) (path string) {
	t.Helper()
	b, err := json.Marshal(v)
	path = filepath.Join(t.TempDir(), "given.json")
	if err == nil {
		err = os.WriteFile(path, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// every is a naive chunker: chunks of size bytes, each one step after the previous.
func every(n, size, step int) (out []text.Span) {
	for at := 0; at < n; at += step {
		out = append(out, text.Span{Start: at, End: min(at+size, n)})
	}
	return out
}

func TestSegmentAgreesWithTheToolOnRealTexts(t *testing.T) {
	run, dir := tool(t, "score_segmentation.py", "segmentation")
	b, err := os.ReadFile(filepath.Join(dir, "refs.json"))
	if err != nil {
		t.Fatal(err)
	}
	refs, err := ReadReferences(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{97, 700, 3000, 1 << 30} {
		given := map[string][]int{}
		var scores []Segmentation
		var sets []string
		for _, r := range refs {
			var starts []int
			for _, s := range every(r.Sentences[len(r.Sentences)-1].End, step, step) {
				starts = append(starts, s.Start)
			}
			given[r.ID] = starts
			scores, sets = append(scores, Segment(len(r.Sentences), r.Boundaries, Bounds(r.Sentences, starts))), append(sets, r.Set)
		}
		perDoc := filepath.Join(t.TempDir(), "per-doc.json")
		var want map[string]SegmentationRow
		if err := json.Unmarshal(run("--predictions", write(t, given), "--per-doc", perDoc, "--json"), &want); err != nil {
			t.Fatal(err)
		}
		for _, row := range SummariseSets(scores, sets) {
			name := row.Set
			if row.Set = ""; row != want[name] {
				t.Errorf("every %d bytes, %s: %+v instead of %+v", step, name, row, want[name])
			}
		}
		var docs []struct {
			Segments, Found    int
			Pk, WindowDiff, F1 float64
			Near               float64 `json:"f1_1"`
		}
		read(t, &docs, perDoc)
		for i, d := range docs {
			if w := (Segmentation{d.Segments, d.Found, d.Pk, d.WindowDiff, d.F1, d.Near}); scores[i] != w {
				t.Errorf("every %d bytes, %s: %+v instead of %+v", step, refs[i].ID, scores[i], w)
			}
		}
	}
}

func TestRetrievalAgreesWithTheToolOnRealTexts(t *testing.T) {
	run, dir := tool(t, "score_retrieval.py", "chunking_eval")
	b, err := os.ReadFile(filepath.Join(dir, "questions.json"))
	if err != nil {
		t.Fatal(err)
	}
	questions, err := ReadQuestions(b, "")
	if err != nil {
		t.Fatal(err)
	}
	var names, files []string
	for _, q := range questions {
		names, files = append(names, q.Text), append(files, q.File)
	}
	names, files = distinct(names), distinct(files)
	var texts []*RuneIndex
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, NewRuneIndex(string(b)))
	}
	for _, c := range []struct{ size, step, n int }{{400, 400, 5}, {900, 300, 3}, {5000, 5000, 5}, {1 << 30, 1 << 30, 1}} {
		given := map[string][][2]int{}
		var chunks []Passage
		var cut []string
		for i, name := range names {
			for _, s := range every(len(texts[i].text), c.size, c.step) {
				for !utf8.RuneStart((texts[i].text + "x")[s.Start]) {
					s.Start--
				}
				for !utf8.RuneStart((texts[i].text + "x")[s.End]) {
					s.End--
				}
				r, err := texts[i].Range(s)
				if err != nil {
					t.Fatal(err)
				}
				given[name], chunks, cut = append(given[name], [2]int{s.Start, s.End}), append(chunks, Passage{i, r}), append(cut, s.Of(texts[i].text))
			}
		}
		compareRetrieval(t, run, c.n, questions, names, texts, chunks, cut, write(t, given))
	}
}

// compareRetrieval compares every question and every mean.
func compareRetrieval(t *testing.T, run func(...string) []byte, n int, questions []Question, names []string, texts []*RuneIndex, chunks []Passage, cut []string, given string) {
	t.Helper()
	ranker := NewRanker(cut)
	perQuestion := filepath.Join(t.TempDir(), "per-question.json")
	out := run("--chunks", given, "-n", strconv.Itoa(n), "--per-question", perQuestion, "--json")
	var want map[string]json.RawMessage
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	var each []struct {
		Recall, Precision, IoU float64
		Omega                  float64 `json:"precision_omega"`
	}
	read(t, &each, perQuestion)
	var scores []Retrieval
	var of []int
	for i, q := range questions {
		at := slices.Index(names, q.Text)
		refs, err := texts[at].Locate(q)
		if err != nil {
			t.Fatal(err)
		}
		var got []Passage
		for _, k := range ranker.Top(q.Question, n) {
			got = append(got, chunks[k])
		}
		s := Retrieve(at, refs, got)
		s.Omega = Omega(at, refs, chunks)
		if w := (Retrieval{each[i].Recall, each[i].Precision, each[i].IoU, each[i].Omega}); s != w {
			t.Errorf("%s: %+v instead of %+v", q.ID, s, w)
		}
		scores, of = append(scores, s), append(of, at)
	}
	for _, row := range SummariseTexts(scores, of, names, chunks) {
		w := RetrievalRow{Corpus: row.Corpus, Chunks: row.Chunks, MeanChars: row.MeanChars}
		if err := json.Unmarshal(want[row.Corpus], &w); err != nil {
			t.Fatal(err)
		}
		if row != w {
			t.Errorf("%+v instead of %+v", row, w)
		}
	}
	var total struct {
		Chunks    int
		MeanChars float64 `json:"mean_chars"`
	}
	if err := json.Unmarshal(out, &total); err != nil {
		t.Fatal(err)
	}
	if row := SummariseTexts(scores, of, names, chunks)[0]; row.Chunks != total.Chunks || row.MeanChars != total.MeanChars {
		t.Errorf("%+v instead of %+v", row, total)
	}
}
