package cut

import (
	"fmt"
)

// ChunkJSON is a chunk in JSON. Offsets are bytes.
type ChunkJSON struct {
	File    string  `json:"file,omitempty"` // if several files are in one list
	ID      string  `json:"id"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Tokens  int     `json:"tokens"`
	Page    int     `json:"page"`             // the first page, or 0 if there are no pages
	Pages   []int   `json:"pages"`            // all pages the chunk touches
	Section string  `json:"section"`          // titles, outermost first; empty in the content view
	Header  *string `json:"header,omitempty"` // with --headers; Tokens then counts header and text
	Text    string  `json:"text"`
	Reason  string  `json:"reason"`
	Topic   int     `json:"topic,omitempty"` // from 1; only for the method semantic
}

type curveJSON struct {
	Kind       string    `json:"kind"`   // distance, similarity or gradient
	Values     []float64 `json:"values"` // one for each gap between sentences
	Threshold  *float64  `json:"threshold"`
	Boundaries []int     `json:"boundaries"` // a break after sentence i
	Sentences  int       `json:"sentences"`
}

// OnPages returns the pages of a chunk in words, or "" for a document of one page.
func OnPages(d Document, pages []int) string {
	switch {
	case len(d.Pages) < 2 || len(pages) == 0:
		return ""
	case len(pages) == 1:
		return fmt.Sprintf(" · p. %d", pages[0])
	default:
		return fmt.Sprintf(" · p. %d–%d", pages[0], pages[len(pages)-1])
	}
}

// Chunk returns the ith chunk in JSON form.
func (d Document) Chunk(i int) ChunkJSON {
	r, c := d.Result, d.Result.Chunks[i]
	j := ChunkJSON{ID: c.ID, Start: c.Start, End: c.End, Tokens: c.Tokens, Pages: r.Pages(i), Section: r.Section(i), Text: c.Of(r.Text.Text), Reason: c.Reason.String(), Topic: c.Topic}
	if len(j.Pages) > 0 {
		j.Page = j.Pages[0]
	}
	return j
}
