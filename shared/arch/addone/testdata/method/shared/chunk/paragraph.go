package chunk

import (
	"seam/shared/breakpoint"
	"seam/shared/markup"
	"seam/shared/text"
)

// paragraph makes a chunk of each paragraph. Needs Sentences, at whose ends a paragraph that
// is too long is divided.
func paragraph() Method {
	return Method{Name: "paragraph", Label: "Paragraphs", View: text.Reading, Sentences: Sentenced, TakeMin: true, Chunker: direct(paragraphed),
		Help: "Makes a chunk of each paragraph."}
}

func paragraphWords() Words {
	return Words{Group: Structure, Words: breakpoint.Words{Good: "letters and essays, whose paragraphs are one thought each.",
		German: breakpoint.German{Label: "Absätze",
			Help: "Macht aus jedem Absatz einen Abschnitt.",
			Good: "Briefe und Aufsätze, deren Absätze je ein Gedanke sind."}}}
}

func paragraphed(in Input, limits Limits) ([]Chunk, error) {
	t := in.View.Text
	return atEdges(in, paragraphs(t, markup.Blocks(t)), ReasonParagraph, limits)
}
