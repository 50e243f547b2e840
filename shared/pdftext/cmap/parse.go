package cmap

import (
	"strings"
	"unicode/utf8"

	"seam/shared/pdftext/lex"
)

// Limits of a CMap, against hostile files.
const (
	maxCID      = 1 << 16 // one above the highest CID
	maxSpaces   = 1 << 8  // code space ranges, and ranges of notdef
	maxExpanded = 1 << 16 // codes of ranges in which each stands for several characters
	maxUses     = 8       // nested usecmap
)

// Resolver returns the CMap named by usecmap, or nil if it is unknown.
type Resolver func(name string) *Map

// Parse reads a CMap program and skips anything it does not understand. base is the CMap
// from /UseCMap in the stream's dictionary, or nil. find handles the operator usecmap and
// may be nil.
func Parse(b []byte, base *Map, find Resolver) *Map {
	p := &parser{m: &Map{}, find: find, left: maxExpanded}
	p.use(base)
	lx := lex.New(b)
	for {
		v := lx.Next()
		switch v.Kind {
		case lex.End:
			p.section(p.open)
			p.finish()
			return p.m
		case lex.Operator:
			p.operator(string(v.Bytes))
			p.args = p.args[:0]
		default:
			p.args = append(p.args, v)
		}
	}
}

// parser collects the entries of a program in order.
type parser struct {
	m     *Map
	find  Resolver
	args  []lex.Value // operands since the last operator
	open  string      // the section that began last
	cids  []Range
	chars []Range
	left  int // remaining number out of maxExpanded
}

// kinds lists the sections of a CMap.
var kinds = [...]string{"codespacerange", "bfchar", "bfrange", "cidchar", "cidrange", "notdefchar", "notdefrange"}

// kindOf returns the section that op begins or ends, with prefix "begin" or "end", or ""
// for any other op. If a writer omitted line ends, the next word follows directly:
// "endbfchar2", "endbfcharendcmap".
func kindOf(op, prefix string) string {
	rest, ok := strings.CutPrefix(op, prefix)
	for _, kind := range kinds {
		if ok && strings.HasPrefix(rest, kind) {
			return kind
		}
	}
	return ""
}

func (p *parser) operator(op string) {
	if kind := kindOf(op, "begin"); kind != "" {
		p.section(p.open) // in case its end is missing
		p.open = kind
		return
	}
	if kind := kindOf(op, "end"); kind != "" {
		p.section(kind)
		p.open = ""
		return
	}
	switch op {
	case "def":
		if n := len(p.args); n >= 2 && string(p.args[n-2].Bytes) == "WMode" {
			p.m.Vertical = p.args[n-1].Num == 1
		}
	case "usecmap":
		if n := len(p.args); n > 0 && p.find != nil && p.m.base == nil {
			p.use(p.find(string(p.args[n-1].Bytes)))
		}
	}
}

// use sets the CMap that is used for missing entries. Only the first one counts.
func (p *parser) use(base *Map) {
	if base == nil || base.depth() > maxUses {
		return
	}
	p.m.base, p.m.Vertical = base, base.Vertical
	p.m.spaces = append(p.m.spaces, base.spaces...)
}

func (m *Map) depth() (n int) {
	for ; m != nil; m = m.base {
		n++
	}
	return n
}

// section reads the entries of a section from the operands.
func (p *parser) section(kind string) {
	size := 3
	if kind == "codespacerange" || len(kind) > 4 && kind[len(kind)-4:] == "char" {
		size = 2
	}
	for args := p.args; kind != "" && len(args) >= size; {
		lo, hi, last := args[0], args[size-2], args[size-1]
		if lo.Kind != lex.String || hi.Kind != lex.String {
			args = args[1:] // out of step
			continue
		}
		args = args[size:]
		from, to := Code(lo.Bytes), Code(hi.Bytes)
		switch kind {
		case "codespacerange":
			p.space(lo.Bytes, last)
		case "bfchar":
			p.char(from, last)
		case "bfrange":
			p.bfrange(from, to, last)
		case "cidchar", "cidrange":
			if cid, ok := number(last); ok && from <= to {
				p.cids = append(p.cids, Range{from, to, cid})
			}
		default:
			if cid, ok := number(last); ok && len(p.m.notdef) < maxSpaces {
				p.m.notdef = append(p.m.notdef, Range{from, to, cid})
			}
		}
	}
}

// number returns v as a CID.
func number(v lex.Value) (cid uint32, ok bool) {
	return uint32(max(v.Num, 0)), v.Kind == lex.Number && 0 <= v.Num && v.Num < maxCID
}

func (p *parser) space(lo []byte, hi lex.Value) {
	if n := len(lo); hi.Kind == lex.String && 1 <= n && n <= 4 && len(p.m.spaces) < maxSpaces {
		p.m.spaces = append(p.m.spaces, Space{n, Code(lo), Code(hi.Bytes)})
	}
}

// char maps one code to a text.
func (p *parser) char(code uint32, v lex.Value) {
	if v.Kind == lex.String || v.Kind == lex.Name {
		p.put(code, code, text(v.Bytes, v.Kind == lex.Name))
	}
}

// put maps consecutive codes to s and its successors.
func (p *parser) put(lo, hi uint32, s string) {
	if r, n := utf8.DecodeRuneInString(s); n == len(s) && n > 0 {
		p.chars = append(p.chars, Range{lo, lo + min(hi-lo, maxRune-1-uint32(r)), uint32(r)})
		return
	}
	p.chars = append(p.chars, Range{lo, lo, maxRune + uint32(len(p.m.texts))})
	p.m.texts = append(p.m.texts, s)
}

func (p *parser) bfrange(lo, hi uint32, v lex.Value) {
	if v.Kind == lex.Array {
		for i, x := range v.Items {
			p.char(lo+uint32(i), x)
		}
		return
	}
	if v.Kind != lex.String || hi < lo {
		return
	}
	hi = lo + min(hi-lo, 0xffff)
	s := text(v.Bytes, false)
	if _, n := utf8.DecodeRuneInString(s); n == len(s) && n > 0 {
		p.put(lo, hi, s)
		return
	}
	// In a text of several characters, the last one is incremented.
	last, n := utf8.DecodeLastRuneInString(s)
	for i := uint32(0); i <= hi-lo && p.left > 0; i++ {
		p.left--
		p.put(lo+i, lo+i, s[:len(s)-n]+string(last+rune(i)))
		if s == "" {
			return
		}
	}
}

// finish sorts the entries.
func (p *parser) finish() {
	p.m.chars = sorted(p.chars)
	if len(p.cids) > 0 {
		p.m.cids = &Table{CIDs: sorted(p.cids)}
	}
	p.m.same = len(p.cids) == 0 && p.m.base == nil
}
