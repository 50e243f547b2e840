package experiment

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"seam/shared/answer"
	"seam/shared/embed"
	"seam/shared/enrich"
	"seam/shared/index"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/vector"
)

// Options configures a run of a pipeline.
type Options struct {
	// Deviations are the names of the deviations to apply; see All.
	Deviations   []string
	Model, Judge string
	Embedder     string // as in pipeline.Settings
	Prompts      Prompts
	Repeat       int     // answers per question; 0 means 1
	First        int     `json:"-"` // for Judge: number of the first repetition, from 0, if others run elsewhere
	Sizes        []int   // for chunk-size, in characters; nil for the source's
	K            int     // passages per question; 0 for the source's
	Header       float64 // for contextual-headers: weight of a header's similarity, 0 to 1
}

// Host provides the models that a pipeline needs.
type Host struct {
	LLM   llm.Model
	Hooks pipeline.Hooks // opens the embedder; its Progress covers the cutting
	// Progress covers all other work. If it returns an error, the work stops with that
	// error.
	Progress func(stage string, done, total int) error
}

// The stages of a Host's Progress.
const (
	StageTitles     = "titles"
	StageStatements = "statements"
	StageQuestions  = "questions"
)

// All returns the names of a pipeline's deviations.
func (p Pipeline) All() []string {
	out := make([]string, len(p.Deviations))
	for i, d := range p.Deviations {
		out[i] = d.Name
	}
	return out
}

// Run runs a pipeline on a document. An unusable answer of a model becomes a warning. A
// model that does not answer is an error.
func (p Pipeline) Run(ctx context.Context, d *text.Document, questions []Question, o Options, h Host) (*Report, error) {
	for _, name := range o.Deviations {
		if !slices.Contains(p.All(), name) {
			return nil, &pipeline.SettingsError{Reason: fmt.Sprintf("%s has no deviation %q: choose from %s", p.Name, name, strings.Join(p.All(), ", "))}
		}
	}
	if o.K == 0 {
		o.K = p.K
	}
	o.Repeat = max(1, o.Repeat)
	l := &lab{ctx: ctx, host: h, o: o, session: pipeline.NewSession(d), questions: questions}
	l.writer = enrich.Writer{LLM: counted{h.LLM, l}, Model: o.Model, Prompts: o.Prompts.Prompts, Retry: l.has("retry")}
	l.report = Report{Pipeline: p.Name, Deviations: append([]string{}, o.Deviations...), Figures: []Figure{}, Runs: []Run{}, Warnings: []string{}}
	if err := p.run(l); err != nil {
		return nil, err
	}
	return &l.report, nil
}

// lab is the state of a run.
type lab struct {
	ctx       context.Context
	host      Host
	o         Options
	session   *pipeline.Session
	questions []Question
	writer    enrich.Writer
	joins     bool // passages are sent as one text, joined by spaces
	// refusedIsNothing makes a refusal score 0 without asking a judge.
	refusedIsNothing bool
	report           Report

	mu sync.Mutex // protects the report's counts
}

func (l *lab) has(deviation string) bool { return slices.Contains(l.o.Deviations, deviation) }

// counted is a Model with answers counted by a lab.
type counted struct {
	llm.Model
	lab *lab
}

func (c counted) Complete(ctx context.Context, r llm.Request, emit func(string) error) (llm.Reply, error) {
	reply, err := c.Model.Complete(ctx, r, emit)
	c.lab.mu.Lock()
	defer c.lab.mu.Unlock()
	c.lab.report.Requests++
	c.lab.report.Tokens += reply.Tokens
	c.lab.report.TokensOut += reply.TokensOut
	return reply, err
}

// cut cuts the document.
func (l *lab) cut(s pipeline.Settings) (*pipeline.Result, error) {
	s.Embedder = l.o.Embedder
	plan, err := pipeline.NewPlan(s)
	if err != nil {
		return nil, err
	}
	return l.session.Run(l.ctx, plan, l.host.Hooks)
}

// view returns the view to cut: reading with the deviation text, otherwise the source's
// content view.
func (l *lab) view() text.ViewName {
	if l.has(readingText.Name) {
		return text.Reading
	}
	return text.Content
}

// vectors embeds texts to search, and returns a function that embeds a query.
func (l *lab) vectors(texts []string) (vector.Matrix, func(query string) ([]float32, error), error) {
	e, err := l.host.Hooks.Open(l.o.Embedder)
	if err != nil {
		return vector.Matrix{}, nil, err
	}
	if fitter, ok := e.(embed.Fitter); ok {
		if e, err = fitter.Fit(l.ctx, texts, nil); err != nil {
			return vector.Matrix{}, nil, err
		}
	}
	one := func(role embed.Role, texts []string) (vector.Matrix, error) {
		by := embed.For(e, role)
		if by == nil {
			return vector.Matrix{}, fmt.Errorf("the embedder %s has no vectors of %s", e.ID(), role)
		}
		return by.Embed(l.ctx, texts, nil)
	}
	m, err := one(embed.Chunks, texts)
	return m, func(query string) ([]float32, error) {
		q, err := one(embed.Queries, []string{query})
		if err != nil {
			return nil, err
		}
		return q.Row(0), nil
	}, err
}

// finder returns the k best passages for a question, best first.
type finder func(question string, k int) ([]Passage, error)

