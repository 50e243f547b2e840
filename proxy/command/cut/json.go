package cut

import (
	"fmt"
)

// ChunkJSON is a chunk as JSON has it. Offsets are bytes.
type ChunkJSON struct {
	File    string  `json:"file,omitempty"` // where several files are in one list
	ID      string  `json:"id"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Tokens  int     `json:"tokens"`
	Page    int     `json:"page"`             // the first page, 0 where there is none
	Pages   []int   `json:"pages"`            // all pages it touches
	Section string  `json:"section"`          // titles from the outermost in; empty in the content view
	Header  *string `json:"header,omitempty"` // with --headers; tokens are those of both
	Text    string  `json:"text"`
	Reason  string  `json:"reason"`
	Topic   int     `json:"topic,omitempty"` // from 1; of the method semantic
}

type curveJSON struct {
	Kind       string    `json:"kind"`   // distance, similarity or gradient
	Values     []float64 `json:"values"` // one for each gap between sentences
	Threshold  *float64  `json:"threshold"`
	Boundaries []int     `json:"boundaries"` // a break after sentence i
	Sentences  int       `json:"sentences"`
}

// OnPages says where a chunk stands; nothing for a document of one page.
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

// Chunk returns the ith chunk as JSON has it.
func (d Document) Chunk(i int) ChunkJSON {
	r, c := d.Result, d.Result.Chunks[i]
	j := ChunkJSON{ID: c.ID, Start: c.Start, End: c.End, Tokens: c.Tokens, Pages: r.Pages(i), Section: r.Section(i), Text: c.Of(r.Text.Text), Reason: c.Reason.String(), Topic: c.Topic}
	if len(j.Pages) > 0 {
		j.Page = j.Pages[0]
	}
	return j
}
