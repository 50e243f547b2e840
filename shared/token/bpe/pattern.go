package bpe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// class holds the properties of a character that patterns need.
type class uint8

const (
	letter class = 1 << iota // \p{L}
	number                   // \p{N}
	space                    // \s
	feed                     // \r or \n
	upper                    // the start of a word in o200k: \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}
	lower                    // and its continuation: \p{Ll}\p{Lm}\p{Lo}\p{M}
)

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return letter | lower
	case r == ' ' || r == '\t' || r == '\v' || r == '\f':
		return space
	case 'A' <= r && r <= 'Z':
		return letter | upper
	case r == '\n' || r == '\r':
		return space | feed
	case '0' <= r && r <= '9':
		return number
	case r < utf8.RuneSelf:
		return 0
	case unicode.IsLetter(r):
		switch {
		case unicode.IsLower(r):
			return letter | lower
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			return letter | upper
		}
		return letter | upper | lower
	case unicode.IsMark(r):
		return upper | lower
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return 0
}

// at returns the class and the length of the character of t at byte i. At the end of t the
// length is 0.
func at(t string, i int) (class, int) {
	if i >= len(t) {
		return 0, 0
	}
	if t[i] < utf8.RuneSelf {
		return classOf(rune(t[i])), 1
	}
	r, n := utf8.DecodeRuneInString(t[i:])
	return classOf(r), n
}

// run returns the end of the characters, starting at byte i, that have any of the bits
// want. If want is 0, it returns the end of those that have none of the bits not.
func run(t string, i int, want, not class) int {
	for {
		c, n := at(t, i)
		if n == 0 || want != 0 && c&want == 0 || want == 0 && c&not != 0 {
			return i
		}
		i += n
	}
}

// cl100k is the pattern
//
//	'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+
//	| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s
func cl100k(t string) int {
	if n := contraction(t); n > 0 {
		return n
	}
	c, n := at(t, 0)
	first := 0
	if c&(letter|number|feed) == 0 {
		first = n
	}
	if end := run(t, first, letter, 0); end > first {
		return end
	}
	if end := run(t, 0, space, 0); end == len(t) {
		return end
	}
	return other(t, "\r\n")
}

// o200k is the pattern
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+('…)?
//	|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*('…)?
//	|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// where ('…) is (?i:'s|'t|'re|'ve|'m|'ll|'d).
func o200k(t string) int {
	c, n := at(t, 0)
	end := 0
	if c&(letter|number|feed) == 0 {
		if end = small(t, n); end == 0 {
			if end = small(t, 0); end == 0 {
				if big := run(t, n, upper, 0); big > n {
					end = big
				}
			}
		}
	} else if end = small(t, 0); end == 0 {
		end = run(t, 0, upper, 0)
	}
	if end > 0 {
		return end + contraction(t[end:])
	}
	return other(t, "\r\n/")
}

// small returns the end of a word of the form upper* lower+ at byte i, or 0.
func small(t string, i int) int {
	big := run(t, i, upper, 0)
	if end := run(t, big, lower, 0); end > big {
		return end
	}
	for big > i { // give back characters that cannot be the end
		r, n := utf8.DecodeLastRuneInString(t[i:big])
		if classOf(r)&lower != 0 {
			return big
		}
		big -= n
	}
	return 0
}

// other matches the parts of both patterns after words. Signs may be followed by any number
// of characters from tail.
func other(t string, tail string) int {
	if c, _ := at(t, 0); c&number != 0 {
		end := 0
		for range 3 {
			c, n := at(t, end)
			if c&number == 0 {
				break
			}
			end += n
		}
		return end
	}
	first := 0
	if t[0] == ' ' {
		first = 1
	}
	if end := run(t, first, 0, space|letter|number); end > first {
		for end < len(t) && strings.IndexByte(tail, t[end]) >= 0 {
			end++
		}
		return end
	}
	end := run(t, 0, space, 0)
	if i := strings.LastIndexAny(t[:end], "\r\n"); i >= 0 {
		return i + 1
	}
	if _, n := utf8.DecodeLastRuneInString(t[:end]); end < len(t) && end > n {
		return end - n
	}
	return end
}

// contraction returns the length of an English ending such as 're at the beginning of t, or
// 0.
func contraction(t string) int {
	if len(t) < 2 || t[0] != '\'' {
		return 0
	}
	switch t[1] | 0x20 {
	case 's', 'd', 'm', 't':
		return 2
	}
	if strings.HasPrefix(t[1:], "ſ") { // another case of s
		return 1 + len("ſ")
	}
	if len(t) > 2 {
		switch two := [2]byte{t[1] | 0x20, t[2] | 0x20}; two {
		case [2]byte{'l', 'l'}, [2]byte{'v', 'e'}, [2]byte{'r', 'e'}:
			return 3
		}
	}
	return 0
}
