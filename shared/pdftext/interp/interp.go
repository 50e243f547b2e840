// Package interp runs the content streams of a page and collects the glyphs that they show,
// in file order (ISO 32000-1, chapters 8 and 9). It draws nothing; paths, colours and
// images count only if they affect text or hide it.
package interp

import (
	"context"
	"errors"
	"fmt"

	"seam/shared/pdftext/font"
	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/lex"
	"seam/shared/pdftext/object"
)

// MaxWork is the most work on one page, far above an honest one. Work is counted in
// operators, over all streams, because forms can call each other exponentially often. A
// glyph counts as one operator, and so do 64 bytes of content. A map may have 150,000. A
// limit of time instead would make the text depend on the machine and its load.
const MaxWork = 4 << 20

// glance is the number of bytes of content, or of areas looked at, that count as one
// operator.
const glance = 64

// Other limits of one page, far above any honest one.
const (
	maxDepth    = 12        // nested forms
	maxGlyphs   = 1 << 18   // some 50 MB
	maxOperands = 1 << 10   // before one operator
	maxStack    = 1 << 10   // saved graphics states
	maxContents = 48 << 20  // total bytes of a page's content streams
	maxDecoded  = 256 << 20 // bytes of content, counted each time they are shown
)

// stopEvery is the usual amount of work between two looks at the context.
const stopEvery = 1 << 8

var (
	// ErrLimit reports a page with too much content.
	ErrLimit = errors.New("page content is too large")
	// ErrMissing reports that part of a page's content is missing, because the file is
	// truncated or damaged.
	ErrMissing = errors.New("page content is not in the file")
)

// Content is the content of a page.
type Content struct {
	Glyphs []glyph.Glyph
	Images int // number of painted images, including inline ones
	Work   int // see MaxWork
	// Described are the pictures with a description in the content itself.
	Described []Described
}

// Described is a picture with its description.
type Described struct {
	Text string
	Area *object.Rect // on the page as shown, from its top left; nil if unknown
}

// Reader reads the pages of a file, one after another.
type Reader struct {
	file   *object.File
	fonts  *font.Loader
	glyphs []glyph.Glyph // memory of the previous page
}

// NewReader returns a Reader of file.
func NewReader(file *object.File, fonts *font.Loader) *Reader {
	return &Reader{file: file, fonts: fonts}
}

// Page runs the contents of p, followed by the appearances of its annotations, until their
// work exceeds most, which gives ErrLimit, or ctx ends. The error describes anything
// unreadable; the content holds the rest. The next page overwrites the glyphs.
func (r *Reader) Page(ctx context.Context, p object.Page, most int) (c Content, err error) {
	in := &interp{file: r.file, fonts: r.fonts, layers: r.file.Layers(), ctx: ctx, most: most, inherited: p.Inherited, glyphs: r.glyphs[:0]}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("interpreter gave up: %v", x)
		}
		c = Content{in.glyphs, in.images, in.work, in.described}
		r.glyphs = in.glyphs
	}()
	base := PageMatrix(p)
	start := newState(base, around(base, p.CropBox))
	in.run(in.contents(p.Dict["Contents"]), nil, p.Resources, start)
	in.endAll()
	in.annotations(p.Dict["Annots"], start)
	in.endAll()
	in.settle()
	return c, in.err
}

// PageMatrix returns the transformation from user space to the displayed page: rotated,
// cropped, with the origin at the top left and y downwards, in points.
func PageMatrix(p object.Page) glyph.Matrix {
	b, u := p.CropBox, p.UserUnit
	switch p.Rotate {
	case 90:
		return glyph.Matrix{0, u, u, 0, -u * b.Y0, -u * b.X0}
	case 180:
		return glyph.Matrix{-u, 0, 0, u, u * b.X1, -u * b.Y0}
	case 270:
		return glyph.Matrix{0, -u, -u, 0, u * b.Y1, u * b.X1}
	}
	return glyph.Matrix{u, 0, 0, -u, -u * b.X0, u * b.Y1}
}

// interp is the interpreter of one page.
type interp struct {
	file   *object.File
	fonts  *font.Loader
	layers object.Layers
	ctx    context.Context
	most   int  // work
	ended  bool // the page has had its work, or ctx ended

	inherited []object.Dict // resources of the page tree above the page's own

	glyphs  []glyph.Glyph
	images  int
	work    int
	decoded int
	source  int // number of the last operator that showed text
	depth   int
	forms   []object.Dict // forms being run, innermost last
	marked  []mark

	described []Described
	canvas
	err error // the first error
}

func (in *interp) note(err error) {
	if in.err == nil && err != nil {
		in.err = err
	}
}

