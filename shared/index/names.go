package index

import (
	"strings"

	"seam/shared/text"
)

// mostParts is the maximum number of parts of a name. Longer ones are not names.
const mostParts = 12

// end adds the current word. With parts, it may be a name of several words, or have other
// spellings.
func (w *wordReader) end(at text.Span, parts bool) {
	form := w.buf
	if n := len(form); n > 1 && form[n-1] == '_' || n > 0 && form[0] == '_' {
		form = []byte(strings.Trim(string(form), "_"))
	}
	if len(form) == 0 {
		return
	}
	w.add(form, at, false)
	if w.signed {
		w.signed = false
		w.add([]byte(signs.Replace(string(form))), at, true)
	}
	if !parts {
		return
	}
	all := w.partsOf(at)
	for _, p := range all {
		if p.Len() <= longestWord && p != at {
			w.add([]byte(strings.ToLower(p.Of(w.s))), p, false)
		}
		w.variants(p)
	}
	for i := 1; i < len(all)-1; i++ {
		end := text.Span{Start: all[i].Start, End: all[len(all)-1].End}
		if end.Len() <= longestWord {
			w.add([]byte(strings.ToLower(strings.ReplaceAll(end.Of(w.s), "_", ""))), end, true)
		}
	}
}

// signs are the spellings of C++ and C# without signs.
var signs = strings.NewReplacer("++", "pp", "#", "sharp")

// partsOf returns the words of a name: the name itself if it has only one, and none if it
// has too many. A word begins after "_", at a capital letter after a small one or before a
// small one (HTTPServer), and at a capital letter between a digit and a small letter
// (OAuth2Client). A single small letter belongs to the word after it (iOSBuild).
func (w *wordReader) partsOf(at text.Span) (all []text.Span) {
	start := at.Start
	for i := at.Start; i <= at.End; i++ {
		if i < at.End && w.s[i] != '_' && !w.begins(start, i, at) {
			continue
		}
		if i > start {
			all = append(all, text.Span{Start: start, End: i})
		}
		if start = i; i < at.End && w.s[i] == '_' {
			start++
		}
	}
	if len(all) > mostParts {
		return nil
	}
	return all
}

// begins reports whether a word of the name at the given place begins at byte i, if the word
// before it begins at start.
func (w *wordReader) begins(start, i int, at text.Span) bool {
	if i == start || classOf(w.s[i]) != upper {
		return false
	}
	small := i+1 < at.End && classOf(w.s[i+1]) == lower
	switch classOf(w.s[i-1]) {
	case lower:
		return i-start > 1
	case upper:
		return small && i-start > 1 && classOf(w.s[i-2]) == upper
	case digit:
		return small
	}
	return false
}

func classOf(c byte) byte { return ascii[c&0x7f] }

// variants adds other spellings of a word of ASCII: for letters with a number both of them
// (RFC9110: "rfc", "9110"), for a version the version without its letter and its first two
// numbers (v2.14.3: "2.14.3", "2.14"). A single letter or digit is not added.
func (w *wordReader) variants(at text.Span) {
	t := strings.ToLower(at.Of(w.s))
	number := strings.TrimLeft(t, "abcdefghijklmnopqrstuvwxyz")
	n := len(t) - len(number)
	if number == "" || len(t) > longestWord || strings.ContainsFunc(number, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		return
	}
	if n > 1 {
		w.add([]byte(t[:n]), text.Span{Start: at.Start, End: at.Start + n}, true)
	}
	rest := text.Span{Start: at.Start + n, End: at.End}
	if n > 0 && len(number) > 1 {
		w.add([]byte(number), rest, true)
	}
	if first, after, ok := strings.Cut(number, "."); ok {
		if second, _, more := strings.Cut(after, "."); more {
			w.add([]byte(first+"."+second), rest, true)
		}
	}
}
