package chunk

import (
	"seam/shared/breakpoint"
	"seam/shared/markup"
	"seam/shared/text"
)

// sections makes a chunk of each section. It uses Input.Sections, otherwise the text below
// each Markdown or underlined heading, otherwise paragraphs. A heading without text goes
// with the next section. It needs Sentences, because a section that is too long is divided
// at their ends.
func sections() Method {
	return Method{Name: "sections", Label: "Sections", View: text.Reading, Sentences: Sentenced, TakeMin: true, Chunker: direct(sectioned),
		Help: "Makes one chunk per section: the text under a heading, or a paragraph if there are no headings."}
}

func sectionsWords() Words {
	return Words{Group: Structure, Words: breakpoint.Words{Good: "manuals, laws and documentation with reliable headings.",
		German: breakpoint.German{Label: "Gliederung",
			Help: "Macht einen Abschnitt aus dem Text unter jeder Überschrift oder, ohne Überschriften, aus jedem Absatz.",
			Good: "Anleitungen, Gesetze und Dokumentation mit verlässlichen Überschriften."}}}
}

func sectioned(in Input, limits Limits) ([]Chunk, error) {
	t := in.View.Text
	blocks := markup.Blocks(t)
	found := headings(in, blocks)
	if len(found) == 0 {
		return atEdges(in, paragraphs(t, blocks), ReasonParagraph, limits)
	}
	var edges []int
	for i, h := range found {
		if i > 0 && skipBlank(t, found[i-1].End) >= h.Start {
			continue
		}
		edges = append(edges, h.Start)
	}
	return atEdges(in, edges, ReasonHeading, limits)
}

// pages makes a chunk of each page. It needs Sentences for the same reason as sections. A
// sentence that crosses the end of a page is cut there.
func pages() Method {
	return Method{Name: "page", Label: "Pages", View: text.Reading, Sentences: Sentenced, TakeMin: true, Chunker: direct(paged),
		Help: "Makes one chunk per page."}
}

func pagesWords() Words {
	return Words{Group: Structure, Words: breakpoint.Words{Good: "slides and forms, and answers that must name a page.",
		German: breakpoint.German{Label: "Seiten",
			Help: "Macht aus jeder Seite einen Abschnitt.",
			Good: "Folien und Formulare, und Antworten, die eine Seite nennen müssen."}}}
}

func paged(in Input, limits Limits) ([]Chunk, error) {
	var edges []int
	runs := in.View.Runs
	for i := 1; i < len(runs); i++ {
		if runs[i].Page != runs[i-1].Page {
			edges = append(edges, runs[i].Start)
		}
	}
	return atEdges(in, edges, ReasonPage, limits)
}

// sentences makes a chunk of each sentence. A minimum joins short ones.
func sentences() Method {
	return Method{Name: "sentences", Label: "Sentences", View: text.Reading, Sentences: Sentenced, TakeMin: true, Overlap: true, Chunker: direct(single),
		Help: "Makes one chunk per sentence; a minimum joins short ones."}
}

func sentencesWords() Words {
	return Words{Group: Structure, Last: true, Words: breakpoint.Words{Good: "a very fine search; with a minimum, small groups of sentences.",
		German: breakpoint.German{Label: "Sätze",
			Help: "Macht aus jedem Satz einen Abschnitt; ein Minimum verbindet kurze.",
			Good: "eine sehr feine Suche; mit einem Minimum kleine Gruppen von Sätzen."}}}
}

func single(in Input, limits Limits) ([]Chunk, error) {
	ends := make([]boundary, max(0, len(in.Sentences)-1))
	for i := range ends {
		ends[i] = boundary{i, Reason{Kind: ReasonSentence}}
	}
	return atBoundaries(in, ends, limits)
}

// atEdges makes chunks of sentences that end at edges, which must ascend. A sentence that
// crosses an edge is cut there.
func atEdges(in Input, edges []int, kind Kind, limits Limits) ([]Chunk, error) {
	t := in.View.Text
	var parts []text.Span
	var ends []boundary
	add := func(start, end int) {
		if end = start + trimmed(t[start:end], end-start); start < end {
			parts = append(parts, text.Span{Start: start, End: end})
		}
	}
	for _, s := range in.Sentences {
		for len(edges) > 0 && edges[0] < s.End {
			if edges[0] > s.Start {
				add(s.Start, edges[0])
				s.Start = min(s.End, skipBlank(t, edges[0]))
			}
			if n := len(parts) - 1; n >= 0 && (len(ends) == 0 || ends[len(ends)-1].after < n) {
				reason := Reason{Kind: kind}
				if kind == ReasonHeading {
					reason.Name = titleAt(t, edges[0])
				}
				ends = append(ends, boundary{n, reason})
			}
			edges = edges[1:]
		}
		add(s.Start, s.End)
	}
	in.Sentences, in.Similarities = parts, nil
	return atBoundaries(in, ends, limits)
}

// heading is the span of a heading, including its underline, and its level from 1.
type heading struct {
	text.Span
	level int
}

// headings returns the document's headings, or the ones marked in its text if it has none.
func headings(in Input, blocks []markup.Block) (out []heading) {
	t := in.View.Text
	for _, s := range in.Sections {
		if s.Start >= 0 && s.Start < len(t) {
			out = append(out, heading{text.Span{Start: s.Start, End: markup.HeadingEnd(t, s.Start)}, max(1, s.Level)})
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, b := range blocks {
		if b.Kind == markup.Heading {
			out = append(out, heading{b.Span, b.Level})
		}
	}
	return out
}

// paragraphs returns the start of each block that follows a blank line.
func paragraphs(t string, blocks []markup.Block) (out []int) {
	for i, b := range blocks {
		if i > 0 && lineEnds(t[blocks[i-1].End:b.Start]) > 1 {
			out = append(out, b.Start)
		}
	}
	return out
}
