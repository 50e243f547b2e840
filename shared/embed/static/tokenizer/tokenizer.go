// Package tokenizer reads tokenizer.json, the format of Hugging Face's tokenizers, and
// turns texts into the same ids. It applies added tokens, normalizer, pre-tokenizer and
// model, but not the special tokens of a post-processor. It refuses unknown features by
// name.
//
// Unicode categories follow Go's tables, which differ from those of the Rust crates for a
// few rare characters.
package tokenizer

import (
	"unicode"
	"unicode/utf8"

	"seam/shared/embed/static/norm"
	"seam/shared/embed/static/wordpiece"
	"seam/shared/text"
)

// Tokenizer is the tokenizer in a tokenizer.json. It is safe for concurrent use.
type Tokenizer struct {
	file      []byte
	tokens    []string // by id, including added tokens; "" for an unused id
	size      int      // number of tokens, without unused ids
	unknown   int      // -1 if there is none
	added     []added
	begins    map[rune][]*added // by their first character
	normalize normalizer        // may be nil, and so may split
	split     splitter
	model     model
	bert      *wordpiece.Tokenizer // does all steps in one pass, if possible
}

// Tokens returns the tokens by id, including added ones. An unused id has "".
func (t *Tokenizer) Tokens() []string { return t.tokens }

// Size returns the number of tokens.
func (t *Tokenizer) Size() int { return t.size }

// Unknown returns the id of the unknown token, or -1.
func (t *Tokenizer) Unknown() int { return t.unknown }

// File returns the tokenizer.json from which the tokenizer was made.
func (t *Tokenizer) File() ([]byte, error) { return t.file, nil }

// token is an id with the bytes of the source that it stands for.
type token struct {
	id       uint32
	from, to int32
}

// model turns a word into tokens.
type model interface {
	// tokens appends the tokens of a word.
	tokens(dst []token, w *word) []token
}

// word is a part of a text in the form for a model.
type word struct {
	text  string
	chars []norm.Char
	at    []int32 // for each byte of text, an index into chars
}

// token returns the token for the bytes [from, to) of the word.
func (w *word) token(id uint32, from, to int) token {
	if from >= to {
		return token{id, 0, 0}
	}
	return token{id, w.chars[w.at[from]].From, w.chars[w.at[to-1]].To}
}

func (w *word) set(chars []norm.Char, buf []byte) []byte {
	w.chars, w.at, buf = chars, w.at[:0], buf[:0]
	for i, c := range chars {
		buf = utf8.AppendRune(buf, c.Rune)
		for len(w.at) < len(buf) {
			w.at = append(w.at, int32(i))
		}
	}
	w.text = string(buf)
	return buf
}

// Append appends the ids of s, at most limit of them, or all if limit is 0.
func (t *Tokenizer) Append(ids []uint32, s string, limit int) []uint32 {
	if t.bert != nil && !t.holdsAdded(s) {
		return t.bert.Append(ids, s, limit)
	}
	before := len(ids)
	for _, k := range t.encode(s) {
		if limit > 0 && len(ids)-before == limit {
			break
		}
		ids = append(ids, k.id)
	}
	return ids
}

// Count returns the number of tokens in s.
func (t *Tokenizer) Count(s string) int {
	if t.bert != nil && !t.holdsAdded(s) {
		return t.bert.Count(s)
	}
	return len(t.encode(s))
}

// Spans returns the bytes of s for each token, in order and without overlap. They have no
// white space at their ends, unless they are nothing else. If several tokens share a
// character, it belongs to the first; the others are empty.
func (t *Tokenizer) Spans(s string) []text.Span {
	if t.bert != nil && !t.holdsAdded(s) {
		return t.bert.Spans(s)
	}
	tokens := t.encode(s)
	spans := make([]text.Span, len(tokens))
	end := 0
	for i, k := range tokens {
		from := max(int(k.from), end)
		to := max(int(k.to), from)
		from, to = trim(s, from, to)
		spans[i] = text.Span{Start: from, End: to}
		end = to
	}
	return spans
}

// trim removes white space from both ends of s[from:to], unless it is all white space.
func trim(s string, from, to int) (int, int) {
	a, b := from, to
	for a < b {
		r, n := utf8.DecodeRuneInString(s[a:b])
		if !unicode.IsSpace(r) {
			break
		}
		a += n
	}
	for b > a {
		r, n := utf8.DecodeLastRuneInString(s[a:b])
		if !unicode.IsSpace(r) {
			break
		}
		b -= n
	}
	if a == b {
		return from, to
	}
	return a, b
}

// encode runs a text through all steps.
func (t *Tokenizer) encode(s string) []token {
	chars := make([]norm.Char, 0, len(s))
	for i, r := range s {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		chars = append(chars, norm.Char{Rune: r, From: int32(i), To: int32(i + n)})
	}
	var out []token
	var w word
	var buf []byte
	for _, section := range t.sections(chars) {
		if section.id >= 0 {
			k := section.chars
			out = append(out, token{uint32(section.id), k[0].From, k[len(k)-1].To})
			continue
		}
		pieces := []piece{section}
		if t.split != nil {
			pieces = t.split(nil, section)
		}
		for _, p := range pieces {
			if len(p.chars) > 0 {
				buf = w.set(p.chars, buf)
				out = t.model.tokens(out, &w)
			}
		}
	}
	return out
}

// sections cuts a text at the added tokens. Most are matched before it is normalized, the
// others after.
func (t *Tokenizer) sections(chars []norm.Char) []piece {
	var out []piece
	for _, p := range t.cut(nil, piece{chars: chars, id: -1}, false) {
		if p.id >= 0 {
			out = append(out, p)
			continue
		}
		if t.normalize != nil {
			p.chars = t.normalize(p.chars)
		}
		out = t.cut(out, p, true)
	}
	return out
}
