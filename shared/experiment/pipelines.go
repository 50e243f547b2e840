// Package experiment runs published retrieval pipelines from a document to their figures,
// as their sources define them or with improvements made here.
package experiment

import (
	"slices"

	"seam/shared/enrich"
	"seam/shared/text"
)

// Pipeline is a published pipeline.
type Pipeline struct {
	Name string
	// Source is the place of publication.
	Source string
	// Question is the number, from 1, of the question that the source takes from its
	// question set. It is 0 if the source uses its own question.
	Question int
	// Model and EmbeddingModel are the source's.
	Model, EmbeddingModel string
	// K is the number of passages per question or, in knowledge-chunks, per sub-question.
	K          int
	Deviations []Deviation

	run func(*lab) error
}

// Deviation is a difference between this implementation and the source.
type Deviation struct{ Name, Source, Here string }

// The possible deviations.
var (
	readingText = Deviation{"text", "the pages' text in the order of the file", "the text in reading order, without running heads"}
	bothSearch  = Deviation{"search", "the similarity of vectors alone", "words and vectors together"}
	textOrder   = Deviation{"order", "passages best first", "passages in the order of the text"}
	citedPrompt = Deviation{"prompt", "passages are contexts", "passages are numbered, and the answer cites them"}
	joinedTexts = Deviation{citedPrompt.Name, "the texts, joined by a space, are one context", citedPrompt.Here}
	similarity  = Deviation{"similarity", "the score of a passage is the Euclidean distance of the vectors: less is nearer", "it is their similarity: more is nearer"}
	apart       = Deviation{"refusals", "a refusal is judged like an answer", "for a question that the text does not answer, a refusal is counted, without a judge"}
)

const (
	llama = "meta-llama/Llama-3.2-3B-Instruct"
	bge   = "BAAI/bge-en-icl"
	rag   = "all-rag-techniques, notebook "
)

// Pipelines returns all pipelines.
func Pipelines() []Pipeline {
	return []Pipeline{
		{
			Name: "semantic-chunking", Source: rag + "02", Question: 1, Model: llama, EmbeddingModel: bge, K: 2, run: (*lab).semanticChunking,
			Deviations: []Deviation{readingText, {"chunks", "notebook-percentile, 90: nine in ten gaps are cut", "the method semantic"}, bothSearch, textOrder, citedPrompt, apart},
		},
		{
			Name: "chunk-size", Source: rag + "05", Question: 4, Model: llama, EmbeddingModel: bge, K: 5, run: (*lab).chunkSize,
			Deviations: []Deviation{readingText, {"chunks", "a number of characters, a fifth of them overlapping", "the method recursive, up to that many characters"}, bothSearch, textOrder, citedPrompt,
				{"scoring", "a judgement is a number and nothing else", "a judgement may have words around the number"}, apart},
		},
		{
			Name: "knowledge-chunks", Source: "a blog post on rag4p", Model: "gpt-4o", EmbeddingModel: "text-embedding-3-small", K: 1, run: (*lab).knowledgeChunks,
			Deviations: []Deviation{readingText, {"chunks", "sections are the text between blank lines", "they are the chunks of the method semantic"}, {"retry", "an answer without statements ends it", "an answer without statements is requested once more"},
				{"both", "statements are searched", "statements and sections are searched"},
				similarity, {"duplicates", "a section that several sub-questions find is repeated", "it is given once"}, textOrder, joinedTexts,
				{"judge", "answers are not judged", "answers are compared with the true ones, if known"}, apart},
		},
		{
			Name: "contextual-headers", Source: rag + "08", Question: 1, Model: llama, EmbeddingModel: bge, K: 2, run: (*lab).contextualHeaders,
			Deviations: []Deviation{readingText, {"chunks", "1000 characters, 200 of them overlapping", "the method recursive, up to 1000 characters"},
				{"headers", "a model writes a title for each chunk", "the title and the sections of the document, or a model if there are none"}, textOrder, citedPrompt,
				{"judge", "the judge is given the whole response", "the judge is given the answer"}, apart},
		},
	}
}

// Find returns the named pipeline.
func Find(name string) (Pipeline, bool) {
	all := Pipelines()
	i := slices.IndexFunc(all, func(p Pipeline) bool { return p.Name == name })
	if i < 0 {
		return Pipeline{}, false
	}
	return all[i], true
}

// Report is the result of a pipeline.
type Report struct {
	Pipeline   string   `json:"pipeline"`
	Deviations []string `json:"deviations"` // from the source
	Figures    []Figure `json:"figures"`
	Runs       []Run    `json:"runs"`
	// Requests, Tokens and TokensOut count all answers of the run, including answers stored
	// by an earlier run. Embedding is not counted.
	Requests  int      `json:"requests"`
	Tokens    int      `json:"tokens"`
	TokensOut int      `json:"tokensOut"`
	Warnings  []string `json:"warnings"`
}

// Figure compares a number that the source printed for its own document with the number
// computed here.
type Figure struct {
	What      string `json:"what"`
	Published int    `json:"published"`
	Got       int    `json:"got"`
}

// Run is one question with one setting.
type Run struct {
	Setting      string             `json:"setting"`
	Chunks       int                `json:"chunks"`
	Question     string             `json:"question"`
	Answerable   bool               `json:"answerable"`
	Repeat       int                `json:"repeat,omitempty"` // from 1, if runs are repeated
	SubQuestions []string           `json:"subQuestions"`
	Passages     []Passage          `json:"passages"` // in the order they were sent
	Answer       string             `json:"answer"`
	Refused      bool               `json:"refused"`
	Scores       map[string]float64 `json:"scores"`
	Judged       map[string]string  `json:"judged,omitempty"` // the judges' replies, word for word
	Tokens       int                `json:"tokens"`           // input and output of the answer, without its judges
	TokensOut    int                `json:"tokensOut"`
}

// Passage is a part of the text that was found.
type Passage struct {
	Text   string  `json:"text"`
	Header string  `json:"header"`
	Score  float64 `json:"score"`
	// Statement is the statement, written by a model, by which the passage was found. It is
	// not sent to any other model.
	Statement *enrich.Statement `json:"statement,omitempty"`
	text.Span
	Page int `json:"page"` // first page it touches; 0 if the document has none
	// Label is the printed number of Page; empty if it is the same.
	Label string `json:"label,omitempty"`
}

// Question is a question to answer.
type Question struct {
	Text       string
	Ideal      string // the true answer; "" if unknown
	Answerable bool   // by the document, as far as is known
}
