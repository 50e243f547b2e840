package font

import (
	"strconv"
	"strings"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/object"
)

// leastLetters is the minimum number of small letters in a font of words.
const leastLetters = 8

// knuth has the glyph names of TeX's text fonts (OT1) where they differ from ASCII, by
// code. Other codes are as in ASCII.
var knuth = map[int]string{
	0: "Gamma", 1: "Delta", 2: "Theta", 3: "Lambda", 4: "Xi", 5: "Pi", 6: "Sigma", 7: "Upsilon", 8: "Phi", 9: "Psi", 10: "Omega",
	11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl", 16: "dotlessi", 17: "dotlessj", 18: "grave", 19: "acute", 20: "caron", 21: "breve", 22: "macron",
	23: "ring", 24: "cedilla", 25: "germandbls", 26: "ae", 27: "oe", 28: "oslash", 29: "AE", 30: "OE", 31: "Oslash",
	34: "quotedblright", 39: "quoteright", 60: "exclamdown", 62: "questiondown", 92: "quotedblleft", 94: "circumflex", 95: "dotaccent", 96: "quoteleft",
	123: "endash", 124: "emdash", 125: "hungarumlaut", 126: "tilde", 127: "dieresis",
}

// cork has the glyph names of TeX's European fonts (T1) below 32 and at 127.
var cork = map[int]string{
	0: "grave", 1: "acute", 2: "circumflex", 3: "tilde", 4: "dieresis", 5: "hungarumlaut", 6: "ring", 7: "caron", 8: "breve", 9: "macron", 10: "dotaccent",
	11: "cedilla", 12: "ogonek", 13: "quotesinglbase", 14: "guilsinglleft", 15: "guilsinglright", 16: "quotedblleft", 17: "quotedblright", 18: "quotedblbase",
	19: "guillemotleft", 20: "guillemotright", 21: "endash", 22: "emdash", 25: "dotlessi", 26: "dotlessj", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl",
	39: "quoteright", 96: "quoteleft", 127: "hyphen",
}

// corkCapitals are the letters of T1 from 128 on. The small ones follow 32 later.
const corkCapitals = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£"

// setTeX sets the text of a bitmap font of TeX, whose glyphs have only TeX's codes for
// names: a12, where the code is the same, or 12. A font with small letters and punctuation or digits is a text font;
// others may be of mathematics, and stay as they are.
func (l *Loader) setTeX(f *Font, differences object.Array) {
	var has [256]bool
	of := map[int]int{} // TeX's codes by code
	code, small := 0, 0
	for _, o := range differences {
		switch x := l.file.Resolve(o).(type) {
		case object.Integer:
			code = x.Value()
		case object.Name:
			if name := x.Value(); name != ".notdef" {
				digits, named := strings.CutPrefix(name, "a")
				n, err := strconv.Atoi(digits)
				if err != nil || strconv.Itoa(n) != digits || named && n != code || min(n, code) < 0 || max(n, code) > 255 {
					return
				}
				has[n], of[code] = true, n
				if 'a' <= n && n <= 'z' {
					small++
				}
			}
			code++
		}
	}
	count := func(from, to int) (n int) {
		for c := from; c <= to; c++ {
			if has[c] {
				n++
			}
		}
		return n
	}
	if small < leastLetters || count(',', '.') == 0 && count('0', '9') < 2 {
		return
	}
	names := knuth
	if count(128, 255) > 0 || count(11, 15) == 0 && count(27, 31) > 0 {
		names = cork
	}
	for code, n := range of {
		switch name := names[n]; {
		case name != "":
			f.setCode(code, encoding.Unicode(name))
		case n >= 128:
			f.setCode(code, european(n))
		case code != n && n >= ' ':
			f.setCode(code, string(rune(n)))
		}
		f.guessed[code] = f.guessed[code] || code != n // other programs number their glyphs, too
	}
}

// european returns the character of T1 at n, from 128.
func european(n int) string {
	switch n {
	case 215:
		return "Œ"
	case 223:
		return "SS"
	case 247:
		return "œ"
	case 255:
		return "ß"
	}
	if n < 192 {
		return string([]rune(corkCapitals)[n-128])
	}
	return string(rune(n))
}

// setCode sets the text of a code that is no guess.
func (f *Font) setCode(c int, s string) { f.text[c], f.guessed[c] = s, false }
