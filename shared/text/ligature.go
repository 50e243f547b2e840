package text

// ligatures are what the characters from U+FB00 on draw.
var ligatures = [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

// Ligature returns the letters that a character of Latin script draws in one, such as "ffi"
// for U+FB03, in lower case; "" for any other character. A PDF, of LaTeX above all, may have
// its letters as they are drawn; in a text they stay so, for its spans, and what compares
// words takes them apart.
func Ligature(r rune) string {
	if i := int(r) - 0xfb00; i >= 0 && i < len(ligatures) {
		return ligatures[i]
	}
	return ""
}
