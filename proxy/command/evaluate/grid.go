package evaluate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/eval"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/token"
)

type evalGridCommand struct {
	File        string `arg:"" optional:"" help:"Document for questions that name none."`
	examOptions `group:"Questions and texts:"`
	Sizes       []int    `placeholder:"N" help:"Values of --max-tokens to try with each method." group:"Settings to compare:"`
	Embedders   []string `placeholder:"E" help:"Embedders to try with each of these (default: --embedder)." group:"Settings to compare:"`
	Rankers     []string `default:"hybrid" enum:"keyword,dense,hybrid,bm25" help:"Rankers to compare: keyword, dense and hybrid as in seam search; bm25 is a plain BM25." group:"Settings to compare:"`
	Depths      []int    `short:"k" name:"depths" default:"1,5" placeholder:"K" help:"Score the K best chunks (default: 1,5)." group:"Measures:"`
	Within      []int    `default:"1000" placeholder:"T" help:"Score the best chunks up to T tokens in total, to be fair to short chunks; the first value orders the settings (default: 1000)." group:"Measures:"`

	RunFile      string `name:"run" placeholder:"FILE" help:"File for the results of each setting, so that the same command can resume (default: a file in the cache folder; --cache off stores nothing)." group:"Output:"`
	Replay       bool   `help:"Print the report again from --run FILE; nothing is cut, searched or sent." group:"Output:"`
	Report       string `placeholder:"FILE" help:"Write the report as one HTML page with plots." group:"Output:"`
	judgeOptions `group:"Answers of a model:"`
	evalOptions
}

func (evalGridCommand) Help() string {
	return `Finds the best chunking for these documents: tries every method in every size, with every embedder and every ranker, on the
same questions with known answers. Recall is the share of the known excerpts that was found, in characters: within T tokens,
so that long chunks have no advantage, and among the K best chunks. Success is the share of questions with any part of
the answer found; MRR uses the rank of the first chunk with any part. All are means over questions, in per cent, with 95 %
bootstrap intervals. A setting is a tie if the interval of its difference to the first includes zero. The first is named the
best if it is ahead of all others in at least 9 of 10 samples of the questions. The best of many
settings looks better than it is, so the best on one half of the questions is also scored on the other half.

Questions are as for seam eval retrieval; with FILE they need no "file". No model is asked unless an embedder is hosted or
--model is set. A stopped grid can be resumed, without paying again for stored answers.

With --model, each question is answered from the passages of each setting, as many as the largest of --depths. A judge
scores the answer 1, 0.5 or 0 in two ways: is it supported by the known answer (or the excerpts, if there is none), and
does it answer the question? Quality is the mean of both. A refusal scores 0 and is counted; if the texts do not answer
the question, a refusal is right. An unusable judgement scores 0, with a warning. If two settings find the same passages,
the model is asked once.

--json prints {"questions","goal","rows":[{"method","size","embedder","ranker","chunks","tokens","depths":[{"k","recall":{"mean","low",
"high"},"precision","iou","success","read"}],"budgets":[{"tokens","recall"}],"mrr","millis","against","tie"}],"halves":{"odd","even",
"unseen","seen"},"documents":[{"name","sha256"}],"made","seam"}, as fractions, best first. With --model, rows have "answers":
{"faithfulness","relevancy","quality","against","tie","spread","refused","unanswerable","refusedRightly","read","written","dollars"}, and
and the report has "bestAnswers", "answerHalves", "runs" as in seam eval pipeline, and "warnings".

Examples:
  seam eval grid manual.pdf --questions questions.csv --methods semantic,recursive --sizes 128,256,512
  seam eval grid --data chunking_eval --methods semantic,sections,fixed --rankers bm25,hybrid --report grid.html
  seam eval grid --questions my.jsonl --embedders builtin,openai:text-embedding-3-small --base-url https://api.example.org/v1 --dry-run
  OPENAI_API_KEY=… seam eval grid manual.pdf --questions questions.jsonl --sizes 128,256 --model gpt-4o-mini --judge-model gpt-4o --report grid.html`
}

