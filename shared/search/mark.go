package search

import (
	"seam/shared/index"
	"seam/shared/sentence"
	"seam/shared/text"
)

// Marked holds the words of a query that occur in a text found elsewhere.
type Marked struct {
	Words   []string    // words of the query in the text
	Marks   []text.Span // their places, in bytes of the text
	Passage text.Span   // the sentence with most of them; empty if there is none
}

// Mark returns, for each text, the words of a query in it, by the same rules as a search
// here. It is for hits of a search engine that does not report them.
func Mark(query string, texts []string) ([]Marked, error) {
	d, err := index.Analyse(index.Source{Texts: texts}, func(int, int) error { return nil })
	if err != nil {
		return nil, err
	}
	c := index.NewCorpus(d)
	hits := c.Search(index.Query{Asked: c.Parse(query, true, nil), K: len(texts), Mode: index.Keyword,
		Texts: func(i int) string { return texts[i] }, Sentences: func(i int) []text.Span { return sentence.Split(texts[i]) }})
	marked := make([]Marked, len(texts))
	for _, h := range hits {
		marked[h.Text] = Marked{h.Found, h.Marks, h.Passage}
	}
	return marked, nil
}
