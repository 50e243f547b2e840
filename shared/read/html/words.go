package html

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"seam/shared/text"
)

// item begins a list item, which may specify its number.
func (r *reader) item(number string) {
	r.before, r.skipped = "• ", 0
	if n := len(r.lists); n > 0 {
		r.lists[n-1].item++
		r.lists[n-1].some = true
		if k, err := strconv.ParseInt(number, 10, 32); err == nil {
			r.lists[n-1].item = int(k)
		}
		if r.lists[n-1].ordered {
			r.before = fmt.Sprintf("%d. ", r.lists[n-1].item)
		}
	}
}

func (r *reader) cell() {
	if r.cells++; r.cells > 1 {
		r.skipped++
		r.blank = false
	}
}

// picture writes the description of a picture, which is a word of its own.
func (r *reader) picture(description string) {
	apart := r.depth[atom.Pre] == 0
	r.blank = r.blank || apart
	r.marking.startInLine(text.Image)
	r.text(oneLine(description))
	r.marking.endInLine(text.Image)
	r.blank = r.blank || apart
}

// breakBefore requests n line ends before the next word.
func (r *reader) breakBefore(n int) {
	r.want, r.blank = max(r.want, n), false
	if n > 0 {
		r.marking.cut(0)
	}
}

// text adds the text between two tags.
func (r *reader) text(s string) {
	switch {
	case r.skip != "":
		return
	case r.math != nil:
		r.math.text(s)
		return
	case r.depth[atom.Title] > 0:
		if r.depth[atom.Body] == 0 {
			r.title.WriteString(s)
		}
		return
	case r.depth[atom.Head] > 0 && r.depth[atom.Body] == 0 || r.outside():
		return
	}
	if r.depth[atom.Pre] > 0 {
		r.verbatim(s)
		return
	}
	for s != "" {
		end, blank, ascii := untilBlank(s)
		word := s[:end]
		if !ascii {
			word = unseen.Replace(word)
		}
		if word != "" {
			r.word(word)
		}
		if blank > 0 {
			r.blank = true
		}
		s = s[end+blank:]
	}
}

// untilBlank returns the index of the first white space in s or its length, the number of
// bytes of that white space, and whether only ASCII comes before it.
func untilBlank(s string) (end, blank int, ascii bool) {
	ascii = true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			if strings.HasPrefix(s[i:], "\u00a0") {
				return i, len("\u00a0"), ascii
			}
			ascii = false
		case c <= ' ' && isBlank(c):
			return i, 1, ascii
		}
	}
	return len(s), 0, ascii
}

// isBlank reports whether c is white space in HTML. untilBlank also treats the no-break
// space, U+00A0, as white space.
func isBlank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// unseen removes characters that mark possible breaks in a word.
var unseen = strings.NewReplacer("\u00ad", "", "\u200b", "", "\ufeff", "")

// word writes a word, preceded by the space or line ends that are due.
func (r *reader) word(s string) {
	if r.out.Len() > 0 {
		if n := max(min(r.want, 2), r.lines); n > 0 {
			for range n {
				r.out.WriteByte('\n')
			}
		} else if r.blank && r.skipped == 0 {
			r.out.WriteByte(' ')
		}
	}
	marks := r.out.Len()
	r.out.WriteString(r.before)
	for range r.skipped {
		r.out.WriteString(" | ")
	}
	r.want, r.lines, r.blank, r.before, r.skipped = 0, 0, false, "", 0
	r.marking.word(marks, r.out.Len())
	r.links.word(r.out.Len())
	if r.level > 0 && r.begun < 0 {
		r.begun = r.out.Len()
	}
	if len(r.due) > 0 {
		r.reach()
	}
	r.out.WriteString(s)
	r.marking.end = r.out.Len()
}

// lineEnds normalizes line ends in <pre>.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n")

// verbatim writes a text with its spaces and line ends. Form feeds, which would begin
// pages, become line ends.
func (r *reader) verbatim(s string) {
	if strings.ContainsAny(s, "\r\f") {
		s = lineEnds.Replace(s)
	}
	if r.fresh {
		s = strings.TrimPrefix(s, "\n") // HTML drops the first line end in <pre>
	}
	rest := strings.TrimRight(s, "\n")
	if rest != "" {
		r.word(rest)
		r.fresh = false
	}
	if !r.fresh {
		r.lines += len(s) - len(rest)
	}
}

// endHeading records the open heading.
func (r *reader) endHeading() {
	if r.level > 0 && r.begun >= 0 {
		if title := oneLine(r.out.String()[r.begun:]); title != "" {
			r.headings = append(r.headings, heading{title, r.level, text.Span{Start: r.begun, End: r.out.Len()}})
		}
	}
	r.level = 0
}

// sections returns the headings as sections, each with the text below it.
func (r *reader) sections() []text.Section {
	out := make([]text.Section, len(r.headings))
	for i, h := range r.headings {
		out[i] = text.Section{Title: h.title, Level: h.level, Span: h.Span}
	}
	return text.EndSections(out, r.out.Len())
}