// grid is one run of the command.
type grid struct {
	command evalGridCommand
	ctx     context.Context
	std     terminal.IO
	build   terminal.Build
	exam    *exam
	budgets eval.Budgets
	run     *runfile.File
	cells   []cell
	done    []eval.Ranking // of the cells, in their order
	// unanswered holds, for each cell, the chunks found for the questions that the texts do
	// not answer.
	unanswered [][][]eval.FoundChunk
	judging    judging
	sends      bool // a dry run listed a request
}

// cell is one setting, with its embedder and its way of cutting.
type cell struct {
	eval.Setting
	embedder string
	variant  variant
}

func (c evalGridCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	g := &grid{command: c, ctx: ctx, std: std, build: b, budgets: eval.Budgets{Depths: c.Depths, Tokens: c.Within}}
	if err := c.check(); err != nil {
		return err
	}
	if err := g.plan(); err != nil {
		return err
	}
	var err error
	if g.exam, err = c.examOptions.read(ctx, std, c.File, c.Password, c.Model != ""); err != nil {
		return err
	}
	head := g.head()
	name := ""
	if g.run, name, err = hosted.OpenRun(c.Unless(g.exam.private), c.RunFile, c.Replay || c.DryRun, c.DryRun, head); err != nil {
		return err
	}
	defer g.run.Close()
	g.judging.name = name
	if err := g.measure(); err != nil {
		if c.DryRun && errors.Is(err, terminal.ErrDry) {
			if c.Model == "" && !g.sends {
				fmt.Fprintln(std.Out, "nothing would be sent")
			}
			return cmp.Or(g.quoteDry(), err)
		}
		if errors.Is(err, context.Canceled) && name != "" {
			fmt.Fprintf(std.Err, "seam: %d of %s are stored in %s; run the same command again to resume\n", g.ranked(), terminal.Count(len(g.cells), "setting"), terminal.Shown(name))
		}
		return err
	}
	if trouble := g.run.Trouble(); trouble != nil {
		fmt.Fprintf(std.Err, "seam: %s is incomplete, and the rest would be measured again: %s\n", terminal.Shown(name), terminal.Reason(trouble))
	}
	r := gridReport{GridReport: eval.Grid(g.done, g.budgets), Documents: g.exam.documents(), Made: g.exam.made(), Seam: string(b)}
	if c.Model != "" {
		if err := g.judge(&r); err != nil {
			return hosted.RetryHint(err)
		}
	}
	return g.print(r)
}

func (c evalGridCommand) check() error {
	low := func(list []int) bool { return slices.ContainsFunc(list, func(n int) bool { return n < 1 }) }
	switch {
	case low(c.Depths) || low(c.Sizes) || low(c.Within):
		return terminal.Usagef("--depths, --sizes and --within must be 1 or more")
	case len(c.Depths)+len(c.Within) == 0:
		return terminal.Usagef("set --depths, --within, or both")
	case c.Replay && c.RunFile == "":
		return terminal.Usagef("--replay needs the file of a run: set it with --run FILE")
	case c.Replay && c.DryRun:
		return terminal.Usagef("--replay sends nothing: leave out --dry-run")
	case len(c.Embedders) > 0 && c.Embedder != pipeline.Auto:
		return terminal.Usagef("--embedders and --embedder exclude each other: list all embedders in --embedders")
	}
	if err := c.judgeOptions.check(c.Hosted() || c.Replay); err != nil {
		return err
	}
	return c.examOptions.check()
}

// plan makes the cells. Settings that use no embedder get a single cell.
func (g *grid) plan() error {
	c := g.command
	embedders := c.Embedders
	if len(embedders) == 0 {
		embedders = []string{c.Embedder}
	}
	std := g.std
	for _, e := range embedders {
		o := c.evalOptions
		o.Embedder = e
		variants, err := o.variants(std, c.Sizes)
		if err != nil {
			return err
		}
		std.Err = io.Discard // anything about this method was printed before
		for _, v := range variants {
			for _, ranker := range c.Rankers {
				s := eval.Setting{Ranker: ranker}
				s.Method, _, _ = strings.Cut(v.name, " ")
				if len(c.Sizes) > 0 {
					s.Size = v.Limits.Max
				}
				if v.Embeds() || index.Mode(ranker) == index.Dense || index.Mode(ranker) == index.Hybrid {
					s.Embedder = v.Embedder
				}
				if !slices.ContainsFunc(g.cells, func(c cell) bool { return c.Name() == s.Name() }) {
					g.cells = append(g.cells, cell{s, e, v})
				}
			}
		}
	}
	return nil
}

