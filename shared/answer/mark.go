package answer

import (
	"strings"

	"seam/shared/protocol"
)

// sieve passes on the parts of a reply without protocol.NoAnswer, wherever they are cut. It
// holds back a possible beginning of a mark, and quotes in front of the answer.
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
		if before := text[:at]; s.shown == "" && bare(before) == "" {
			s.marked, text = true, text[at+len(protocol.NoAnswer):]
		} else {
			text = before + text[at+len(protocol.NoAnswer):]
		}
	}
	if s.shown == "" && s.marked {
		text = strings.TrimLeft(text, quotes) // the other half of the quotes
	}
	n := len(text) - begun(text)
	if s.shown == "" && bare(text[:n]) == "" {
		n = 0 // a mark may follow
	}
	s.held, p.Text = text[n:], text[:n]
	s.shown += p.Text
	if p.Text == "" && !p.Moved {
		return nil
	}
	return s.emit(p)
}

// flush passes on the text held back.
func (s *sieve) flush() error {
	if s.held == "" || s.marked && s.shown == "" && bare(s.held) == "" {
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
