package encoding

import (
	"strings"
	"unicode/utf16"
)

// macRoman holds codes 0x80 to 0xFF of MacRomanEncoding.
var macRoman = []rune("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø" +
	"¿¡¬√ƒ≈∆«»… ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")

// winAnsi holds codes 0x80 to 0x9F of WinAnsiEncoding. Codes that Windows leaves undefined
// show a bullet (ISO 32000-1, D.2, footnote 3).
var winAnsi = []rune("€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ")

// Codes 0x18 to 0x1F and 0x80 to 0xA0 of PDFDocEncoding.
var (
	pdfDocLow  = []rune("˘ˇˆ˙˝˛˚˜")
	pdfDocHigh = []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€")
)

// WinAnsi returns the character of code c in WinAnsiEncoding, or 0.
func WinAnsi(c byte) rune {
	switch {
	case c < 0x20:
		return 0
	case c == 0x7f: // undefined, too: ReportLab writes bullets so
		return '•'
	case 0x80 <= c && c < 0xa0:
		return winAnsi[c-0x80]
	}
	return rune(c)
}

// MacRoman returns the character of code c in MacRomanEncoding, or 0.
func MacRoman(c byte) rune {
	switch {
	case c < 0x20 || c == 0x7f:
		return 0
	case c >= 0x80:
		return macRoman[c-0x80]
	}
	return rune(c)
}

// TextString decodes a PDF text string (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte
// order mark, otherwise PDFDocEncoding.
func TextString(b []byte) string {
	switch {
	case len(b) >= 2 && b[0] == 0xfe && b[1] == 0xff:
		return UTF16(b[2:])
	case len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf:
		return strings.ToValidUTF8(string(b[3:]), "\ufffd")
	}
	var sb strings.Builder
	for _, c := range b {
		switch {
		case 0x18 <= c && c < 0x20:
			sb.WriteRune(pdfDocLow[c-0x18])
		case 0x80 <= c && c <= 0xa0:
			sb.WriteRune(pdfDocHigh[c-0x80])
		default:
			sb.WriteRune(rune(c))
		}
	}
	return sb.String()
}

// UTF16 decodes big-endian UTF-16. A single byte stands for itself, as in the short strings
// of careless ToUnicode maps. A last odd byte is dropped.
func UTF16(b []byte) string {
	if len(b) == 1 {
		return string(rune(b[0]))
	}
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return string(utf16.Decode(u))
}

// WinAnsiCode returns the code of r in WinAnsiEncoding. ok is false if it has none.
func WinAnsiCode(r rune) (c byte, ok bool) {
	if r >= 0xa0 && r < 0x100 || r >= 0x20 && r < 0x7f {
		return byte(r), true
	}
	for i, x := range winAnsi {
		if x == r {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}
