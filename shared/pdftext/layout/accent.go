package layout

import (
	"math"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
)

// accents maps a spacing accent to pairs of letters: without it, and with it.
var accents = map[rune]string{
	'´': "aácćeéiílĺnńoórŕsśuúyýzźAÁCĆEÉIÍLĹNŃOÓRŔSŚUÚYÝZŹ",
	'`': "aàeèiìoòuùAÀEÈIÌOÒUÙ",
	'¨': "aäeëiïoöuüyÿAÄEËIÏOÖUÜYŸ",
	'ˆ': "aâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷAÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶ",
	'˜': "aãiĩnñoõuũAÃIĨNÑOÕUŨ",
	'ˇ': "aǎcčdďeěiǐlľnňoǒrřsštťuǔzžAǍCČDĎEĚIǏLĽNŇOǑRŘSŠTŤUǓZŽ",
	'˘': "aăeĕgğiĭoŏuŭAĂEĔGĞIĬOŎUŬ",
	'˙': "cċeėgġzżCĊEĖGĠIİZŻ",
	'˚': "aåuůAÅUŮ",
	'¸': "cçgģkķlļnņrŗsştţCÇGĢKĶLĻNŅRŖSŞTŢ",
	'˛': "aąeęiįuųAĄEĘIĮUŲ",
	'˝': "oőuűOŐUŰ",
	'¯': "aāeēiīoōuūAĀEĒIĪOŌUŪ",
}

// maxAccented is the number of letters before an accent to examine.
const maxAccented = 256

// accented joins g, whose text is s, with a letter of the open line if one of them is an
// accent drawn over the other, as TeX does in fonts without accented letters.
func (b *Builder) accented(g *glyph.Glyph, s string) bool {
	if b.line == nil || len(b.line.parts) == 0 {
		return false
	}
	parts := b.line.parts
	sign, n := utf8.DecodeRuneInString(s)
	if last := &parts[len(parts)-1]; isAccent(first(last.text)) && last.glyph != nil && over(last.glyph, g) {
		if both := compose(sign, first(last.text)); both != 0 && n == len(s) {
			last.text, last.glyph = string(both), g
			b.pen, b.last = g, both
			return true
		}
	}
	if !isAccent(sign) {
		return false
	}
	for i := len(parts) - 1; i >= max(0, len(parts)-maxAccented); i-- {
		p := &parts[i]
		if p.glyph == nil || !over(g, p.glyph) {
			continue
		}
		letter, size := utf8.DecodeRuneInString(p.text)
		both := compose(letter, sign)
		if size != len(p.text) || both == 0 {
			return false
		}
		if p.text = string(both); p.glyph == b.pen {
			b.last = both
		}
		return true
	}
	return false
}

// over reports whether the middle of accent is over letter.
func over(accent, letter *glyph.Glyph) bool {
	from, to := letter.Dir.Dot(accent.From.Sub(letter.From)), letter.Dir.Dot(accent.To.Sub(letter.From))
	width := letter.Dir.Dot(letter.To.Sub(letter.From))
	middle := (from + to) / 2
	return accent.Dir.Dot(letter.Dir) >= sameDir && 0.2*width < middle && middle < 0.8*width && math.Abs(letter.Dir.Cross(accent.From.Sub(letter.From))) < sameLine*letter.Size
}

// isAccent reports whether r is a spacing accent.
func isAccent(r rune) bool {
	switch plain(r) {
	case '´', '`', '¨', 'ˆ', '˜', 'ˇ', '˘', '˙', '˚', '¸', '˛', '˝', '¯':
		return true
	}
	return false
}

// compose returns the letter with the accent, or 0.
func compose(letter, accent rune) rune {
	pairs := accents[plain(accent)]
	letter = plain(letter)
	for len(pairs) > 0 {
		base, n := utf8.DecodeRuneInString(pairs)
		with, m := utf8.DecodeRuneInString(pairs[n:])
		if base == letter {
			return with
		}
		pairs = pairs[n+m:]
	}
	return 0
}

// plain returns the usual character for the sign of an accent, or for a letter without its
// dot.
func plain(r rune) rune {
	switch r {
	case 'ˋ':
		return '`'
	case 'ˊ':
		return '´'
	case '^':
		return 'ˆ'
	case '~':
		return '˜'
	case '°':
		return '˚'
	case 'ˉ':
		return '¯'
	case 'ı':
		return 'i'
	case 'ȷ':
		return 'j'
	}
	return r
}
