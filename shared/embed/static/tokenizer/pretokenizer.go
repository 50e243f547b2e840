package tokenizer

import (
	"encoding/json"
	"fmt"
	"unicode"

	"seam/shared/embed/static/norm"
	"seam/shared/embed/static/wordpiece"
)

// piece is a part of a text on its way to the model.
type piece struct {
	chars []norm.Char
	id    int // of an added token; -1 for text
}

// splitter appends the pieces of p.
type splitter func(dst []piece, p piece) []piece

func parsePretokenizer(raw json.RawMessage, depth int) (splitter, error) {
	if absent(raw) {
		return nil, nil
	}
	s, err := parseStep(raw, depth)
	if err != nil {
		return nil, err
	}
	switch s.Type {
	case "Sequence":
		return splitters(s.Pretokenizers, depth)
	case "BertPreTokenizer":
		return both(by(one(unicode.IsSpace), removed, false), by(one(wordpiece.Punctuation), isolated, false)), nil
	case "Whitespace":
		symbol := func(r rune) bool { return !isWord(r) && !unicode.IsSpace(r) }
		return both(by(one(unicode.IsSpace), removed, false), by(run(symbol, 1, -1), isolated, false)), nil
	case "WhitespaceSplit":
		return by(one(unicode.IsSpace), removed, false), nil
	case "CharDelimiterSplit":
		return by(one(func(r rune) bool { return string(r) == s.Delimiter }), removed, false), nil
	case "Punctuation":
		b, err := parseBehavior(s.Behavior)
		return by(one(wordpiece.Punctuation), b, false), err
	case "Digits":
		b := contiguous
		if s.Individual {
			b = isolated
		}
		return by(one(unicode.IsNumber), b, false), nil
	case "ByteLevel":
		return byteLevel(or(s.AddPrefixSpace, true), or(s.UseRegex, true)), nil
	case "Metaspace":
		return metaspace(s)
	case "Split":
		m, err := s.Pattern.matcher()
		if err != nil {
			return nil, err
		}
		b, err := parseBehavior(s.Behavior)
		return by(m, b, s.Invert), err
	}
	return nil, fmt.Errorf("pre-tokenizer %q is not supported", s.Type)
}

func splitters(members []json.RawMessage, depth int) (splitter, error) {
	all := splitter(func(dst []piece, p piece) []piece { return append(dst, p) })
	for _, raw := range members {
		next, err := parsePretokenizer(raw, depth+1)
		if err != nil {
			return nil, err
		}
		if next != nil {
			all = both(all, next)
		}
	}
	return all, nil
}

// both splits by a, and the results by b.
func both(a, b splitter) splitter {
	return func(dst []piece, p piece) []piece {
		for _, q := range a(nil, p) {
			dst = b(dst, q)
		}
		return dst
	}
}

// behavior defines the treatment of a pattern's matches.
type behavior uint8

const (
	removed behavior = iota
	isolated
	withPrevious
	withNext
	contiguous
)

func parseBehavior(name string) (behavior, error) {
	switch name {
	case "Removed":
		return removed, nil
	case "Isolated", "":
		return isolated, nil
	case "MergedWithPrevious":
		return withPrevious, nil
	case "MergedWithNext":
		return withNext, nil
	case "Contiguous":
		return contiguous, nil
	}
	return 0, fmt.Errorf("split behavior %q is not supported", name)
}

// stretch is a part of a piece, matched or not.
type stretch struct {
	from, to int
	match    bool
}

// by splits at the matches of m, or with invert at everything else.
func by(m matcher, b behavior, invert bool) splitter { return cutter{m, b, invert}.split }

type cutter struct {
	matcher  matcher
	behavior behavior
	invert   bool
}

func (k cutter) split(dst []piece, p piece) []piece {
	var all []stretch
	from := 0
	for i := 0; i < len(p.chars); {
		n := k.matcher(p.chars, i)
		if n == 0 {
			i++
			continue
		}
		if from < i {
			all = append(all, stretch{from, i, k.invert})
		}
		all = append(all, stretch{i, i + n, !k.invert})
		i += n
		from = i
	}
	if from < len(p.chars) {
		all = append(all, stretch{from, len(p.chars), k.invert})
	}
	for _, s := range merge(all, k.behavior) {
		if k.behavior != removed || !s.match {
			dst = append(dst, piece{chars: p.chars[s.from:s.to], id: -1})
		}
	}
	return dst
}

// merge joins stretches according to the behavior.
func merge(all []stretch, b behavior) []stretch {
	if b == removed || b == isolated || len(all) == 0 {
		return all
	}
	out := all[:1]
	for i := 1; i < len(all); i++ {
		s, last := all[i], &out[len(out)-1]
		before := all[i-1].match
		join := b == contiguous && s.match == before ||
			b == withPrevious && s.match && !before ||
			b == withNext && !s.match && before
		if join {
			last.to = s.to
			all[i].match = s.match
			continue
		}
		out = append(out, s)
	}
	return out
}

// metaspace replaces spaces by a visible character and cuts before each of them.
func metaspace(s step) (splitter, error) {
	mark := []rune(s.Replacement)
	if len(mark) != 1 {
		return nil, fmt.Errorf("the replacement %q of Metaspace is not one character", s.Replacement)
	}
	scheme := s.PrependScheme
	if scheme == "" {
		scheme = "always"
		if !or(s.AddPrefixSpace, true) {
			scheme = "never"
		}
	}
	if scheme != "always" && scheme != "first" && scheme != "never" {
		return nil, fmt.Errorf("prepend scheme %q of Metaspace is not supported", scheme)
	}
	cut := by(one(func(r rune) bool { return r == mark[0] }), withNext, false)
	return func(dst []piece, p piece) []piece {
		p.chars = replace(p.chars, one(func(r rune) bool { return r == ' ' }), s.Replacement)
		if len(p.chars) > 0 && p.chars[0].Rune != mark[0] && (scheme == "always" || scheme == "first" && p.chars[0].From == 0) {
			p.chars = prepend(p.chars, s.Replacement)
		}
		if !or(s.Split, true) {
			return append(dst, p)
		}
		return cut(dst, p)
	}, nil
}

// byteLevel is GPT-2's pre-tokenizer: it cuts by GPT-2's expression, then replaces bytes by
// characters.
func byteLevel(prefix, expression bool) splitter {
	return func(dst []piece, p piece) []piece {
		if prefix && len(p.chars) > 0 && p.chars[0].Rune != ' ' {
			p.chars = prepend(p.chars, " ")
		}
		from := len(dst)
		if expression {
			dst = by(gpt2, isolated, false)(dst, p)
		} else {
			dst = append(dst, p)
		}
		for i := range dst[from:] {
			dst[from+i].chars = byteChars(dst[from+i].chars)
		}
		return dst
	}
}
