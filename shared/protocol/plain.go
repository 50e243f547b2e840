package protocol

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// plainEmbed reads an Embed, by far the most common client frame, in one pass and without
// reflection. It returns nil for any other frame and for one that is not correct in every
// detail. The general decoder handles those.
func plainEmbed(frame []byte) *Embed {
	if !utf8.Valid(frame) {
		return nil
	}
	s := scanner{rest: frame}
	if s.next() != '{' {
		return nil
	}
	m := &Embed{}
	var kind string
	var seen [5]bool
	for first := true; ; first = false {
		if !first && s.next() == '}' {
			s.rest = s.rest[1:]
			break
		}
		if !first && s.next() != ',' {
			return nil
		}
		s.rest = s.rest[1:] // the brace, or the comma
		key, ok := s.plainText()
		if !ok || s.next() != ':' {
			return nil
		}
		s.rest = s.rest[1:]
		var n, number int
		switch key {
		case "type":
			kind, ok = s.plainText()
		case "id":
			n = 1
			number, ok = s.plainNumber()
			m.ID = uint32(number)
		case "model":
			n = 2
			m.Model, ok = s.plainText()
		case "texts":
			n = 3
			m.Texts, ok = s.plainTexts()
		case "dimensions":
			n = 4
			m.Dimensions, ok = s.plainNumber()
		default:
			return nil
		}
		if !ok || seen[n] {
			return nil
		}
		seen[n] = true
	}
	if s.next() != 0 || kind != string(TypeEmbed) || m.ID == 0 || Check(m) != nil {
		return nil
	}
	return m
}

// plainTexts reads an array of strings.
func (s *scanner) plainTexts() (texts []string, ok bool) {
	if s.next() != '[' {
		return nil, false
	}
	for {
		s.rest = s.rest[1:] // the bracket, or a comma
		text, ok := s.plainText()
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
		switch s.next() {
		case ',':
		case ']':
			s.rest = s.rest[1:]
			return texts, true
		default:
			return nil, false
		}
	}
}

// plainText reads a string.
func (s *scanner) plainText() (text string, ok bool) {
	if s.next() != '"' {
		return "", false
	}
	quoted, err := s.text()
	if err != nil {
		return "", false
	}
	if bytes.IndexByte(quoted, '\\') >= 0 {
		var plain string // has escapes, but text does not
		err := json.Unmarshal(quoted, &plain)
		return plain, err == nil
	}
	for _, c := range quoted {
		if c < ' ' {
			return "", false
		}
	}
	return string(quoted[1 : len(quoted)-1]), true
}

// plainNumber reads a whole number of at most nine digits.
func (s *scanner) plainNumber() (number int, ok bool) {
	s.next()
	n := 0
	for n < len(s.rest) && s.rest[n] >= '0' && s.rest[n] <= '9' {
		n++
	}
	if n == 0 || n > 9 || s.rest[0] == '0' && n > 1 {
		return 0, false
	}
	number, err := strconv.Atoi(string(s.rest[:n]))
	s.rest = s.rest[n:]
	return number, err == nil
}
