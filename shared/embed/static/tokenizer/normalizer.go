package tokenizer

import (
	"encoding/json"
	"fmt"
	"unicode"

	"seam/shared/embed/static/norm"
	"seam/shared/embed/static/wordpiece"
)

// normalizer changes the characters of a section. It may overwrite its argument.
type normalizer func([]norm.Char) []norm.Char

// pattern is a string or a regular expression.
type pattern struct {
	String, Regex *string
}

// step is any normalizer or pre-tokenizer of the file: the union of their fields.
type step struct {
	Type           string            `json:"type"`
	Normalizers    []json.RawMessage `json:"normalizers"`
	Pretokenizers  []json.RawMessage `json:"pretokenizers"`
	CleanText      *bool             `json:"clean_text"`
	Han            *bool             `json:"handle_chinese_chars"`
	StripAccents   *bool             `json:"strip_accents"`
	Lowercase      *bool             `json:"lowercase"`
	Left           *bool             `json:"strip_left"`
	Right          *bool             `json:"strip_right"`
	Pattern        pattern           `json:"pattern"`
	Content        string            `json:"content"`
	Prepend        string            `json:"prepend"`
	Charsmap       []byte            `json:"precompiled_charsmap"`
	Individual     bool              `json:"individual_digits"`
	AddPrefixSpace *bool             `json:"add_prefix_space"`
	UseRegex       *bool             `json:"use_regex"`
	Replacement    string            `json:"replacement"`
	PrependScheme  string            `json:"prepend_scheme"`
	Split          *bool             `json:"split"`
	Behavior       string            `json:"behavior"`
	Invert         bool              `json:"invert"`
	Delimiter      string            `json:"delimiter"`
}

// or returns *b, or the package's default if b is nil.
func or(b *bool, otherwise bool) bool {
	if b == nil {
		return otherwise
	}
	return *b
}

// deepest is the maximum nesting of sequences.
const deepest = 8

func parseStep(raw json.RawMessage, depth int) (step, error) {
	var s step
	if depth > deepest {
		return s, fmt.Errorf("sequences nest deeper than %d", deepest)
	}
	return s, json.Unmarshal(raw, &s)
}

// absent reports whether a member of the file is missing or null.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func parseNormalizer(raw json.RawMessage, depth int) (normalizer, error) {
	if absent(raw) {
		return nil, nil
	}
	s, err := parseStep(raw, depth)
	if err != nil {
		return nil, err
	}
	switch s.Type {
	case "Sequence":
		return sequence(s.Normalizers, depth)
	case "BertNormalizer":
		return bertNormalizer(s), nil
	case "NFC":
		return norm.NFC.Apply, nil
	case "NFD":
		return norm.NFD.Apply, nil
	case "NFKC":
		return norm.NFKC.Apply, nil
	case "NFKD":
		return norm.NFKD.Apply, nil
	case "Lowercase":
		return lowercase, nil
	case "StripAccents":
		return filter(func(r rune) bool { return r < 0x300 || !unicode.Is(unicode.M, r) }), nil
	case "Nmt":
		return nmt, nil
	case "ByteLevel":
		return byteChars, nil
	case "Strip":
		left, right := or(s.Left, true), or(s.Right, true)
		return func(c []norm.Char) []norm.Char { return strip(c, left, right) }, nil
	case "Prepend":
		if len(s.Prepend) > longestContent {
			return nil, fmt.Errorf("the normalizer Prepend puts in %d bytes; at most %d are supported", len(s.Prepend), longestContent)
		}
		return func(c []norm.Char) []norm.Char { return prepend(c, s.Prepend) }, nil
	case "Replace":
		m, err := s.Pattern.matcher()
		if err == nil && len(s.Content) > longestContent {
			err = fmt.Errorf("the normalizer Replace puts in %d bytes; at most %d are supported", len(s.Content), longestContent)
		}
		if err != nil {
			return nil, err
		}
		return func(c []norm.Char) []norm.Char { return replace(c, m, s.Content) }, nil
	case "Precompiled":
		return precompiled(s.Charsmap)
	}
	return nil, fmt.Errorf("normalizer %q is not supported", s.Type)
}

// longestContent is the maximum number of bytes that Replace and Prepend may insert.
// mostGrowth is the approximate maximum factor by which a text may grow. Without them,
// replacements of replacements could take all memory. NFKC turns one character into up to
// 18.
const longestContent, mostGrowth = 256, 64