// key returns the name of a cell's result in the run's file. It contains every choice made
// for the cell, so a grid can grow and reuse its results.
func (g *grid) key(c cell) string {
	b, err := json.Marshal(c.variant.Plan)
	if err != nil {
		panic(err) // only strings and finite numbers, so it cannot fail
	}
	return c.Name() + " " + string(b)
}

// keptRanking is a result in the run's file.
type keptRanking struct {
	Seam       string              `json:"seam"`
	Ranking    eval.Ranking        `json:"ranking"`
	Unanswered [][]eval.FoundChunk `json:"unanswered,omitempty"`
}

// known returns a cell's result from the run's file. A result of another version is
// measured again. So is a result that depends on local files, which may have changed. A
// replay accepts both.
func (g *grid) known(c cell) (keptRanking, bool) {
	var k keptRanking
	b, ok := g.run.Result(g.key(c))
	if !ok || json.Unmarshal(b, &k) != nil || !g.fits(k.Ranking) || len(k.Unanswered) != len(g.exam.unanswerable) {
		return keptRanking{}, false
	}
	return k, g.command.Replay || k.Seam == string(g.build) && !ofFiles(c.variant.Plan)
}

// ofFiles reports whether a plan's result depends on local files other than the document.
func ofFiles(p pipeline.Plan) bool {
	return slices.ContainsFunc([]string{pipeline.Static, pipeline.Encoder, pipeline.Precomputed, pipeline.Bundled}, func(prefix string) bool { return strings.HasPrefix(p.Embedder, prefix) }) ||
		strings.HasPrefix(p.Limits.Unit, token.Tokenizer)
}

// fits reports whether a ranking from the file matches the exam's questions.
func (g *grid) fits(r eval.Ranking) bool {
	n := len(g.exam.questions)
	return len(r.Found) == n && len(r.Refs) == n && len(r.Of) == n
}

// ranked returns the number of cells with a ranking in the run's file.
func (g *grid) ranked() (n int) {
	for _, c := range g.cells {
		if _, ok := g.known(c); ok {
			n++
		}
	}
	return n
}

// measure fills in the results of every cell.
func (g *grid) measure() error {
	g.done, g.unanswered = make([]eval.Ranking, len(g.cells)), make([][][]eval.FoundChunk, len(g.cells))
	missing := map[string][]int{} // cells by embedder
	var order []string
	for i, c := range g.cells {
		k, ok := g.known(c)
		if g.done[i], g.unanswered[i] = k.Ranking, k.Unanswered; ok {
			continue
		}
		if missing[c.embedder] == nil {
			order = append(order, c.embedder)
		}
		missing[c.embedder] = append(missing[c.embedder], i)
	}
	if g.command.Replay && len(order) > 0 {
		return hosted.ErrReplay
	}
	dry := false
	for _, e := range order {
		err := g.measureWith(e, missing[e])
		if dry = dry || errors.Is(err, terminal.ErrDry); err != nil && !errors.Is(err, terminal.ErrDry) {
			return hosted.RetryHint(err)
		}
	}
	if dry || g.command.DryRun {
		g.judging.unmeasured = dry
		return terminal.ErrDry
	}
	return nil
}

