// Package reasoning takes apart the answer of a model and the reasoning that its server left
// inside it: <think>…</think> and the marks of other families. It reads a stream, and its
// result does not depend on how the stream is cut.
//
// These rules apply:
//
//   - Marks inside code, inline or fenced, are part of the answer.
//   - A mark at the start opens reasoning, even if no closing mark follows. A later one does
//     so only if a closing mark follows; until then, text is held.
//   - A closing mark without an opening one (the prompt's template wrote that) turns
//     everything before it into reasoning. The model then thinks first. The next answer of
//     such a model is held until its mark. Without a mark, it is all answer.
//   - Marks, and white space around reasoning, belong to neither.
package reasoning

import (
	"bytes"
	"unicode/utf8"

	"seam/shared/protocol"
)

const (
	mostHeld  = 256 << 10 // bytes; more are part of the answer
	mostSpace = 4 << 10   // bytes of white space before the first mark
)

// Splitter takes one answer apart. Create it with New.
type Splitter struct {
	rest []byte // undecided bytes
	code code
	emit []protocol.Part

	in        *family // of the open reasoning; nil inside the answer
	start     bool    // nothing but white space and marks so far
	skip      bool    // white space belongs to neither
	seen      bool    // there was reasoning
	first     bool    // a closing mark without an opening one came
	holding   bool    // text is held until its kind is known
	tentative bool    // in may turn out to be a part of the answer
	held      []byte
	bare      []byte // held, without the marks and white space of reasoning
	answered  bool   // there was text of the answer
	spaced    bool   // the answer so far ends with white space
	wrapper   string // closing tag to drop, or ""
}

// New returns a Splitter. thinksFirst is true for a model known to begin with reasoning
// without a mark.
func New(thinksFirst bool) *Splitter {
	return &Splitter{start: true, holding: thinksFirst}
}

// ThinksFirst reports whether the answer began with reasoning without a mark.
func (s *Splitter) ThinksFirst() bool { return s.first }

// Holding reports whether text of the answer is held.
func (s *Splitter) Holding() bool { return s.holding && len(s.held) > 0 }

// Write takes the next text of an answer, and returns the parts that are decided.
func (s *Splitter) Write(text string) []protocol.Part {
	s.rest = append(s.rest, text...)
	return s.decide(false)
}

// Reason takes text that the server has marked as reasoning itself.
func (s *Splitter) Reason(text string) []protocol.Part {
	if text == "" {
		return nil
	}
	if s.holding && s.in == nil { // the server takes it apart
		s.release(false)
	}
	s.seen = true
	s.part(protocol.Part{Text: text, Reasoning: true})
	return s.take()
}

// End returns the remaining parts. cut is true for an answer that was cut short: text that is
// held until a mark is then reasoning.
func (s *Splitter) End(cut bool) []protocol.Part {
	s.decide(true)
	s.release(cut)
	return s.take()
}

func (s *Splitter) take() []protocol.Part {
	parts := s.emit
	s.emit = nil
	return parts
}

func (s *Splitter) decide(end bool) []protocol.Part {
	for len(s.rest) > 0 && s.step(end) {
	}
	if end {
		return nil
	}
	s.rest = append([]byte(nil), s.rest...) // the array would grow forever
	return s.take()
}

// step decides the next bytes. It returns false if it needs more of them.
func (s *Splitter) step(end bool) bool {
	if space := len(s.rest) - len(bytes.TrimLeft(s.rest, " \t\r\n")); space > 0 && (s.start || s.skip) {
		return s.space(space, end)
	}
	if s.code.atRun(s.rest) {
		n, ok := s.code.run(s.rest, end)
		if ok {
			s.text(n)
		}
		return ok
	}
	m, more := find(s.rest, s.counts)
	if more && !end {
		return false
	}
	if m != nil {
		real, known := s.real(m, end)
		switch {
		case !known:
			return false
		case real:
			s.mark(m)
			return true
		}
	}
	s.text(1 + plain(s.rest[1:]))
	return true
}

// space decides leading white space: before reasoning it belongs to neither.
func (s *Splitter) space(n int, end bool) bool {
	if s.skip {
		s.pass(n)
		return true
	}
	after := s.rest[n:]
	if len(after) == 0 && !end && n < mostSpace {
		return false
	}
	if len(after) > 0 {
		m, more := find(after, s.counts)
		if more && !end {
			return false
		}
		if m != nil {
			s.pass(n)
			return true
		}
	}
	s.start = false
	s.text(min(n, mostSpace))
	return true
}

