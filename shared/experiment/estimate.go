package experiment

import (
	"strings"
	"unicode/utf8"

	"seam/shared/enrich"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
)

// Estimate is the approximate demand of a run on models, if nothing is stored from an
// earlier run.
type Estimate struct {
	Answers, Tokens, TokensOut int // for the language models: requests, input tokens, output tokens
	Judged, JudgedOut          int // the judge's share of those tokens
	Texts, TextTokens          int // texts to embed, and their tokens
}

// Typical tokens: of a prompt without its passages, and of a model's output.
const (
	promptTokens   = 160
	answerTokens   = 150
	judgementTaken = 300
	titleTokens    = 12
)

// semanticTokens is the typical length of a chunk of the method semantic, which has at most
// 512 tokens. In prose the lengths were 200 to 430.
const semanticTokens = 300

// Estimate returns the approximate demand of Run. It sends nothing.
func (p Pipeline) Estimate(d *text.Document, questions []Question, o Options) Estimate {
	l := &lab{o: o, session: pipeline.NewSession(d)}
	if l.o.K == 0 {
		l.o.K = p.K
	}
	v := d.View(l.view()).Text
	var e Estimate
	all, chars := token.Estimate.Count(v), utf8.RuneCountInString(v)
	asked := len(questions) * max(1, o.Repeat)
	answers := func(times, judges, passage int) {
		e.Answers += times * (1 + judges)
		e.Tokens += times * (promptTokens + l.o.K*passage + judges*judgementTaken)
		e.TokensOut += times * (answerTokens + judges)
		e.Judged, e.JudgedOut = e.Judged+times*judges*judgementTaken, e.JudgedOut+times*judges
	}
	cut := func(size, step int) (chunks int) {
		chunks = max(1, (chars+step-1)/step)
		e.Texts += chunks
		e.TextTokens += all * size / step
		return chunks
	}
	switch p.Name {
	case "semantic-chunking":
		sentences := strings.Count(v, ". ") + 1
		e.Texts, e.TextTokens = 2*sentences, 2*all
		answers(asked, 1, all/sentences)
	case "chunk-size":
		for _, n := range l.sizes() {
			answers(asked, 2, all/cut(n, max(1, n-n/5)))
		}
	case "knowledge-chunks":
		sections := len(enrich.Sections(v))
		if l.has("chunks") {
			sections = (all + semanticTokens - 1) / semanticTokens
		}
		e.Texts, e.TextTokens = 3*sections, 2*all
		e.Answers, e.Tokens, e.TokensOut = sections, all+sections*promptTokens, 2*all
		e.Answers += asked // to split the question
		answers(asked, 1, all/max(1, sections))
	case "contextual-headers":
		chunks := cut(1000, 800)
		e.Texts, e.TextTokens = 2*chunks, e.TextTokens+chunks*titleTokens
		e.Answers, e.Tokens, e.TokensOut = chunks, e.TextTokens+chunks*promptTokens, chunks*titleTokens
		answers(asked, 1, all/chunks)
	}
	e.Texts += asked
	return e
}