// finder returns a finder for the chunks of a result.
func (l *lab) finder(r *pipeline.Result) (finder, error) {
	all := passagesOf(r)
	if l.has(bothSearch.Name) {
		s, err := search.NewSearcher([]*pipeline.Result{r}, search.Options{}, l.host.Hooks)
		var one sync.Mutex // a Searcher must not be used concurrently
		return func(question string, k int) ([]Passage, error) {
			one.Lock()
			defer one.Unlock()
			found, err := s.Search(l.ctx, search.Query{Text: question, K: k, Mode: index.Hybrid}, l.host.Hooks)
			if err != nil {
				return nil, err
			}
			out := make([]Passage, len(found.Hits))
			for i, h := range found.Hits {
				out[i] = all[h.Chunk]
				out[i].Score = h.Score
			}
			return out, nil
		}, err
	}
	return l.nearest(all, func(p Passage) string { return p.Text })
}

// nearest returns a finder by vectors. of returns the text of a passage to embed.
func (l *lab) nearest(all []Passage, of func(Passage) string) (finder, error) {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = of(p)
	}
	m, query, err := l.vectors(texts)
	return func(question string, k int) ([]Passage, error) {
		q, err := query(question)
		if err != nil {
			return nil, err
		}
		var out []Passage
		for _, hit := range vector.TopK(m, q, k) {
			p := all[hit.Row]
			p.Score = float64(hit.Score)
			out = append(out, p)
		}
		return out, nil
	}, err
}

func passagesOf(r *pipeline.Result) []Passage {
	out := make([]Passage, len(r.Chunks))
	for i, c := range r.Chunks {
		out[i] = Passage{Text: c.Of(r.Text.Text), Span: c.Span}
		if pages := r.Pages(i); len(pages) > 0 {
			out[i].Page = pages[0]
			if labels := r.Labels(i); labels != nil && labels[0] != strconv.Itoa(pages[0]) {
				out[i].Label = labels[0]
			}
		}
	}
	return out
}

// each does work for n things, several at a time, and reports their warnings in order.
func (l *lab) each(stage string, n int, work func(i int, warn func(format string, args ...any)) error) error {
	const atATime = 4
	warnings := make([][]string, n)
	err := llm.Each(l.ctx, n, atATime, func(i int) error {
		return work(i, func(format string, args ...any) { warnings[i] = append(warnings[i], fmt.Sprintf(format, args...)) })
	}, func(done int) error {
		if l.host.Progress == nil {
			return nil
		}
		return l.host.Progress(stage, done, n)
	})
	l.report.Warnings = append(l.report.Warnings, slices.Concat(warnings...)...)
	return err
}

// answerAll has every question answered from the passages that find finds, and the answers
// judged.
func (l *lab) answerAll(setting string, chunks int, find func(q Question, run *Run, warn func(string, ...any)) error, judges []judge) error {
	runs := make([]Run, len(l.questions)*l.o.Repeat)
	err := l.each(StageQuestions, len(runs), func(i int, warn func(string, ...any)) error {
		q := l.questions[i/l.o.Repeat]
		run := Run{Setting: setting, Chunks: chunks, Question: q.Text, Answerable: q.Answerable, SubQuestions: []string{}, Passages: []Passage{}, Scores: map[string]float64{}}
		if l.o.Repeat > 1 {
			run.Repeat = i%l.o.Repeat + 1
		}
		err := find(q, &run, warn)
		if err == nil {
			err = l.answer(q, &run, i%l.o.Repeat, warn, judges)
		}
		runs[i] = run
		return err
	})
	l.report.Runs = append(l.report.Runs, runs...)
	return err
}

// answer has a question answered from a run's passages, and the answer judged.
func (l *lab) answer(q Question, run *Run, nth int, warn func(string, ...any), judges []judge) error {
	if l.has(textOrder.Name) {
		slices.SortStableFunc(run.Passages, func(a, b Passage) int { return a.Start - b.Start })
	}
	sent := run.Passages
	if l.joins {
		texts := make([]string, len(sent))
		for i, p := range sent {
			texts[i] = p.Text
		}
		sent = []Passage{{Text: strings.Join(texts, " ")}}
	}
	system, user := l.o.Prompts.answering(l.has(citedPrompt.Name), q.Text, sent)
	r := llm.Ask(l.o.Model, system, user)
	r.Nth = nth
	reply, err := l.complete(r, "the answer to “"+q.Text+"”", warn)
	if err != nil {
		return err
	}
	run.Answer, run.Refused = strings.TrimSpace(reply.Text), answer.IsRefusal(reply.Text)
	run.Tokens, run.TokensOut = reply.Tokens, reply.TokensOut
	if l.has(apart.Name) && !q.Answerable {
		return nil
	}
	for _, j := range judges {
		if j.needsIdeal && q.Ideal == "" {
			continue
		}
		if run.Refused && l.refusedIsNothing {
			run.Scores[j.name] = 0
			continue
		}
		score, said, err := l.judged(j, q, reply, nth, warn)
		if err != nil {
			return err
		}
		if run.Judged == nil {
			run.Judged = map[string]string{}
		}
		run.Scores[j.name], run.Judged[j.name] = score, said
	}
	return nil
}

// complete returns a model's answer. An unusable one becomes a warning and is empty.
func (l *lab) complete(r llm.Request, what string, warn func(string, ...any)) (llm.Reply, error) {
	reply, err := counted{l.host.LLM, l}.Complete(l.ctx, r, nil)
	reason, none := llm.Unusable(err)
	switch {
	case none:
		warn("%s cannot be used: %s", what, reason)
		return llm.Reply{Finish: "stop"}, nil
	case err != nil:
		return reply, err
	case strings.TrimSpace(reply.Text) == "":
		warn("%s is empty", what)
	case reply.Finish == "length":
		warn("%s is cut off at the model's limit", what)
	case reply.Finish == "filter":
		warn("%s was stopped by the provider's filter", what)
	}
	return reply, nil
}