func sequence(members []json.RawMessage, depth int) (normalizer, error) {
	var all []normalizer
	for _, raw := range members {
		n, err := parseNormalizer(raw, depth+1)
		if err != nil {
			return nil, err
		}
		if n != nil {
			all = append(all, n)
		}
	}
	return func(c []norm.Char) []norm.Char {
		most := mostGrowth * (len(c) + mostGrowth)
		for _, n := range all {
			c = n(c)
			c = c[:min(len(c), most)]
		}
		return c
	}, nil
}

// each returns a normalizer that replaces each character by the result of f.
func each(f func(dst []rune, r rune) []rune) normalizer {
	return func(chars []norm.Char) []norm.Char {
		out := make([]norm.Char, 0, len(chars))
		var parts []rune
		for _, c := range chars {
			parts = f(parts[:0], c.Rune)
			for _, r := range parts {
				out = append(out, norm.Char{Rune: r, From: c.From, To: c.To})
			}
		}
		return out
	}
}

// filter returns a normalizer that keeps some characters.
func filter(keep func(rune) bool) normalizer {
	return func(chars []norm.Char) []norm.Char {
		out := chars[:0:0]
		for _, c := range chars {
			if keep(c.Rune) {
				out = append(out, c)
			}
		}
		return out
	}
}

func lowercase(c []norm.Char) []norm.Char { return each(wordpiece.AppendLower)(c) }

// bertNormalizer is BERT's normalizer in steps, for texts that the single pass of wordpiece
// cannot handle.
func bertNormalizer(s step) normalizer {
	o := bertOptions(s)
	return func(c []norm.Char) []norm.Char {
		if o.Clean {
			c = each(func(dst []rune, r rune) []rune {
				switch {
				case wordpiece.Dropped(r):
					return dst
				case unicode.IsSpace(r):
					return append(dst, ' ')
				}
				return append(dst, r)
			})(c)
		}
		if o.Han {
			c = each(func(dst []rune, r rune) []rune {
				if wordpiece.Han(r) {
					return append(dst, ' ', r, ' ')
				}
				return append(dst, r)
			})(c)
		}
		if o.StripAccents {
			c = filter(func(r rune) bool { return r < 0x300 || !unicode.Is(unicode.Mn, r) })(norm.NFD.Apply(c))
		}
		if o.Lowercase {
			c = lowercase(c)
		}
		return c
	}
}

func bertOptions(s step) wordpiece.Options {
	lower := or(s.Lowercase, true)
	return wordpiece.Options{Clean: or(s.CleanText, true), Han: or(s.Han, true), StripAccents: or(s.StripAccents, lower), Lowercase: lower}
}

// nmt implements the cleaning in SentencePiece's nmt_ rules.
func nmt(c []norm.Char) []norm.Char {
	return each(func(dst []rune, r rune) []rune {
		switch {
		case r >= 1 && r <= 8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
			return dst
		case r == 9, r == 0xa, r == 0xc, r == 0xd, r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xfeff, r == 0xfffd:
			return append(dst, ' ')
		}
		return append(dst, r)
	})(c)
}

func strip(c []norm.Char, left, right bool) []norm.Char {
	for left && len(c) > 0 && unicode.IsSpace(c[0].Rune) {
		c = c[1:]
	}
	for right && len(c) > 0 && unicode.IsSpace(c[len(c)-1].Rune) {
		c = c[:len(c)-1]
	}
	return c
}

// prepend puts s before c unless c is empty.
func prepend(c []norm.Char, s string) []norm.Char {
	if len(c) == 0 {
		return c
	}
	out := make([]norm.Char, 0, len(c)+len(s))
	for _, r := range s {
		out = append(out, norm.Char{Rune: r, From: c[0].From, To: c[0].From})
	}
	return append(out, c...)
}

// replace replaces every match of m by s.
func replace(c []norm.Char, m matcher, s string) []norm.Char {
	out := make([]norm.Char, 0, len(c))
	for i := 0; i < len(c); {
		n := m(c, i)
		if n == 0 {
			out = append(out, c[i])
			i++
			continue
		}
		for _, r := range s {
			out = append(out, norm.Char{Rune: r, From: c[i].From, To: c[i+n-1].To})
		}
		i += n
	}
	return out
}
