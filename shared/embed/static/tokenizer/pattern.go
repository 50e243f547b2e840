package tokenizer

import (
	"fmt"
	"unicode"

	"seam/shared/embed/static/norm"
)

// matcher returns the number of characters that a pattern matches at index i, or 0 if it
// does not match.
type matcher func(c []norm.Char, i int) int

// one matches a single character of a class.
func one(class func(rune) bool) matcher { return run(class, 1, 1) }

// run matches at least a and at most b characters of a class, or any number if b is
// negative.
func run(class func(rune) bool, a, b int) matcher {
	return func(c []norm.Char, i int) int {
		n := 0
		for i+n < len(c) && n != b && class(c[i+n].Rune) {
			n++
		}
		if n < a {
			return 0
		}
		return n
	}
}

// matcher returns the pattern's matcher. There is no regular expression engine here: the
// expressions that tokenizers use are recognized by their text.
func (p pattern) matcher() (matcher, error) {
	if p.String != nil {
		s := []rune(*p.String)
		return func(c []norm.Char, i int) int {
			if begins(c[i:], s) {
				return len(s)
			}
			return 0
		}, nil
	}
	if p.Regex == nil {
		return nil, fmt.Errorf("a pattern is neither String nor Regex")
	}
	blank := func(r rune) bool { return r == ' ' }
	switch *p.Regex {
	case `\s+`:
		return run(unicode.IsSpace, 1, -1), nil
	case `\s`:
		return one(unicode.IsSpace), nil
	case ` `:
		return one(blank), nil
	case ` +`:
		return run(blank, 1, -1), nil
	case ` {2,}`:
		return run(blank, 2, -1), nil
	case `\d`, `\p{Nd}`:
		return one(unicode.IsDigit), nil
	case `\d+`:
		return run(unicode.IsDigit, 1, -1), nil
	case `\p{N}`:
		return one(unicode.IsNumber), nil
	case `\p{N}+`:
		return run(unicode.IsNumber, 1, -1), nil
	case `\p{N}{1,3}`:
		return run(unicode.IsNumber, 1, 3), nil
	case `\p{P}`:
		return one(unicode.IsPunct), nil
	case `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`:
		return gpt2, nil
	case `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`:
		return func(c []norm.Char, i int) int { return cl100k(c, i, 3) }, nil
	case `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`:
		return func(c []norm.Char, i int) int { return cl100k(c, i, 1) }, nil
	}
	return nil, fmt.Errorf("the regular expression %q is not supported", *p.Regex)
}

// symbol is [^\s\p{L}\p{N}].
func symbol(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

// newline is [\r\n].
func newline(r rune) bool { return r == '\r' || r == '\n' }

// behind returns the end of the run of a class that begins at i.
func behind(c []norm.Char, i int, class func(rune) bool) int {
	for i < len(c) && class(c[i].Rune) {
		i++
	}
	return i
}

// contraction matches 's, 't, 're, 've, 'm, 'll, 'd, in capitals too if fold is set.
func contraction(c []norm.Char, i int, fold bool) int {
	if c[i].Rune != '\'' {
		return 0
	}
	at := func(k int) rune {
		if i+k >= len(c) {
			return 0
		}
		r := c[i+k].Rune
		switch {
		case fold && r == 'ſ':
			return 's'
		case fold && r < 0x80:
			return unicode.ToLower(r)
		}
		return r
	}
	switch a, b := at(1), at(2); {
	case a == 's', a == 't', a == 'm', a == 'd':
		return 2
	case a == 'r' && b == 'e', a == 'v' && b == 'e', a == 'l' && b == 'l':
		return 3
	}
	return 0
}

// gpt2 is GPT-2's expression.
func gpt2(c []norm.Char, i int) int {
	if n := contraction(c, i, false); n > 0 {
		return n
	}
	from := i
	if c[i].Rune == ' ' {
		from++
	}
	for _, class := range []func(rune) bool{unicode.IsLetter, unicode.IsNumber, symbol} {
		if end := behind(c, from, class); end > from {
			return end - i
		}
	}
	return blanks(c, i)
}

// blanks is \s+(?!\S)|\s+: white space without its last character, if a word follows and
// there is more than one.
func blanks(c []norm.Char, i int) int {
	end := behind(c, i, unicode.IsSpace)
	if end < len(c) && end-i > 1 {
		end--
	}
	return end - i
}

// cl100k is the expression of GPT-4 and Llama 3, with up to digits numerals in a piece.
// Qwen allows only one.
func cl100k(c []norm.Char, i, digits int) int {
	if n := contraction(c, i, true); n > 0 {
		return n
	}
	from := i
	if r := c[i].Rune; !newline(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
		from++
	}
	if end := behind(c, from, unicode.IsLetter); end > from {
		return end - i
	}
	if end := behind(c, i, unicode.IsNumber); end > i {
		return min(end-i, digits)
	}
	from = i
	if c[i].Rune == ' ' {
		from++
	}
	if end := behind(c, from, symbol); end > from {
		return behind(c, end, newline) - i
	}
	end := behind(c, i, unicode.IsSpace)
	for k := end; k > i; k-- {
		if newline(c[k-1].Rune) {
			return k - i
		}
	}
	return blanks(c, i)
}