// plain returns the number of bytes up to the next one that may begin a mark or code.
func plain(b []byte) int {
	for i, x := range b {
		switch x {
		case '<', '[', 0xE2, 'H', 'a', '`', '~', '\n':
			return i
		}
	}
	return len(b)
}

// counts reports whether a mark means anything at this place.
func (s *Splitter) counts(m *mark) bool {
	if s.in != nil {
		return m.does == closes && m.family == s.in
	}
	switch m.does {
	case opens:
		return s.start || !m.family.prose
	case closesAlone:
		return !s.seen || s.start
	case drops:
		return s.seen
	case wraps:
		return s.seen && s.start
	case unwraps:
		return m.text == s.wrapper
	}
	return false
}

// real reports whether a mark at the start of rest is one, or quoted in code. known is false
// if that depends on bytes to come.
func (s *Splitter) real(m *mark, end bool) (real, known bool) {
	if m.family != nil && m.family.prose && m.does == opens && m.text == "analysis" {
		after := s.rest[len(m.text):]
		if len(after) == 0 {
			return false, end
		}
		if c := after[0]; c < 'A' || c > 'Z' { // a word of the answer
			return false, true
		}
	}
	if s.code.fence > 0 && m.does != closes {
		return false, true
	}
	quoted, known := s.code.quotes(s.rest, len(m.text), end)
	return !quoted, known
}

// mark applies a mark at the start of rest.
func (s *Splitter) mark(m *mark) {
	switch m.does {
	case opens:
		if s.holding { // it does not begin without a mark
			s.release(false)
		}
		s.in = m.family
		if !s.start || m.family.prose {
			s.holding, s.tentative = true, true
		}
	case closes:
		s.in, s.seen = nil, true
		if s.tentative {
			s.pass(len(m.text))
			s.release(true)
			s.again()
			return
		}
	case closesAlone:
		if !s.seen && s.answered {
			s.first, s.answered = true, false
			if s.holding {
				s.release(true)
			} else {
				s.part(protocol.Part{Reasoning: true, Moved: true})
			}
		}
		s.seen = true
	case wraps:
		s.wrapper = "</" + m.text[1:]
	case unwraps:
		s.wrapper = ""
	}
	s.pass(len(m.text))
	s.again()
}

// again begins a new part of the answer or of reasoning.
func (s *Splitter) again() {
	s.code, s.start = code{}, s.in == nil && !s.answered
	s.skip = s.in != nil || s.start || s.spaced
}

// pass drops n bytes, which are a mark or white space around reasoning.
func (s *Splitter) pass(n int) {
	if s.tentative {
		s.held = append(s.held, s.rest[:n]...)
	}
	s.rest = s.rest[n:]
}

// text takes n bytes as text.
func (s *Splitter) text(n int) {
	if s.holding {
		if room := mostHeld - len(s.held); n > room {
			for n = room; n > 0 && !utf8.RuneStart(s.rest[n]); n-- {
			}
			if n == 0 {
				s.release(false)
				return
			}
		}
	}
	b := s.rest[:n]
	s.rest = s.rest[n:]
	s.skip, s.start = false, false
	s.code.read(b)
	if s.in == nil {
		last := b[len(b)-1]
		s.answered, s.spaced = true, last == ' ' || last == '\n'
	}
	if s.holding {
		s.held, s.bare = append(s.held, b...), append(s.bare, b...)
		return
	}
	s.part(protocol.Part{Text: string(b), Reasoning: s.in != nil})
}

// release emits the held text: as reasoning without its marks, or as the answer.
func (s *Splitter) release(reasoning bool) {
	text := s.held
	if reasoning {
		text = s.bare
	} else if s.tentative {
		s.in = nil
	}
	s.part(protocol.Part{Text: string(text), Reasoning: reasoning})
	s.held, s.bare, s.holding, s.tentative = nil, nil, false, false
}

// part adds a part, or joins it to the last one.
func (s *Splitter) part(p protocol.Part) {
	if p.Text == "" && !p.Moved {
		return
	}
	if n := len(s.emit); n > 0 && !p.Moved && !s.emit[n-1].Moved && s.emit[n-1].Reasoning == p.Reasoning {
		s.emit[n-1].Text += p.Text
		return
	}
	s.emit = append(s.emit, p)
}
