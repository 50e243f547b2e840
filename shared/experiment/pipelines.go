// Package experiment runs published retrieval pipelines from a document to their figures:
// as their sources have them, or with what is done better here.
package experiment

import (
	"slices"

	"seam/shared/enrich"
	"seam/shared/text"
)

// Pipeline is one of those that were published.
type Pipeline struct {
	Name string
	// Source says where it was published.
	Source string
	// Question is the number, from 1, of the question that the source asks of its
	// question set; 0: it asks one of its own.
	Question int
	// Model and EmbeddingModel are the source's.
	Model, EmbeddingModel string
	// K is how many passages a question gets; of knowledge-chunks, a sub-question.
	K          int
	Deviations []Deviation

	run func(*lab) error
}

// Deviation is something that is done otherwise here than in the source.
type Deviation struct{ Name, Source, Here string }

// What pipelines do otherwise.
var (
	readingText = Deviation{"text", "the pages' text in the order of the file", "the text in reading order, without running heads"}
	bothSearch  = Deviation{"search", "the similarity of vectors alone", "words and vectors together"}
	textOrder   = Deviation{"order", "passages best first", "passages in the order of the text"}
	citedPrompt = Deviation{"prompt", "passages are contexts", "passages are numbered, and the answer cites them"}
	joinedTexts = Deviation{citedPrompt.Name, "the texts, joined by a blank, are one context", citedPrompt.Here}
	similarity  = Deviation{"similarity", "the score of a passage is the Euclidean distance of the vectors: less is nearer", "it is their similarity: more is nearer"}
	apart       = Deviation{"refusals", "a refusal is judged like an answer", "of a question that the text does not answer it is told whether it was refused, without a judge"}
)

const (
	llama = "meta-llama/Llama-3.2-3B-Instruct"
	bge   = "BAAI/bge-en-icl"
	rag   = "all-rag-techniques, notebook "
)

// Pipelines are all there are.
func Pipelines() []Pipeline {
	return []Pipeline{
		{
			Name: "semantic-chunking", Source: rag + "02", Question: 1, Model: llama, EmbeddingModel: bge, K: 2, run: (*lab).semanticChunking,
			Deviations: []Deviation{readingText, {"chunks", "notebook-percentile, 90: nine in ten gaps are cut", "the method semantic"}, bothSearch, textOrder, citedPrompt, apart},
		},
		{
			Name: "chunk-size", Source: rag + "05", Question: 4, Model: llama, EmbeddingModel: bge, K: 5, run: (*lab).chunkSize,
			Deviations: []Deviation{readingText, {"chunks", "so many characters, a fifth of them twice", "the method recursive, up to so many characters"}, bothSearch, textOrder, citedPrompt,
				{"scoring", "a judgement is a number and nothing else", "a judgement is found among words, too"}, apart},
		},
		{
			Name: "knowledge-chunks", Source: "a blog post on rag4p", Model: "gpt-4o", EmbeddingModel: "text-embedding-3-small", K: 1, run: (*lab).knowledgeChunks,
			Deviations: []Deviation{readingText, {"chunks", "sections are what stands between blank lines", "they are the chunks of the method semantic"}, {"retry", "an answer without statements ends it", "an answer without statements is asked for once more, and then the section itself is searched"},
				{"both", "statements are searched", "statements and sections are searched"},
				similarity, {"duplicates", "a section that several sub-questions find is given as often", "it is given once"}, textOrder, joinedTexts,
				{"judge", "answers are not judged", "answers are compared with the true ones, where these are known"}, apart},
		},
		{
			Name: "contextual-headers", Source: rag + "08", Question: 1, Model: llama, EmbeddingModel: bge, K: 2, run: (*lab).contextualHeaders,
			Deviations: []Deviation{readingText, {"chunks", "1000 characters, 200 of them twice", "the method recursive, up to 1000 characters"},
				{"headers", "a model writes a title for each chunk", "the title and the sections of the document, and a model where it has none"}, textOrder, citedPrompt,
				{"judge", "the judge is given the whole response", "the judge is given the answer"}, apart},
		},
	}
}

// Find returns the pipeline of a name.
func Find(name string) (Pipeline, bool) {
	all := Pipelines()
	i := slices.IndexFunc(all, func(p Pipeline) bool { return p.Name == name })
	if i < 0 {
		return Pipeline{}, false
	}
	return all[i], true
}

// Report is what a pipeline has come to.
type Report struct {
	Pipeline   string   `json:"pipeline"`
	Deviations []string `json:"deviations"` // from the source
	Figures    []Figure `json:"figures"`
	Runs       []Run    `json:"runs"`
	// Requests, Tokens and TokensOut are those of all answers of the run, also where they
	// were kept from an earlier one; vectors are not counted.
	Requests  int      `json:"requests"`
	Tokens    int      `json:"tokens"`
	TokensOut int      `json:"tokensOut"`
	Warnings  []string `json:"warnings"`
}

// Figure is a number that the source has printed for its own document, beside ours.
type Figure struct {
	What      string `json:"what"`
	Published int    `json:"published"`
	Got       int    `json:"got"`
}

// Run is one question under one setting.
type Run struct {
	Setting      string             `json:"setting"`
	Chunks       int                `json:"chunks"`
	Question     string             `json:"question"`
	Answerable   bool               `json:"answerable"`
	Repeat       int                `json:"repeat,omitempty"` // from 1, where runs are repeated
	SubQuestions []string           `json:"subQuestions"`
	Passages     []Passage          `json:"passages"` // as they were sent
	Answer       string             `json:"answer"`
	Refused      bool               `json:"refused"`
	Scores       map[string]float64 `json:"scores"`
	Judged       map[string]string  `json:"judged,omitempty"` // what the judges said, word for word
	Tokens       int                `json:"tokens"`           // read and written for the answer, without its judges
	TokensOut    int                `json:"tokensOut"`
}

// Passage is a part of the text that was found.
type Passage struct {
	Text   string  `json:"text"`
	Header string  `json:"header"`
	Score  float64 `json:"score"`
	// Statement is what a model has made of the text, where the passage was found by it. No
	// other model is given it.
	Statement *enrich.Statement `json:"statement,omitempty"`
	text.Span
	Page int `json:"page"` // the first that it touches; 0: the document has none
}

// Question is one to be answered.
type Question struct {
	Text       string
	Ideal      string // the true answer; "": it is not known
	Answerable bool   // by the document, as far as is known
}
