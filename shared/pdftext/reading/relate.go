package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// When a row begins a new paragraph.
const (
	wideGap = 1.4 // further below than this many usual distances of lines
	indent  = 0.8 // further to the right by this many sizes
	slack   = 0.6 // sizes by which an estimate of a width may be off
)

// relate decides how row b follows on row a.
func relate(a, b *row, pitch map[int]float64) relation {
	listed := marker(b.text)
	if a.page != b.page || b.baseline < a.baseline-0.3*a.size {
		// Over a page break, or up into another column.
		if !listed && a.level == b.level && sameSize(a, b) && goesOn(a.text, b.text) {
			return wrapped
		}
		return apart
	}
	switch {
	case !follows(a, b, pitch):
		return apart
	case listed, len(a.parts) > 1 && len(b.parts) > 1: // or rows of a table
		return item
	case a.bold != b.bold && (endsEarly(a, b) || b.bold && b.box.X1 < b.right-2*b.size):
		return apart // a heading in the size of the text
	case goesOn(a.text, b.text) && overlaps(a, b):
		return wrapped
	case endsEarly(a, b):
		return apart
	case b.box.X0 > a.box.X0+indent*b.size && !marker(a.text) && a.box.X0 < a.left+indent*a.size:
		return apart // the first line of a paragraph is indented
	}
	return wrapped
}

// overlaps reports whether a and b share a part of the width of the page.
func overlaps(a, b *row) bool { return a.box.X0 < b.box.X1 && b.box.X0 < a.box.X1 }

// endsEarly reports whether the first word of b would have had room in row a.
func endsEarly(a, b *row) bool {
	return a.right-a.box.X1 > b.first+slack*b.size
}

// goesOn reports whether sentence a plainly goes on in b.
func goesOn(a, b string) bool {
	first, _ := utf8.DecodeRuneInString(b)
	return unicode.IsLower(first) && !endsSentence(a) && strings.IndexFunc(a, unicode.IsLetter) >= 0
}

// endsSentence reports whether s ends in a sentence's or a clause's last mark.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]")
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;…。！？", last)
}

// marker reports whether s begins with the mark of a list item: a bullet, or a
// short number or letter with a dot or parentheses, and then a blank.
func marker(s string) bool {
	mark, rest, ok := strings.Cut(s, " ")
	if !ok || strings.TrimSpace(rest) == "" {
		return ok && isBullet(mark)
	}
	if isBullet(mark) {
		return true
	}
	body := strings.TrimPrefix(mark, "(")
	trimmed := strings.TrimRight(body, ".)")
	if trimmed == body || len(body)-len(trimmed) > 1 || trimmed == "" {
		return false
	}
	return numbering(trimmed)
}

// isBullet reports whether s is nothing but the sign of a list item.
func isBullet(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	if n != len(s) || n == 0 {
		return false
	}
	// Symbol fonts have their bullets in the private use area.
	return strings.ContainsRune("•‣⁃∙▪▫◦●○■□–—-*·➢➤✓❖", r) || 0xf000 <= r && r <= 0xf0ff
}

// numbering reports whether s is a number of up to three digits, perhaps with
// parts, or a single letter, or a small roman number.
func numbering(s string) bool {
	if len(s) == 1 && unicode.IsLetter(rune(s[0])) {
		return true
	}
	digits := 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case r == '.' && digits > 0:
		default:
			return strings.Trim(s, "ivx") == "" && len(s) <= 4
		}
	}
	return digits <= 3
}
