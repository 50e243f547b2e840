// Package export writes the chunks of a result as files: JSON, JSON Lines, CSV, and lines
// for the loaders of LangChain and LlamaIndex. Page and command line both use it, so the
// same document with the same settings gives the same bytes in both.
//
// Package export/schema describes the files. Later versions of Seam may add keys. A key
// that goes, or changes its type or meaning, needs another ID.
package export

import (
	"fmt"
	"unicode/utf8"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// ID names the schema of the files. Every document and every file of settings has it.
const ID = "urn:seam:chunks:2"

// Format is a form of a file of chunks.
type Format string

// The formats.
const (
	JSON        Format = "json"        // one Documents
	Lines       Format = "jsonl"       // one Chunk per line
	CSV         Format = "csv"         // one row per chunk, every text as it is
	Spreadsheet Format = "spreadsheet" // CSV in which no cell is a formula
	LangChain   Format = "langchain"   // one Record per line
)

// Unit is the unit of offsets.
type Unit string

// The units.
const (
	Bytes      Unit = "bytes"      // of UTF-8
	UTF16      Unit = "utf16"      // UTF-16 units, as in JavaScript, Java and C#
	CodePoints Unit = "codepoints" // as in Python
)

// Check returns an error for an unknown format or unit.
func Check(f Format, u Unit) error {
	switch f {
	case JSON, Lines, CSV, Spreadsheet, LangChain:
	default:
		return fmt.Errorf("unknown format %q: choose json, jsonl, csv, spreadsheet or langchain", f)
	}
	switch u {
	case Bytes, UTF16, CodePoints:
		return nil
	}
	return fmt.Errorf("unknown unit of offsets %q: choose bytes, utf16 or codepoints", u)
}

// Place is the place of a chunk's start in its file. It has the keys that the file's format
// knows.
type Place struct {
	Page  int    `json:"page,omitempty"`  // from 1
	Label string `json:"label,omitempty"` // the printed number of the page, such as "iv"
}

// Parent is the innermost section that has a whole chunk.
type Parent struct {
	Start  int      `json:"start"` // in the unit of the chunk
	End    int      `json:"end"`
	Titles []string `json:"titles"` // outermost first
}

// Chunk is a chunk.
type Chunk struct {
	File     string        `json:"file,omitempty"`
	Document string        `json:"document,omitempty"` // the lasting name of the document, if it is not File
	ID       string        `json:"id"`
	Chunk    string        `json:"chunk"`            // the same as ID; it is the chunk's id in every output
	Origin   string        `json:"origin,omitempty"` // of the description of the document, see Made
	Start    int           `json:"start"`
	End      int           `json:"end"`
	Tokens   int           `json:"tokens"`
	Page     int           `json:"page"`             // the first page, or 0 if there are no pages
	Pages    []int         `json:"pages"`            // all pages the chunk touches
	Labels   []string      `json:"labels,omitempty"` // printed numbers of Pages; absent if they are the same
	Section  string        `json:"section"`          // titles, outermost first; empty in the content view
	Parent   *Parent       `json:"parent,omitempty"` // absent without sections
	Part     text.Part     `json:"part,omitempty"`   // "references" or "contents"
	Header   *string       `json:"header,omitempty"` // if headers are requested; Tokens then counts header and text
	Links    []text.Link   `json:"links,omitempty"`  // with offsets in the unit of the chunk; only in the reading view
	Text     string        `json:"text"`
	Reason   string        `json:"reason"`
	Topic    int           `json:"topic,omitempty"` // from 1; only for the method semantic
	Index    int           `json:"index"`           // in its document, from 0
	Place    *Place        `json:"place"`           // nil without pages
	View     text.ViewName `json:"view"`
}

// Of is a result with the unit of its offsets.
type Of struct {
	*pipeline.Result
	File    string // name of the document
	Lasting string // its lasting name; "" if it is File
	SHA256  string // of its bytes, in hex; "" if unknown
	Seam    string // version of the program
	from    string // the result of origin
	Unit    Unit
	units   *text.UTF16
	runes   runes
	parents map[int]*Parent // by the index of the section
}

// Chunk returns chunk i.
func (o *Of) Chunk(i int) Chunk {
	r, c := o.Result, o.Chunks[i]
	span := o.span(c.Span)
	j := Chunk{File: o.File, Document: o.Lasting, ID: c.ID, Chunk: c.ID, Origin: o.origin(), Start: span.Start, End: span.End, Tokens: c.Tokens, Pages: r.Pages(i), Labels: r.Labels(i), Section: r.Section(i), Part: r.Part(i),
		Text: c.Of(r.Text.Text), Reason: c.Reason.String(), Topic: c.Topic, Index: i, View: r.Plan.View}
	j.Parent = o.parent(c.Span)
	for _, l := range r.Links(i) {
		l.Span, l.To = o.span(l.Span), o.span(text.Span{Start: l.To, End: l.To}).Start
		j.Links = append(j.Links, l)
	}
	if r.Plan.Headers {
		h := r.Header(i)
		j.Header = &h
	}
	if len(j.Pages) > 0 {
		j.Page = j.Pages[0]
		j.Place = &Place{j.Page, r.Document.Pages[c.First].Label}
	}
	return j
}

// parent returns the innermost section that has a whole span. It converts each section once,
// as a long one may have all chunks.
func (o *Of) parent(s text.Span) *Parent {
	at := o.Document.Enclosing(o.Plan.View, s)
	if at < 0 {
		return nil
	}
	if o.parents[at] == nil {
		if o.parents == nil {
			o.parents = map[int]*Parent{}
		}
		section := o.span(o.Document.Sections[at].Span)
		o.parents[at] = &Parent{section.Start, section.End, o.Document.Titles(at)}
	}
	return o.parents[at]
}

// span converts a span of bytes to the unit.
func (o *Of) span(s text.Span) text.Span {
	switch o.Unit {
	case UTF16:
		if o.units == nil {
			o.units = text.NewUTF16(o.Text.Text)
		}
		return o.units.Span(s)
	case CodePoints:
		return text.Span{Start: o.runes.before(o.Text.Text, s.Start), End: o.runes.before(o.Text.Text, s.End)}
	}
	return s
}

// runes counts code points from the offset of the last call, because chunks follow each
// other.
type runes struct{ at, n int }

// before returns the number of code points before byte b. A byte that is not valid UTF-8
// counts as one.
func (r *runes) before(t string, b int) int {
	if b >= r.at {
		r.n += utf8.RuneCountInString(t[r.at:b])
	} else {
		r.n -= utf8.RuneCountInString(t[b:r.at])
	}
	r.at = b
	return r.n
}

// Metadata is the metadata of a Record.
type Metadata struct {
	Source   string        `json:"source"`             // name of the document
	Document string        `json:"document,omitempty"` // its lasting name, if it is not Source
	Chunk    string        `json:"chunk"`              // the same as ID
	Index    int           `json:"index"`              // in its document, from 0
	Origin   string        `json:"origin,omitempty"`   // see Made
	Start    int           `json:"start"`
	End      int           `json:"end"`
	Pages    []int         `json:"pages,omitempty"`   // absent for a document of one page
	Labels   []string      `json:"labels,omitempty"`  // printed numbers of Pages; absent if they are the same
	Section  string        `json:"section,omitempty"` // absent without sections
	Tokens   int           `json:"tokens"`
	Reason   string        `json:"reason"`
	ID       string        `json:"id"`
	View     text.ViewName `json:"view"`
	Label    string        `json:"label,omitempty"`  // the printed number of the first page
	Header   string        `json:"header,omitempty"` // if headers are requested
	Part     text.Part     `json:"part,omitempty"`
	Parent   *Parent       `json:"parent,omitempty"` // absent without sections
}

// Record is a chunk for the loaders of LangChain and LlamaIndex.
type Record struct {
	Text     string   `json:"text"`
	Metadata Metadata `json:"metadata"`
}

// record returns a chunk as a Record.
func (o *Of) record(c Chunk) Record {
	m := Metadata{Source: o.File, Document: o.Lasting, Chunk: c.ID, Index: c.Index, Origin: c.Origin, Start: c.Start, End: c.End, Section: c.Section, Tokens: c.Tokens, Reason: c.Reason, ID: c.ID, View: c.View, Part: c.Part, Parent: c.Parent}
	if len(o.Document.Pages) > 1 {
		m.Pages, m.Labels = c.Pages, c.Labels
	}
	if c.Place != nil {
		m.Label = c.Place.Label
	}
	if c.Header != nil {
		m.Header = *c.Header
	}
	return Record{c.Text, m}
}

// Line is a chunk of `seam chunk --lines`. It is a Chunk without id, which is the input
// line's. The input line's meta, if any, follows id.
type Line struct {
	File     string        `json:"file,omitempty"`
	Document string        `json:"document,omitempty"`
	ID       string        `json:"-"` // id is the input line's
	Chunk    string        `json:"chunk"`
	Origin   string        `json:"origin,omitempty"`
	Start    int           `json:"start"`
	End      int           `json:"end"`
	Tokens   int           `json:"tokens"`
	Page     int           `json:"page"`
	Pages    []int         `json:"pages"`
	Labels   []string      `json:"labels,omitempty"`
	Section  string        `json:"section"`
	Parent   *Parent       `json:"parent,omitempty"`
	Part     text.Part     `json:"part,omitempty"`
	Header   *string       `json:"header,omitempty"`
	Links    []text.Link   `json:"links,omitempty"`
	Text     string        `json:"text"`
	Reason   string        `json:"reason"`
	Topic    int           `json:"topic,omitempty"`
	Index    int           `json:"index"`
	Place    *Place        `json:"place"`
	View     text.ViewName `json:"view"`
}

// Columns returns the first row of CSV. New columns come last, after the header that only
// some files have.
func Columns(headed bool) string {
	header := ""
	if headed {
		header = ",header"
	}
	return "file,id,start,end,tokens,page,pages,section,reason,text" + header + ",index,label,view,topic,labels,part,parent_start,parent_end,document,origin"
}
