package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// envelope holds the fields that identify a message.
type envelope struct {
	Type Type   `json:"type"`
	ID   uint32 `json:"id"`
}

// strict rejects input that encoding/json accepts: invalid UTF-8, deep nesting, keys that
// repeat or differ in case, and text after the object. It leaves other errors to
// encoding/json, apart from damage that stops it. It reads every byte once and copies no
// text, because texts make up most of a frame.
func strict(frame []byte) (envelope, error) {
	var says envelope
	if !utf8.Valid(frame) {
		return says, errors.New("not UTF-8")
	}
	s := scanner{rest: frame}
	if s.next() != '{' {
		return says, errors.New("not a JSON object")
	}
	if err := s.object(1); err != nil {
		return says, err
	}
	if s.next() != 0 {
		return says, errors.New("more than one JSON value")
	}
	for _, field := range []struct {
		raw []byte
		to  any
	}{{s.kind, &says.Type}, {s.id, &says.ID}} {
		if field.raw != nil && json.Unmarshal(field.raw, field.to) != nil {
			return envelope{}, errors.New("its type or id is invalid")
		}
	}
	return says, nil
}

var errDamaged = errors.New("damaged JSON")

// scanner walks over JSON, from value to value.
type scanner struct {
	rest     []byte
	kind, id []byte // the values of "type" and "id" in the outermost object
}

// next skips white space and returns the next byte without consuming it, or 0 at the end.
func (s *scanner) next() byte {
	for len(s.rest) > 0 {
		switch c := s.rest[0]; c {
		case ' ', '\t', '\n', '\r':
			s.rest = s.rest[1:]
		case 0:
			return 1 // a byte that is not valid JSON
		default:
			return c
		}
	}
	return 0
}

// object reads an object that begins here.
func (s *scanner) object(depth int) error {
	seen := map[string]bool{}
	s.rest = s.rest[1:]
	for first := true; ; first = false {
		switch c := s.next(); {
		case c == '}':
			s.rest = s.rest[1:]
			return nil
		case c == ',' && !first:
			s.rest = s.rest[1:]
			if s.next() != '"' {
				return errDamaged
			}
		case c != '"' || !first:
			return errDamaged
		}
		key, err := s.key()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("key %.40q is repeated", key)
		}
		if strings.ToLower(key) != key {
			return fmt.Errorf("unknown field %.40q", key)
		}
		seen[key] = true
		if s.next() != ':' {
			return errDamaged
		}
		s.rest = s.rest[1:]
		s.next()
		value := s.rest
		if err := s.value(depth); err != nil {
			return err
		}
		value = value[:len(value)-len(s.rest)]
		switch {
		case depth == 1 && key == "type":
			s.kind = value
		case depth == 1 && key == "id":
			s.id = value
		}
	}
}

// value reads a value. depth is the nesting depth around it.
func (s *scanner) value(depth int) error {
	c := s.next()
	if (c == '{' || c == '[') && depth == maxNesting {
		return fmt.Errorf("nested deeper than %d", maxNesting)
	}
	switch c {
	case '{':
		return s.object(depth + 1)
	case '[':
		return s.array(depth + 1)
	case '"':
		_, err := s.text()
		return err
	}
	n := bytes.IndexAny(s.rest, " \t\n\r,]}")
	if n < 0 {
		n = len(s.rest)
	}
	if n == 0 {
		return errDamaged
	}
	s.rest = s.rest[n:]
	return nil
}

func (s *scanner) array(depth int) error {
	s.rest = s.rest[1:]
	if s.next() == ']' {
		s.rest = s.rest[1:]
		return nil
	}
	for {
		if err := s.value(depth); err != nil {
			return err
		}
		c := s.next()
		if c != ',' && c != ']' {
			return errDamaged
		}
		s.rest = s.rest[1:]
		if c == ']' {
			return nil
		}
	}
}

// text reads a string and returns it with its quotes.
func (s *scanner) text() ([]byte, error) {
	n, ended := StringLen(s.rest)
	if !ended {
		return nil, errDamaged
	}
	whole := s.rest[:n]
	s.rest = s.rest[n:]
	return whole, nil
}

// StringLen returns the length in bytes of the JSON string at the start of b, including its
// quotes, and false if the string does not end. It does not validate the contents.
func StringLen(b []byte) (n int, ended bool) {
	for n := 1; ; n++ {
		i := bytes.IndexByte(b[n:], '"')
		if i < 0 {
			return 0, false
		}
		n += i
		escapes := 0
		for b[n-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return n + 1, true
		}
	}
}

func (s *scanner) key() (string, error) {
	quoted, err := s.text()
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	var key string
	if json.Unmarshal(quoted, &key) != nil {
		return "", errDamaged
	}
	return key, nil
}
