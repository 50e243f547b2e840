package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/text"
)

func (e *Engine) forDocuments() []message {
	return []message{
		{"open", handle(e.openDocument)},
		{"text", handle(e.text)},
		{"close", handle(e.close)},
	}
}

// maxFile bounds the bytes of a document to open. The data computed from it takes several
// times as much, in a memory limited to 4 GB.
const maxFile = 256 << 20

type openParams struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`    // "document" for the PDF worker's output; "file" for the bytes of a format read here
	Replace int    `json:"replace"` // the open document that this one replaces; 0 for none
	Any     bool   `json:"any"`     // for a file: read a text that looks like no language, too
	Saved   string `json:"saved"`   // the day on which the file was written, such as 2024-03-05; "" if unknown
}

type openReply struct {
	Doc   int      `json:"doc"`
	Name  string   `json:"name"`
	Title string   `json:"title"`
	Pages int      `json:"pages"`
	Notes []string `json:"notes"`
	Lost  *int     `json:"lost"` // for a replaced document: number of edits without a place in the new version
}

// openDocument opens the document in blob 0.
func (e *Engine) openDocument(_ context.Context, call *rpc.Call, p *openParams) (*openReply, error) {
	b, err := call.Blob(0)
	if err != nil {
		return nil, err
	}
	if len(b) > maxFile {
		return nil, &rpc.Error{Code: rpc.TooLarge, Message: fmt.Sprintf("this text is larger than %d MB", maxFile>>20),
			Hint: "Split it into several files."}
	}
	var doc *text.Document
	switch p.Kind {
	case "document":
		if doc, err = text.DecodeDocument(b); err != nil {
			return nil, &rpc.Error{Code: rpc.Internal, Message: "the PDF worker's result cannot be read: " + err.Error()}
		}
	case "file":
		formats := read.All()
		if doc, err = formats.Read(p.Name, b, read.Options{AnyText: p.Any}); errors.Is(err, read.ErrNoLanguage) {
			return nil, &rpc.Error{Code: rpc.NoLanguage, Message: "this file is " + err.Error()}
		} else if errors.Is(err, text.ErrUnclear) {
			return nil, &rpc.Error{Code: rpc.Encoding, Message: err.Error()}
		} else if err != nil {
			return nil, &rpc.Error{Code: rpc.NotText, Message: "this file is " + err.Error(), Hint: "Seam reads " + formats.List("and") + "."}
		}
	default:
		return nil, badRequest("open takes the kind document or file")
	}
	doc.Name = p.Name
	if strings.TrimSpace(doc.View(text.Content).Text) == "" {
		e := &rpc.Error{Code: rpc.Empty, Message: "this file has no text", Hint: "If it is a scan, run text recognition (OCR) on it first."}
		if len(doc.Notes) > 0 {
			e.Message += ": " + strings.Join(doc.Notes, "; ")
		}
		return nil, e
	}
	id, lost, err := e.put(doc, p.Replace)
	if err != nil {
		return nil, err
	}
	e.open[id].saved = p.Saved
	return &openReply{id, doc.Name, doc.Title, len(doc.Pages), append([]string{}, doc.Notes...), lost}, nil
}

// put opens a document. If replaced is not 0, it takes the place of that document, and lost
// is the number of edits that have no place in the new version.
func (e *Engine) put(doc *text.Document, replaced int) (id int, lost *int, err error) {
	if replaced == 0 {
		return e.add(pipeline.NewSession(doc)), nil, nil
	}
	d, err := e.document(replaced)
	if err != nil {
		return 0, nil, err
	}
	d.units, d.current, d.kept, d.written = map[text.ViewName]*text.UTF16{}, nil, map[string]string{}, nil
	d.calls++
	n := d.Replace(doc)
	return replaced, &n, nil
}

// add opens the document of a session.
func (e *Engine) add(s *pipeline.Session) int {
	e.last++
	e.open[e.last] = &opened{Session: s, units: map[text.ViewName]*text.UTF16{}, kept: map[string]string{}}
	e.order = append(e.order, e.last)
	return e.last
}

type textParams struct {
	Doc  int           `json:"doc"`
	View text.ViewName `json:"view"` // defaults to reading
}

type pageJSON struct {
	Number int    `json:"number"`
	Label  string `json:"label,omitempty"` // its printed number
	text.Span
}

type headingJSON struct {
	Level int `json:"level"` // from 1 at the top
	text.Span
}

// textReply holds the starts and ends of a view's pages, its headings and its links. A
// content view has headings and links only if it is the same as the reading view. Blob 0 is
// the text in UTF-8. Blob 1 holds the elements, in the same order as headings: three int32
// each, little-endian, for kind (text.ElementKind), start and end.
type textReply struct {
	View     text.ViewName `json:"view"`
	Pages    []pageJSON    `json:"pages"`
	Headings []headingJSON `json:"headings"`
	Links    []text.Link   `json:"links"`
	// Attachments are the files attached to the document.
	Attachments []text.Attachment `json:"attachments,omitempty"`
	blobs
}

func (e *Engine) text(_ context.Context, _ *rpc.Call, p *textParams) (*textReply, error) {
	d, err := e.viewed(p)
	if err != nil {
		return nil, err
	}
	v, units := d.Document.View(p.View), d.utf16(p.View)
	r := &textReply{View: p.View, Pages: []pageJSON{}, Headings: []headingJSON{}, Links: []text.Link{}, Attachments: d.Document.Attachments, blobs: blobs{[]byte(v.Text), nil, nil}}
	for _, part := range v.PageSpans() {
		p := &d.Document.Pages[part.Page]
		r.Pages = append(r.Pages, pageJSON{p.Number, p.Label, units.Span(part.Span)})
	}
	if v.Text == d.Document.View(text.Reading).Text {
		for _, s := range d.Document.Sections {
			r.Headings = append(r.Headings, headingJSON{s.Level, units.Span(firstLine(v.Text, s.Span))})
		}
		for _, l := range d.Document.Links {
			l.Span, l.To = units.Span(l.Span), units.FromByte(l.To)
			r.Links = append(r.Links, l)
		}
		elements, marks := read.Looks(d.Document)
		var kinds, looks []int
		for _, element := range elements {
			s := units.Span(element.Span)
			kinds = append(kinds, int(element.Kind), s.Start, s.End)
		}
		for _, mark := range marks {
			s := units.Span(mark.Span)
			looks = append(looks, int(mark.Look), s.Start, s.End)
		}
		r.blobs[1], r.blobs[2] = int32s(kinds), int32s(looks)
	}
	return r, nil
}

// viewed returns the document of p and sets a missing view to the default.
func (e *Engine) viewed(p *textParams) (*opened, error) {
	switch p.View {
	case "":
		p.View = text.Reading
	case text.Reading, text.Content:
	default:
		return nil, badRequest("the view is reading or content")
	}
	return e.document(p.Doc)
}

// firstLine returns the first line of a part of a text, without its line end.
func firstLine(t string, s text.Span) text.Span {
	if i := strings.IndexByte(s.Of(t), '\n'); i >= 0 {
		s.End = s.Start + i
	}
	return s
}

type closeParams struct {
	Doc int `json:"doc"`
}

func (e *Engine) close(_ context.Context, _ *rpc.Call, p *closeParams) (*none, error) {
	if e.shelves[p.Doc] != nil {
		e.unshelve(p.Doc)
		return &none{}, nil
	}
	if _, err := e.document(p.Doc); err != nil {
		return nil, err
	}
	delete(e.open, p.Doc)
	e.searcher = nil // it would keep the document in memory
	e.order = slices.DeleteFunc(e.order, func(id int) bool { return id == p.Doc })
	return &none{}, nil
}
