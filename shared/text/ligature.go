package text

// ligatures are the letters of the characters from U+FB00.
var ligatures = [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

// Ligature returns the letters of a Latin ligature, in lower case, such as "ffi" for
// U+FB03. It returns "" for any other character. PDFs, especially from LaTeX, may contain
// ligatures. A text keeps them because of its spans, so code that compares words must
// expand them.
func Ligature(r rune) string {
	if i := int(r) - 0xfb00; i >= 0 && i < len(ligatures) {
		return ligatures[i]
	}
	return ""
}