// contents joins the content streams of a page with white space in between, because a token
// may not extend from one into the next.
func (in *interp) contents(o object.Object) []byte {
	var out []byte
	switch x := in.file.Resolve(o).(type) {
	case object.Stream:
		return in.bytes(x)
	case object.Array:
		for _, part := range x {
			if len(out) > maxContents {
				in.note(ErrLimit)
				break
			}
			in.missing(part)
			out = append(append(out, in.bytes(part)...), '\n')
		}
	}
	in.missing(o)
	return out
}

// missing records a reference to a missing object.
func (in *interp) missing(o object.Object) {
	if _, ok := o.(object.Ref); ok && in.file.Resolve(o) == nil {
		in.note(ErrMissing)
	}
}

func (in *interp) bytes(o object.Object) []byte {
	if in.decoded > maxDecoded {
		in.note(ErrLimit)
		return nil
	}
	b, err := in.file.Bytes(o)
	in.note(err)
	in.decoded += len(b)
	in.work += len(b) / glance
	return b
}

// stream is the run of one content stream.
type stream struct {
	*interp
	outer     *stream // the caller; nil for a page's stream
	resources object.Dict
	lexer     *lex.Lexer
	gs        state
	stack     []state
	tm, tlm   glyph.Matrix // text and text line matrix
	path      area         // box around the open path
	clips     bool         // the open path will clip
	rects     int          // in the open path
	bent      bool         // the open path has more than rectangles
	args      []lex.Value
}

// run interprets b.
func (in *interp) run(b []byte, outer *stream, resources object.Dict, gs state) {
	if in.depth > maxDepth {
		return
	}
	in.depth++
	defer func() { in.depth-- }()
	s := &stream{interp: in, outer: outer, resources: resources, lexer: lex.New(b), gs: gs,
		tm: glyph.Identity, tlm: glyph.Identity}
	for {
		v := s.lexer.Next()
		switch v.Kind {
		case lex.End:
			return
		case lex.Operator:
			if !in.goesOn() {
				return
			}
			s.operator(string(v.Bytes))
			s.args = s.args[:0]
			s.lexer.Release()
		default:
			if len(s.args) < maxOperands {
				s.args = append(s.args, v)
			}
		}
	}
}

// goesOn counts an operator, and reports whether to run it.
func (in *interp) goesOn() bool {
	in.work++
	switch {
	case in.ended:
	case in.work > in.most || len(in.glyphs) > maxGlyphs:
		in.ended, in.err = true, ErrLimit
	case in.work%stopEvery == 0:
		in.ended = in.ctx.Err() != nil
	}
	return !in.ended
}

// operator runs op with the operands in s.args.
func (s *stream) operator(op string) {
	switch op {
	case "q":
		if len(s.stack) < maxStack {
			s.stack = append(s.stack, s.gs)
		}
	case "Q":
		if n := len(s.stack); n > 0 {
			s.gs, s.stack = s.stack[n-1], s.stack[:n-1]
		}
	case "cm":
		s.gs.ctm = s.matrix().Mul(s.gs.ctm)
	case "gs":
		s.extGState()
	case "Do":
		s.xobject()
	case "BI":
		s.image()
		s.lexer.SkipInlineImage()
	case "BDC", "BMC":
		s.beginMarked()
	case "EMC":
		s.endMarked()
	default:
		s.textOperator(op)
		s.pathOperator(op)
		s.colourOperator(op)
	}
}

// num returns operand i, counted from the last one, which is 1. It returns 0 if there is
// none.
func (s *stream) num(i int) float64 {
	if i > len(s.args) {
		return 0
	}
	return s.args[len(s.args)-i].Num
}

// name returns operand i, counted as in num, as a name, or "" if it is not one.
func (s *stream) name(i int) string {
	if i > len(s.args) || s.args[len(s.args)-i].Kind != lex.Name {
		return ""
	}
	return string(s.args[len(s.args)-i].Bytes)
}

// matrix returns the last six operands.
func (s *stream) matrix() glyph.Matrix {
	return glyph.Matrix{s.num(6), s.num(5), s.num(4), s.num(3), s.num(2), s.num(1)}
}

// resource returns an entry of a resource category. If a form or a page lacks it, the
// resources around it are used, as in other readers.
func (s *stream) resource(category, name string) object.Object {
	for x := s; x != nil; x = x.outer {
		if o, ok := s.file.Dict(x.resources[category])[name]; ok {
			return o
		}
	}
	for _, r := range s.inherited {
		if o, ok := s.file.Dict(r[category])[name]; ok {
			return o
		}
	}
	return nil
}
