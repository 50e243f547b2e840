package markup

import (
	"strings"

	"seam/shared/text"
)

// rawBlocks are the HTML blocks whose lines are no Markdown, by their beginning, with the
// end that a line of theirs has: CommonMark 0.31, section 4.6, start conditions 1 to 5.
var rawBlocks = []struct{ start, end string }{
	{"<!--", "-->"},
	{"<script", "</script>"},
	{"<pre", "</pre>"},
	{"<style", "</style>"},
	{"<textarea", "</textarea>"},
	{"<?", "?>"},
	{"<![cdata[", "]]>"},
}

// rawEnd returns the end of the HTML block that begins with a line, or "" if none begins or
// the text does not have its end.
func (r *reader) rawEnd(s text.Span) string {
	line := s.Of(r.t)
	if line[0] != '<' || r.isCode(s.Start) {
		return ""
	}
	for _, b := range rawBlocks {
		if len(line) < len(b.start) || !strings.EqualFold(line[:len(b.start)], b.start) {
			continue
		}
		if c := b.start[len(b.start)-1]; 'a' <= c && c <= 'z' && len(line) > len(b.start) && !strings.ContainsRune(" \t>", rune(line[len(b.start)])) {
			continue // another tag
		}
		if r.never[b.end] {
			return ""
		}
		if !containsFold(r.t[s.Start:], b.end) {
			if r.never == nil {
				r.never = map[string]bool{}
			}
			r.never[b.end] = true // asked once, so that time is linear
			return ""
		}
		return b.end
	}
	return ""
}

// closeRaw ends the open HTML block if the line has its end.
func (r *reader) closeRaw(line string) {
	if containsFold(line, r.raw) {
		r.raw, r.open = "", false
	}
}

// containsFold reports whether s contains part, which has no upper case letters.
func containsFold(s, part string) bool {
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], part[0])
		if n < 0 {
			return false
		}
		if i += n; len(s)-i >= len(part) && strings.EqualFold(s[i:i+len(part)], part) {
			return true
		}
	}
}
