package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"seam/shared/enrich"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Figures that the sources print for their document.
const (
	publishedSentences = 257
	publishedChunks    = 231
	publishedHeaded    = 42
)

var publishedSizes = map[int]int{128: 326, 256: 164, 512: 82}

func (l *lab) figure(what string, published, got int) {
	l.report.Figures = append(l.report.Figures, Figure{what, published, got})
}

func (l *lab) correct() judge {
	return judge{name: "correctness", system: cmp.Or(l.o.Prompts.Correct, DefaultPrompts.Correct), needsIdeal: true}
}

// found converts a finder to the find parameter of answerAll.
func (l *lab) found(f finder) func(Question, *Run, func(string, ...any)) error {
	return func(q Question, run *Run, _ func(string, ...any)) (err error) {
		run.Passages, err = f(q.Text, l.o.K)
		return err
	}
}

func (l *lab) semanticChunking() error {
	s := pipeline.Settings{Method: "notebook-percentile", View: l.view()}
	if l.has("chunks") {
		s.Method = "semantic"
	}
	r, err := l.cut(s)
	if err != nil {
		return err
	}
	l.figure("sentences", publishedSentences, len(r.Sentences))
	l.figure("chunks", publishedChunks, len(r.Chunks))
	f, err := l.finder(r)
	if err != nil {
		return err
	}
	return l.answerAll(s.Method, len(r.Chunks), l.found(f), []judge{l.correct()})
}

// sizes returns the chunk sizes of chunk-size, in characters.
func (l *lab) sizes() []int {
	if len(l.o.Sizes) == 0 {
		return []int{128, 256, 512}
	}
	return l.o.Sizes
}

// sizeJudges returns the judges of chunk-size.
func (l *lab) sizeJudges() []judge {
	return []judge{
		{name: Faithfulness, system: cmp.Or(l.o.Prompts.Faithful, DefaultPrompts.Faithful), needsIdeal: true, strict: !l.has("scoring")},
		{name: Relevancy, system: cmp.Or(l.o.Prompts.Relevant, DefaultPrompts.Relevant), strict: !l.has("scoring")},
	}
}

