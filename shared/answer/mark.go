package answer

import (
	"strings"

	"seam/shared/protocol"
)

// sieve passes on the parts of a reply without protocol.NoAnswer, however they are cut. It
// holds back a possible beginning of a mark.
type sieve struct {
	emit   func(protocol.Part) error
	held   string
	shown  string // the answer without marks
	marked bool   // a mark was the first word of the answer
}

func (s *sieve) part(p protocol.Part) error {
	if p.Moved {
		if err := s.flush(); err != nil { // the text moves, too
			return err
		}
		s.shown, s.marked = "", false
	}
	if p.Reasoning || p.Text == "" {
		return s.emit(p)
	}
	text := s.held + p.Text
	for {
		at := indexMark(text)
		if at < 0 {
			break
		}
		s.marked = s.marked || bare(s.shown+text[:at]) == ""
		text = text[:at] + text[at+len(protocol.NoAnswer):]
	}
	n := len(text) - begun(text)
	s.held, p.Text = text[n:], text[:n]
	s.shown += p.Text
	if p.Text == "" && !p.Moved {
		return nil
	}
	return s.emit(p)
}

// flush passes on the text held back.
func (s *sieve) flush() error {
	if s.held == "" {
		return nil
	}
	p := protocol.Part{Text: s.held}
	s.shown += s.held
	s.held = ""
	return s.emit(p)
}

// indexMark returns the place of the first mark in any case of letters, or -1.
func indexMark(text string) int {
	for i := 0; i+len(protocol.NoAnswer) <= len(text); i++ {
		if text[i] == protocol.NoAnswer[0] && strings.EqualFold(text[i:i+len(protocol.NoAnswer)], protocol.NoAnswer) {
			return i
		}
	}
	return -1
}

// begun returns the length of the beginning of a mark at the end of a text.
func begun(text string) int {
	for n := min(len(text), len(protocol.NoAnswer)-1); n > 0; n-- {
		if strings.EqualFold(text[len(text)-n:], protocol.NoAnswer[:n]) {
			return n
		}
	}
	return 0
}
