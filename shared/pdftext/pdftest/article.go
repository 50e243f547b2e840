package pdftest

import (
	"strings"

	"seam/shared/pdftext/font"
)

// Measures of an article in points: A4 with margins of an inch.
const (
	bodySize     = 11
	linePitch    = 1.3 // in font sizes
	paragraphGap = 8   // extra space between paragraphs
	margin       = 72
	pageWidth    = 595
	pageHeight   = 842
)

// Article lays out a report like a word processor, on as many pages as needed. A paragraph
// that begins with "# " or "## " is a heading, and one that begins with "- " is a list
// item. A paragraph "\f" ends the page. Wrapped lines end in a space.
func Article(paragraphs ...string) []byte {
	return Write(Doc{Title: "Article", Pages: Layout(paragraphs...), Compress: true})
}

// Layout returns the pages of an Article.
func Layout(paragraphs ...string) []Page {
	l := &layouter{y: pageHeight - margin}
	for _, p := range paragraphs {
		if p == "\f" {
			l.endPage()
		} else {
			l.paragraph(p)
		}
	}
	l.endPage()
	return l.pages
}

// layouter fills pages from top to bottom.
type layouter struct {
	pages []Page
	texts []Text
	y     float64 // of the last baseline
}

func (l *layouter) endPage() {
	l.pages = append(l.pages, Page{Width: pageWidth, Height: pageHeight, Texts: l.texts})
	l.texts, l.y = nil, pageHeight-margin
}

func (l *layouter) paragraph(s string) {
	face, size, x := "Helvetica", float64(bodySize), float64(margin)
	before, first := float64(paragraphGap), ""
	switch {
	case strings.HasPrefix(s, "# "):
		face, size, before, s = "Helvetica-Bold", 18, 16, s[2:]
	case strings.HasPrefix(s, "## "):
		face, size, before, s = "Helvetica-Bold", 14, 12, s[3:]
	case strings.HasPrefix(s, "- "):
		x, before, first, s = margin+12, 0, "• ", s[2:]
	}
	l.y -= before
	for i, line := range wrap(first+s, face, size, pageWidth-margin-x) {
		if l.y -= linePitch * size; l.y < margin {
			l.endPage()
			l.y -= linePitch * size
		}
		at := x
		if i > 0 && first != "" {
			at += 8 // items have a hanging indent
		}
		l.texts = append(l.texts, Text{X: at, Y: l.y, Size: size, Font: face, S: line})
	}
}

// wrap divides s into lines of at most the given width. All except the last end in a space.
func wrap(s, face string, size, width float64) (lines []string) {
	line, used := "", 0.0
	for word := range strings.FieldsSeq(s) {
		w := textWidth(word, face) * size
		if line != "" && used+w > width {
			lines, line, used = append(lines, line), "", 0
		}
		line += word + " "
		used += w + textWidth(" ", face)*size
	}
	return append(lines, strings.TrimSuffix(line, " "))
}

// textWidth returns the width of s in ems.
func textWidth(s, face string) (w float64) {
	for _, r := range s {
		w += font.CoreWidth(face, r)
	}
	return w
}

// Paragraphs is an article about four topics, written for these tests. Headings begin with
// "# ".
var Paragraphs = []string{
	"# Four things that turn",
	"A windmill turns its cap into the wind. The sails drive a shaft of oak. The shaft drives the stones, and the stones grind the corn. On a calm day the miller waits and sharpens his stones.",
	"When the wind blows too hard, the miller takes cloth from the sails. Sails that run away can set a mill on fire. Many mills burned in this way.",
	"# Lathes",
	"A lathe turns the work and holds the tool still. The turner presses a chisel against spinning wood. Shavings fly from the chisel in long curls. Hard wood takes a better polish than soft wood, which tears.",
	"Metal is turned more slowly than wood. Oil cools the tool and carries the chips away.",
	"# Planets",
	"A planet turns around its star and around its own axis. Our day is one turn of the axis. The year is one turn around the sun. Venus turns backwards, and so slowly that its day outlasts its year.",
	"The moon always shows us the same face. Its turn around itself takes as long as its turn around us: tides have locked the two together.",
	"# Dancers",
	"A dancer turns on one foot with the arms drawn in. Drawn in, the arms make the turn faster; spread, they slow it down. The eyes stay on one spot of the hall for as long as they can. Then the head whips around and finds the spot again.",
	"A whole company that turns in step needs years of practice, good music and a floor without splinters.",
}
