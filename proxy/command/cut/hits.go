package cut

import (
	"encoding/json"

	"seam/proxy/command/terminal"
	"seam/shared/answer"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

// HitJSON is a hit of seam search in JSON. Offsets are bytes.
type HitJSON struct {
	File     string        `json:"file"`
	Document string        `json:"document,omitempty"` // the lasting name of the document, if it is not File
	ID       string        `json:"id"`                 // id of the chunk
	Chunk    string        `json:"chunk"`              // the same as ID; it is the chunk's id in every output
	Start    int           `json:"start"`
	End      int           `json:"end"`
	Page     int           `json:"page"`
	Pages    []int         `json:"pages"`
	Labels   []string      `json:"labels,omitempty"` // printed numbers of Pages, unless they are the same
	Section  string        `json:"section"`
	Score    float64       `json:"score"`
	Parts    []search.Part `json:"parts"`
	Why      string        `json:"why"`
	Text     string        `json:"text"`
	Passage  *text.Span    `json:"passage,omitempty"` // offsets in Text
	Written  string        `json:"written,omitempty"` // the generated text that matched the query
	Doc      int           `json:"-"`                 // index among the documents searched
	// PassagePage is the page on which Passage begins, or 0.
	PassagePage int `json:"passagePage,omitempty"`

	around search.Around
}

// HitsOf returns the hits found in docs, in the order of found.
func HitsOf(docs []Document, found []search.Hit) []HitJSON {
	hits := make([]HitJSON, len(found))
	for i, f := range found {
		c := docs[f.Source].Chunk(f.Chunk)
		hits[i] = HitJSON{docs[f.Source].Name, c.Document, c.ID, c.ID, c.Start, c.End, c.Page, c.Pages, c.Labels, c.Section, f.Score, f.Parts, f.Why, c.Text, nil, f.Written, f.Source, 0, f.Around}
		if f.Passage.End > 0 {
			r := docs[f.Source].Result
			hits[i].Passage, hits[i].PassagePage = &f.Passage, r.PageAt(r.Chunks[f.Chunk].Start+f.Passage.Start)
		}
	}
	return hits
}

// Source returns the place of a hit in the documents searched, for a model.
func (h HitJSON) Source(docs []Document) answer.Source {
	d := docs[h.Doc]
	return answer.Source{Name: d.Name, Title: d.Title, Section: h.Section, Pages: pipeline.Printed(d.Document, h.Pages, h.Labels), Date: answer.DateOf(d.Meta), Saved: d.saved}
}

// Around returns the hit with the text around it that a model may be given.
func (h HitJSON) Around(docs []Document) HitJSON {
	r := docs[h.Doc].Result
	if h.Passage != nil {
		by := h.Start - h.around.Wide.Start
		h.Passage = &text.Span{Start: h.Passage.Start + by, End: h.Passage.End + by}
	}
	h.Start, h.End, h.Text = h.around.Wide.Start, h.around.Wide.End, h.around.Wide.Of(r.Text.Text)
	if h.Pages, h.Labels = r.PagesIn(h.around.Wide); len(h.Pages) > 0 {
		h.Page = h.Pages[0]
	}
	return h
}

// Wide returns a hit with the text around it, if there is any, and the place of both.
func (h HitJSON) Wide(docs []Document) (passage string, from answer.Source) {
	from = h.Source(docs)
	if h.around.Before+h.around.After == "" {
		return "", from
	}
	d := docs[h.Doc]
	pages, labels := d.Result.PagesIn(h.around.Wide)
	from.Pages = pipeline.Printed(d.Document, pages, labels)
	return h.around.Before + h.Text + h.around.After, from
}

// previewLength is the number of characters shown of a hit.
const previewLength = 300

// Preview returns the beginning of a text on one line, safe for a terminal.
func Preview(t string) string {
	r := []rune(terminal.Visible(terminal.OneLine(t)))
	if len(r) > previewLength {
		return string(r[:previewLength]) + "…"
	}
	return string(r)
}

// QueryLine is a line of the file of queries.
type QueryLine struct {
	ID    json.RawMessage `json:"id"`
	Query string          `json:"query"`
}
