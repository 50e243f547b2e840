package tokenizer

import (
	"unicode/utf8"

	"seam/shared/embed/static/norm"
)

// byteRune returns the character for a byte in byte-level vocabularies: the byte itself if
// it is visible, otherwise the next character starting at U+0100 (GPT-2, bytes_to_unicode).
func byteRune(b byte) rune {
	switch {
	case b >= '!' && b <= '~', b >= 0xa1 && b <= 0xac, b >= 0xae:
		return rune(b)
	case b <= ' ':
		return 0x100 + rune(b)
	case b == 0xad:
		return 0x143
	}
	return 0x121 + rune(b) - 0x7f
}

// byteChars replaces every byte by its character.
func byteChars(chars []norm.Char) []norm.Char {
	out := make([]norm.Char, 0, len(chars))
	var buf [utf8.UTFMax]byte
	for _, c := range chars {
		for _, b := range buf[:utf8.EncodeRune(buf[:], c.Rune)] {
			out = append(out, norm.Char{Rune: byteRune(b), From: c.From, To: c.To})
		}
	}
	return out
}

// byteToken returns the vocabulary's name for a fallback byte.
func byteToken(b byte) string {
	const digits = "0123456789ABCDEF"
	return "<0x" + string(digits[b>>4]) + string(digits[b&15]) + ">"
}
