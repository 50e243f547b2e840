package tokenizer

import (
	"strings"
	"unicode"

	"seam/shared/embed/static/norm"
)

// added is a token that is matched in the text before the model sees it.
type added struct {
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LeftStrip  bool   `json:"lstrip"`
	RightStrip bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`

	id    int
	runes []rune // the text to look for
}

// holdsAdded reports whether s contains an added token.
func (t *Tokenizer) holdsAdded(s string) bool {
	for i := range t.added {
		if strings.Contains(s, t.added[i].Content) {
			return true
		}
	}
	return false
}

// cut cuts p at the added tokens that are matched in normalized text, or at the others. It
// takes the leftmost match first, and the longest of several.
func (t *Tokenizer) cut(dst []piece, p piece, normalized bool) []piece {
	from := 0
	section := func(a, b, id int) {
		if a < b {
			dst = append(dst, piece{chars: p.chars[a:b], id: id})
		}
	}
	for i := 0; i < len(p.chars); {
		a := t.match(p.chars[i:], normalized)
		if a == nil {
			i++
			continue
		}
		start, stop := i, i+len(a.runes)
		i = stop
		if a.SingleWord && (start > 0 && isWord(p.chars[start-1].Rune) || stop < len(p.chars) && isWord(p.chars[stop].Rune)) {
			continue
		}
		for a.LeftStrip && start > from && unicode.IsSpace(p.chars[start-1].Rune) {
			start--
		}
		for a.RightStrip && stop < len(p.chars) && unicode.IsSpace(p.chars[stop].Rune) {
			stop++
		}
		start = max(start, from)
		section(from, start, -1)
		section(start, stop, a.id)
		from = max(from, stop)
	}
	section(from, len(p.chars), -1)
	return dst
}

// match returns the longest token at the beginning of chars, or nil.
func (t *Tokenizer) match(chars []norm.Char, normalized bool) *added {
	var best *added
	for _, a := range t.begins[chars[0].Rune] {
		if a.Normalized == normalized && (best == nil || len(a.runes) > len(best.runes)) && begins(chars, a.runes) {
			best = a
		}
	}
	return best
}

func begins(chars []norm.Char, with []rune) bool {
	if len(chars) < len(with) {
		return false
	}
	for i, r := range with {
		if chars[i].Rune != r {
			return false
		}
	}
	return len(with) > 0
}

// isWord reports whether r is \w in Rust's regular expressions: letters, marks, digits,
// connecting punctuation and the two joiners.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic) || r == 0x200c || r == 0x200d
}
