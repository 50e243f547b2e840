package search

import (
	"seam/shared/index"
	"seam/shared/sentence"
	"seam/shared/text"
)

// Marked is what a text that was found elsewhere has of a query.
type Marked struct {
	Words   []string    // of the query, that it has
	Marks   []text.Span // where, in its bytes
	Passage text.Span   // the sentence with most of them; empty where there is none
}

// Mark says of each text what it has of a query, by the words of a search here: for hits of
// an engine that tells nothing of it.
func Mark(query string, texts []string) ([]Marked, error) {
	d, err := index.Analyse(index.Source{Texts: texts}, func(int, int) error { return nil })
	if err != nil {
		return nil, err
	}
	c := index.NewCorpus(d)
	hits := c.Search(index.Query{Asked: c.Parse(query, nil), K: len(texts), Mode: index.Keyword,
		Texts: func(i int) string { return texts[i] }, Sentences: func(i int) []text.Span { return sentence.Split(texts[i]) }})
	marked := make([]Marked, len(texts))
	for _, h := range hits {
		marked[h.Text] = Marked{h.Found, h.Marks, h.Passage}
	}
	return marked, nil
}
