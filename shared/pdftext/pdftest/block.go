package pdftest

import "strings"

// Block is an area in which text is set line by line.
type Block struct {
	X, Y    float64 // left end and baseline of the next line
	Width   float64
	Size    float64
	Font    string
	Leading float64 // distance of lines in font sizes; 1.2 if zero
	Indent  float64 // of the first line of each paragraph
	Hang    float64 // of the lines after it
	After   float64 // extra space after each paragraph
}

// Set breaks paragraphs into lines, returns these and advances b.Y. A "\n" in a paragraph
// is a line break.
func (b *Block) Set(paragraphs ...string) (texts []Text) {
	leading := b.Leading
	if leading == 0 {
		leading = 1.2
	}
	for _, p := range paragraphs {
		in := b.Indent
		for part := range strings.SplitSeq(p, "\n") {
			for part != "" {
				line := wrap(part, b.face(), b.Size, b.Width-in)[0]
				part = strings.TrimPrefix(part, line)
				texts = append(texts, Text{X: b.X + in, Y: b.Y, Size: b.Size, Font: b.Font, S: line})
				b.Y -= leading * b.Size
				in = b.Hang
			}
		}
		b.Y -= b.After
	}
	return texts
}

func (b *Block) face() string {
	if b.Font == "" {
		return "Helvetica"
	}
	return b.Font
}

// Row sets cells on one line, each at its own place, and advances b.Y.
func (b *Block) Row(at []float64, cells ...string) (texts []Text) {
	for i, c := range cells {
		if c != "" {
			texts = append(texts, Text{X: at[i], Y: b.Y, Size: b.Size, Font: b.Font, S: c})
		}
	}
	b.Y -= max(b.Leading, 1.2) * b.Size
	return texts
}

// Rows is Row for several lines.
func (b *Block) Rows(at []float64, rows ...[]string) (texts []Text) {
	for _, cells := range rows {
		texts = append(texts, b.Row(at, cells...)...)
	}
	return texts
}