// measureWith measures the cells of one embedder.
func (g *grid) measureWith(embedder string, cells []int) error {
	o := g.command.evalOptions
	o.Embedder = embedder
	var variants []variant
	of := map[string]int{}
	searched := false
	for _, i := range cells {
		c := g.cells[i]
		if _, ok := of[c.variant.name]; !ok {
			of[c.variant.name] = len(variants)
			variants = append(variants, c.variant)
		}
		searched = searched || c.Ranker != plainRanker && index.Mode(c.Ranker) != index.Keyword
	}
	if kind, _ := pipeline.EmbedderOf(embedder); !kind.Hosted && g.command.Model != "" {
		o.DryRun = false // cutting costs nothing, and shows the requests the model would get
	}
	m, err := o.measure(g.ctx, g.std, g.build, variants)
	if err != nil {
		return err
	}
	defer m.models.Close()
	m.searched, m.sends = searched, &g.sends
	results, err := m.results(g.exam)
	if err != nil {
		return err
	}
	shelves := make([]*shelf, len(variants))
	for n, i := range cells {
		c := g.cells[i]
		v := of[c.variant.name]
		if shelves[v] == nil {
			if shelves[v], err = g.exam.shelf(m, variants[v], results[v]); err != nil {
				return err
			}
		}
		if g.done[i], g.unanswered[i], err = g.rank(c, shelves[v], n, len(cells)); err != nil {
			return err
		}
		if err := g.run.KeepResult(g.key(c), keptRanking{string(g.build), g.done[i], g.unanswered[i]}); err != nil {
			return err
		}
	}
	return nil
}

// rank asks all questions of cell c, the nth of total.
func (g *grid) rank(c cell, s *shelf, nth, total int) (r eval.Ranking, unanswered [][]eval.FoundChunk, err error) {
	r = eval.Ranking{Setting: c.Setting, Of: g.exam.of}
	least := 0
	for i, chunk := range s.chunks {
		r.Tokens += float64(chunk.Tokens)
		if i == 0 || chunk.Tokens < least {
			least = chunk.Tokens
		}
	}
	if r.Chunks = len(s.chunks); r.Chunks > 0 {
		r.Tokens = eval.Round(r.Tokens/float64(r.Chunks), 2)
	}
	most := min(g.budgets.Deepest(least), len(s.chunks))
	meter := terminal.NewMeter(g.ctx, g.std, fmt.Sprintf("setting %d of %d, %s", nth+1, total, c.Name()))
	defer meter.Clear()
	s.progress = meter.Report
	all := g.exam.asked()
	for k, q := range all {
		if err := meter.Report("question", k+1, len(all)); err != nil {
			return r, nil, err
		}
		begun := time.Now()
		found, err := s.top(c.Ranker, q.Question, most)
		if err != nil {
			return r, nil, err
		}
		millis := eval.Round(float64(time.Since(begun).Microseconds())/1e3, 3)
		of := make([]eval.FoundChunk, len(found))
		for i, f := range found {
			of[i] = s.chunks[f]
		}
		if k >= len(g.exam.questions) {
			unanswered = append(unanswered, g.needed(of))
			continue
		}
		r.Millis = append(r.Millis, millis)
		r.Found, r.Refs = append(r.Found, g.needed(of)), append(r.Refs, g.exam.refs(k, s.results))
	}
	return r, unanswered, nil
}

// needed returns the best of the chunks found, as many as any score needs.
func (g *grid) needed(found []eval.FoundChunk) []eval.FoundChunk {
	depth, tokens := 0, 0
	for _, k := range g.budgets.Depths {
		depth = max(depth, k)
	}
	for _, t := range g.budgets.Tokens {
		tokens = max(tokens, t)
	}
	for i, f := range found {
		if i >= depth && tokens <= 0 {
			return found[:i]
		}
		tokens -= f.Tokens
	}
	return found
}

// head returns the run's identity: documents, questions and how many chunks are considered.
func (g *grid) head() runfile.Head {
	settings, err := json.Marshal(struct {
		eval.Budgets
		Questions []eval.Question
	}{g.budgets, g.exam.asked()})
	if err != nil {
		panic(err) // only strings and finite numbers, so it cannot fail
	}
	var names []string
	all := sha256.New()
	for _, d := range g.exam.documents() {
		names = append(names, d.Name)
		all.Write([]byte(d.SHA256))
	}
	return runfile.Head{Seam: string(g.build), Pipeline: "grid", Document: strings.Join(names, ", "), SHA256: fmt.Sprintf("%x", all.Sum(nil)), Settings: settings}
}