func (l *lab) chunkSize() error {
	judges := l.sizeJudges()
	for _, n := range l.sizes() {
		s := pipeline.Settings{Method: "fixed", View: l.view(), Unit: token.Characters.Name(), MaxTokens: n, Overlap: n / 5}
		if l.has("chunks") {
			s.Method, s.Overlap = "recursive", 0
		}
		r, err := l.cut(s)
		if err != nil {
			return err
		}
		if want, ok := publishedSizes[n]; ok {
			l.figure(strconv.Itoa(n)+" characters: chunks", want, len(r.Chunks))
		}
		f, err := l.finder(r)
		if err != nil {
			return err
		}
		if err := l.answerAll(strconv.Itoa(n), len(r.Chunks), l.found(f), judges); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) contextualHeaders() error {
	none := ""
	s := pipeline.Settings{Method: "fixed", View: l.view(), Unit: token.Characters.Name(), MaxTokens: 1000, Overlap: 200}
	if !l.has(readingText.Name) {
		s.PageJoin = &none
	}
	if l.has("chunks") {
		s.Method, s.Overlap = "recursive", 0
	}
	r, err := l.cut(s)
	if err != nil {
		return err
	}
	l.figure("chunks", publishedHeaded, len(r.Chunks))
	all := passagesOf(r)
	if err := l.addHeaders(r, all); err != nil {
		return err
	}
	f, err := l.byHeaderAndText(all)
	if err != nil {
		return err
	}
	j := l.correct()
	j.whole = !l.has("judge")
	return l.answerAll(s.Method, len(r.Chunks), l.found(f), []judge{j})
}

// addHeaders gives each passage a header: from the document if requested and available,
// otherwise a title written by the model.
func (l *lab) addHeaders(r *pipeline.Result, all []Passage) error {
	return l.each(StageTitles, len(all), func(i int, warn func(string, ...any)) error {
		if l.has("headers") && r.Section(i) != "" {
			all[i].Header = r.Titles(i)
			return nil
		}
		title, err := l.writer.Title(l.ctx, all[i].Text)
		if reason, ok := llm.Unusable(err); ok {
			warn("chunk %d has no title: %s", i+1, reason)
			return nil
		}
		all[i].Header = title
		return err
	})
}

// byHeaderAndText finds passages by the weighted mean of the similarities of their header
// and their text.
func (l *lab) byHeaderAndText(all []Passage) (finder, error) {
	texts, headers := make([]string, len(all)), make([]string, len(all))
	for i, p := range all {
		texts[i], headers[i] = p.Text, cmp.Or(p.Header, p.Text)
	}
	m, query, err := l.vectors(append(texts, headers...))
	if err != nil {
		return nil, err
	}
	return func(question string, k int) ([]Passage, error) {
		q, err := query(question)
		if err != nil {
			return nil, err
		}
		scores := vector.Scores(m, q, nil) // rows have length 1
		out := slices.Clone(all)
		for i := range out {
			out[i].Score = (1-l.o.Header)*float64(scores[i]) + l.o.Header*float64(scores[len(all)+i])
		}
		slices.SortStableFunc(out, func(a, b Passage) int { return cmp.Compare(b.Score, a.Score) })
		return out[:min(k, len(out))], nil
	}, nil
}

func (l *lab) knowledgeChunks() error {
	sections, err := l.sections()
	if err != nil {
		return err
	}
	made := make([][]Passage, len(sections))
	err = l.each(StageStatements, len(sections), func(i int, warn func(string, ...any)) error {
		whole := sections[i]
		statements, err := l.writer.Knowledge(l.ctx, whole.Text)
		reason, failed := llm.Unusable(err)
		switch {
		case failed:
			warn("section %d has no statements and is searched by its own text: %s", i+1, reason)
		case err != nil:
			return err
		}
		for n, s := range statements {
			p := whole
			p.Statement = &s
			made[i] = append(made[i], p)
			if !s.Grounded {
				warn("section %d, statement %d is not supported by its text: %s", i+1, n+1, strconv.Quote(text.Beginning(s.Text(), quoted)))
			}
		}
		if failed || l.has("both") {
			made[i] = append(made[i], whole)
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := slices.Concat(made...)
	if len(all) == 0 {
		return fmt.Errorf("the model wrote no statement for any of the %d sections", len(sections))
	}
	f, err := l.byStatements(all)
	if err != nil {
		return err
	}
	l.joins = !l.has(joinedTexts.Name)
	var judges []judge
	if l.has("judge") {
		judges = []judge{l.correct()}
	}
	return l.answerAll("knowledge", len(all), func(q Question, run *Run, warn func(string, ...any)) error { return l.bySubQuestions(f, q, run, warn) }, judges)
}

// byStatements finds passages by their statements. Passages without one are found by their
// text.
func (l *lab) byStatements(all []Passage) (finder, error) {
	f, err := l.nearest(all, func(p Passage) string {
		if p.Statement != nil {
			return p.Statement.Text()
		}
		return p.Text
	})
	if err != nil || l.has(similarity.Name) {
		return f, err
	}
	return func(question string, k int) ([]Passage, error) {
		found, err := f(question, k)
		for i := range found { // of vectors of length 1
			found[i].Score = math.Sqrt(max(0, 2-2*found[i].Score))
		}
		return found, err
	}, nil
}

// sections returns the sections about which statements are written.
func (l *lab) sections() ([]Passage, error) {
	if l.has("chunks") {
		r, err := l.cut(pipeline.Settings{Method: "semantic", View: l.view()})
		if err != nil {
			return nil, err
		}
		return passagesOf(r), nil
	}
	d := l.session.Document
	v := d.View(l.view())
	var out []Passage
	for _, s := range enrich.Sections(v.Text) {
		p := Passage{Text: s.Of(v.Text), Span: s}
		if first, _, ok := v.PageRange(s); ok {
			if p.Page = d.Pages[first].Number; d.Pages[first].Label != strconv.Itoa(p.Page) {
				p.Label = d.Pages[first].Label
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// bySubQuestions splits a question into parts. For each part it finds the section with the
// best matching statement.
func (l *lab) bySubQuestions(f finder, q Question, run *Run, warn func(string, ...any)) error {
	subs, err := l.writer.SubQuestions(l.ctx, q.Text)
	if reason, ok := llm.Unusable(err); ok {
		warn("“%s” is not split: %s", q.Text, reason)
		subs, err = []string{q.Text}, nil
	}
	if err != nil {
		return err
	}
	run.SubQuestions = subs
	for _, sub := range subs {
		found, err := f(sub, l.o.K)
		if err != nil {
			return err
		}
		for _, p := range found {
			same := func(have Passage) bool { return have.Span == p.Span }
			if !l.has("duplicates") || !slices.ContainsFunc(run.Passages, same) {
				run.Passages = append(run.Passages, p)
			}
		}
	}
	return nil
}
