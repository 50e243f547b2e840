package evaluate

import (
	"bufio"
	"context"
	"errors"
	"slices"

	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/eval"
	"seam/shared/index"
	"seam/shared/pipeline"
)

type evalRetrievalCommand struct {
	examOptions
	N           int      `short:"n" default:"5" help:"Chunks per question."`
	Sizes       []int    `placeholder:"N" help:"Values of --max-tokens to try with each method."`
	Ranker      string   `default:"bm25" enum:"bm25,keyword,dense,hybrid" help:"bm25: a plain BM25, for figures comparable with other tools; keyword, dense, hybrid: as in seam search."`
	Enriched    []string `placeholder:"FILE" help:"With keyword, dense or hybrid: also search this output of seam enrich knowledge or headers for the texts."`
	PerQuestion string   `name:"per-question" placeholder:"FILE" help:"Write each question's scores to this JSON file."`
	evalOptions
}

func (evalRetrievalCommand) Help() string {
	return `Scores the n best chunks of all texts, in characters: recall is the share of the known excerpts in these chunks, precision the
share of the chunks that is excerpt, and IoU combines both. Omega is the IoU of all chunks that touch an excerpt, as
if the search were perfect. All are means over questions, in per cent. With several methods, differences and their standard
errors follow; a star marks differences of more than two standard errors.

Questions are a JSON array, or one object per line: {"question","file","excerpts":["verbatim text",…]}, where white space may
differ, or as in Chroma's data {"id","corpus","question","references":[{"text","char_start","char_end"}]} with the text
corpora/CORPUS.md. Questions without excerpts are skipped and counted on stderr.
--json prints {"n","ranker","rows":[{"method","corpus","questions","chunks","mean_chars","recall","recall_sd","precision","precision_sd",
"iou","iou_sd","precision_omega","precision_omega_sd"}],"differences":[{"method","against","questions","recall":{"mean","error"},
"precision","iou","precision_omega"}]}, as fractions.

Examples:
  seam eval retrieval --data chunking_eval --methods percentile,fixed --sizes 200,400
  seam eval retrieval --questions my/questions.jsonl --ranker hybrid -n 3
  seam eval retrieval --questions my/questions.jsonl --ranker hybrid --enriched my/knowledge.jsonl   # with statements`
}

// answered holds the scores of one method, one per question.
type answered struct {
	name   string
	scores []eval.Retrieval
	chunks []eval.Passage
}

func (c evalRetrievalCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	switch {
	case c.N < 1:
		return terminal.Usagef("-n %d: use 1 or more", c.N)
	case slices.ContainsFunc(c.Sizes, func(n int) bool { return n < 1 }):
		return terminal.Usagef("--sizes: use 1 or more")
	case len(c.Enriched) > 0 && c.Ranker == plainRanker:
		return terminal.Usagef("--enriched needs --ranker keyword, dense or hybrid: %s searches only the texts", plainRanker)
	}
	if err := c.examOptions.check(); err != nil {
		return err
	}
	variants, err := c.variants(std, c.Sizes)
	if err != nil {
		return err
	}
	x, err := c.read(ctx, std, "", c.Password, false)
	if err != nil {
		return err
	}
	if x.enriched, err = cut.ReadWritten(std, c.Enriched); err != nil {
		return err
	}
	m, err := c.measure(ctx, std, b, variants)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer m.models.Close()
	m.searched = c.Ranker == string(index.Dense) || c.Ranker == string(index.Hybrid)
	results, err := m.results(x)
	if err != nil {
		return err
	}
	all := make([]answered, len(variants))
	for i, v := range variants {
		if all[i], err = c.answer(m, x, v, results[i]); err != nil {
			return hosted.RetryHint(err)
		}
	}
	if err := saveJSON(c.PerQuestion, perQuestion(all, x)); err != nil {
		return err
	}
	out := bufio.NewWriter(std.Out)
	return errors.Join(c.print(out, all, x), out.Flush())
}

// results cuts every text up in every way: one result per variant and text.
func (m measurement) results(x *exam) ([][]*pipeline.Result, error) {
	sessions := make([]*pipeline.Session, len(x.sources))
	for i, s := range x.sources {
		sessions[i] = s.session
	}
	for _, q := range x.asked() {
		m.queries = append(m.queries, q.Question)
	}
	if err := m.begin(sessions); err != nil {
		return nil, err
	}
	out := make([][]*pipeline.Result, len(m.variants))
	return out, m.cut(sessions, func(v, d int, r *pipeline.Result) error {
		out[v] = append(out[v], r)
		if _, err := x.locate(d, r); err != nil {
			return err
		}
		if s := x.sources[d]; s.offsets {
			return verbatim(s.session.Document.Name, s.raw, r)
		}
		return nil
	})
}

// answer asks all questions of one variant's chunks.
func (c evalRetrievalCommand) answer(m measurement, x *exam, v variant, results []*pipeline.Result) (answered, error) {
	a := answered{name: v.name}
	shelf, err := x.shelf(m, v, results)
	if err != nil {
		return a, err
	}
	a.chunks = shelf.passages()
	meter := terminal.NewMeter(m.ctx, m.std, v.name)
	defer meter.Clear()
	shelf.progress = meter.Report
	for k, q := range x.questions {
		if err := meter.Report("question", k+1, len(x.questions)); err != nil {
			return a, err
		}
		found, err := shelf.top(c.Ranker, q.Question, c.N)
		if err != nil {
			return a, err
		}
		got := make([]eval.Passage, len(found))
		for i, f := range found {
			got[i] = a.chunks[f]
		}
		refs := x.refs(k, results)
		s := eval.Retrieve(x.of[k], refs, got)
		s.Omega = eval.Omega(x.of[k], refs, a.chunks)
		a.scores = append(a.scores, s)
	}
	return a, nil
}
