package search_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/read/html"
	"seam/shared/search"
	"seam/shared/text"
)

// excerpts is a question with the texts that answer it.
type excerpts struct {
	Kind, Question, File string
	Excerpts             []string
}

const hits = 5

// With neighbours a search finds a larger share of the excerpts than with as much text of
// further hits, and no smaller one for any kind of question. The questions are in testdata/around.jsonl.
// (With chunks of 48 tokens and the mode keyword, one excerpt of the kind steps is found by
// further hits alone.)
func TestAroundFindsMore(t *testing.T) {
	b, err := os.ReadFile("testdata/around.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var questions []excerpts
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		var q excerpts
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		questions = append(questions, q)
	}
	files := []string{"../../web/gallery/manual.html", "../../web/gallery/statutes.md", "../../web/gallery/paper.txt", "../../web/gallery/talk.txt", "../eval/headed/allotments.en.md"}
	compare(t, questions, files, []int{64, 96, 128, 200})
}

// So they do on the questions of Chroma's chunking evaluation, in texts that mostly have no
// sections.
func TestAroundFindsMoreOfOthers(t *testing.T) {
	folder := filepath.Join(cmp.Or(os.Getenv("SEAM_DATA"), "../../../shared/data"), "chunking_eval")
	b, err := os.ReadFile(filepath.Join(folder, "questions.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no questions: set SEAM_DATA to the folder of test data (%v)", err)
	}
	var rows []struct {
		Corpus, Question string
		References       []struct{ Text string }
	}
	if err == nil {
		err = json.Unmarshal(b, &rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	var questions []excerpts
	for _, r := range rows {
		q := excerpts{"all", r.Question, r.Corpus + ".md", nil}
		for _, e := range r.References {
			q.Excerpts = append(q.Excerpts, e.Text)
		}
		if f := filepath.Join(folder, "corpora", q.File); !slices.Contains(files, f) {
			files = append(files, f)
		}
		questions = append(questions, q)
	}
	compare(t, questions, files, []int{64, 128})
}

// compare prints the share of excerpts found in the best hits, in as many tokens of further
// hits as their neighbours have, and in hits with neighbours.
func compare(t *testing.T, questions []excerpts, files []string, sizes []int) {
	packed, err := os.ReadFile("../embed/builtin/model.bin")
	var model *builtin.Model
	if err == nil {
		model, err = builtin.Load(packed)
	}
	if err != nil {
		t.Fatal(err)
	}
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return model, nil }}
	for _, size := range sizes {
		plan, err := pipeline.NewPlan(pipeline.Settings{MaxTokens: size})
		if err != nil {
			t.Fatal(err)
		}
		var results []*pipeline.Result
		for _, f := range files {
			results = append(results, cutFile(t, f, plan, hooks))
		}
		s, err := search.NewSearcher(results, search.Options{}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []search.Mode{search.Keyword, search.Hybrid} {
			found, asked, tokens := map[string][3]float64{}, map[string]float64{}, [3]int{}
			for _, q := range questions {
				all, err := s.SearchEach(context.Background(), []search.Query{{Text: q.Question, Mode: mode, ForModel: true}}, hits, hooks)
				if err != nil {
					t.Fatal(err)
				}
				further, err := s.SearchEach(context.Background(), []search.Query{{Text: q.Question, Mode: mode, ForModel: true}}, 8*hits, hooks)
				if err != nil {
					t.Fatal(err)
				}
				var bare, wide []search.Hit
				long := 0
				for _, h := range all.Hits {
					bare, long = append(bare, h), long+h.Wide.Len()
					h.Text = h.Before + h.Text + h.After
					wide = append(wide, h)
				}
				more := fill(further.Hits, long)
				for i, list := range [][]search.Hit{bare, more, wide} {
					share := q.share(files, list)
					for _, kind := range slices.Compact([]string{q.Kind, "all"}) {
						sums := found[kind]
						sums[i] += share
						found[kind] = sums
					}
					for _, h := range list {
						tokens[i] += len(h.Text)
					}
				}
				for _, kind := range slices.Compact([]string{q.Kind, "all"}) {
					asked[kind]++
				}
			}
			t.Logf("%d tokens, %s: %d bytes of text in hits, %d with further hits, %d with neighbours", size, mode, tokens[0], tokens[1], tokens[2])
			for _, kind := range slices.Sorted(maps.Keys(asked)) {
				f, n := found[kind], asked[kind]
				t.Logf("  %-8s %3.0f questions: %.3f of the excerpts in hits, %.3f with further hits, %.3f with neighbours", kind, n, f[0]/n, f[1]/n, f[2]/n)
				if f[2] < f[1] || f[2] < f[0] {
					t.Errorf("%d tokens, %s: fewer excerpts of the kind %s", size, mode, kind)
				}
			}
		}
	}
}

// fill returns the first hits with at most so many bytes, and at least the usual number.
func fill(list []search.Hit, most int) (out []search.Hit) {
	for i, h := range list {
		if most -= len(h.Text); i >= hits && most < 0 {
			most += len(h.Text)
			continue
		}
		out = append(out, h)
	}
	return out
}

// share returns the share of the excerpts in the texts of hits. Hits that follow each other are
// read together.
func (q excerpts) share(files []string, list []search.Hit) float64 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b search.Hit) int {
		if a.Source != b.Source {
			return a.Source - b.Source
		}
		return a.Chunk - b.Chunk
	})
	var all []string
	for _, h := range list {
		if filepath.Base(files[h.Source]) == q.File {
			all = append(all, h.Text)
		}
	}
	text, n := squeeze(strings.Join(all, " ")), 0
	for _, e := range q.Excerpts {
		if strings.Contains(text, squeeze(e)) {
			n++
		}
	}
	return float64(n) / float64(len(q.Excerpts))
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func cutFile(t *testing.T, name string, plan pipeline.Plan, hooks pipeline.Hooks) *pipeline.Result {
	t.Helper()
	b, err := os.ReadFile(name)
	var doc *text.Document
	if err == nil {
		doc, err = read.All().With(html.Name, html.Read).Read(filepath.Base(name), b, read.Options{})
	}
	var r *pipeline.Result
	if err == nil {
		r, err = pipeline.NewSession(doc).Run(context.Background(), plan, hooks)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}
