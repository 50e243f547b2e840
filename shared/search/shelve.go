package search

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"sort"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// Shelve returns the file of a result with the data that Make returned for it. Shelved
// results cannot have texts written about them.
//
// The file begins with 8 letters, the version, and the size of the head as uint32. The head
// ends with its checksum. The texts of the chunks follow, each with its checksum in the
// head.
func Shelve(r *pipeline.Result, made Made) []byte {
	e := &shelfWriter{}
	view := r.Text.Text
	e.str(string(r.Plan.View))
	e.str(r.Plan.Embedder)
	e.str(r.Document.Title)
	e.str(r.Document.Author)
	e.str(r.Document.Language)
	e.meta(r.Document.Meta)
	e.number(len(r.Document.Sections))
	for _, s := range r.Document.Sections {
		e.str(s.Title)
		e.numbers(s.Level, s.Start, s.Len())
	}
	e.number(len(r.Document.Pages))
	for _, p := range r.Document.Pages {
		e.number(p.Number)
		e.str(p.Label)
	}
	spans := r.Text.PageSpans()
	e.number(len(spans))
	for _, s := range spans {
		e.numbers(s.Page, s.Start, s.Len())
	}
	e.number(len(r.Chunks))
	units := text.NewUTF16(view)
	for i, c := range r.Chunks {
		s, t := units.Span(c.Span), c.Of(view)
		e.numbers(c.Start, c.Len(), s.Start, s.Len(), c.First+1, c.Last+1, int(crc32.ChecksumIEEE([]byte(t))))
		e.spans(spansOf(r, i))
	}
	e.str(string(made.Words.Encode()))
	e.str(made.Embedder)
	e.number(made.Vectors.Dim)
	for _, x := range made.Vectors.Data {
		e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(x))
	}
	has := make([]string, 0)
	for form := range outside(r) {
		has = append(has, form)
	}
	sort.Strings(has)
	e.number(len(has))
	for _, form := range has {
		e.str(form)
	}
	b := append([]byte(shelfMagic), shelfVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(ShelfStart+len(e.b)+4))
	b = append(b, e.b...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	for _, c := range r.Chunks {
		b = append(b, c.Of(view)...)
	}
	return b
}

// shelfWriter appends values to the head of a file. Numbers are varints. Its methods are not
// inlined, which makes the browser's engine smaller.
type shelfWriter struct{ b []byte }

//go:noinline
func (e *shelfWriter) number(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

//go:noinline
func (e *shelfWriter) numbers(all ...int) {
	for _, n := range all {
		e.number(n)
	}
}

//go:noinline
func (e *shelfWriter) str(s string) {
	e.number(len(s))
	e.b = append(e.b, s...)
}

func (e *shelfWriter) meta(meta map[string][]string) {
	names := make([]string, 0, len(meta))
	for name := range meta {
		names = append(names, name)
	}
	sort.Strings(names)
	e.number(len(names))
	for _, name := range names {
		e.str(name)
		e.number(len(meta[name]))
		for _, value := range meta[name] {
			e.str(value)
		}
	}
}

// spans writes ascending spans.
func (e *shelfWriter) spans(spans []text.Span) {
	e.number(len(spans))
	at := 0
	for _, s := range spans {
		e.number(s.Start - at)
		e.number(s.Len())
		at = s.Start
	}
}
