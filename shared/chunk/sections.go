package chunk

import (
	"strings"

	"seam/shared/text"
)

// sections makes a chunk of each section: of Input.Sections, or where there are
// none of what stands below each Markdown or underlined heading, or where there
// is none either of each paragraph. A heading without a text of its own goes
// with the next one. Needs Sentences, at whose ends a section that is too long
// is divided.
func sections() Method {
	return Method{Name: "sections", Label: "Sections", View: text.Reading, Sentences: Sentenced, TakeMin: true, Chunker: direct(sectioned),
		Help: "Makes a chunk of each section: what stands below a heading, or a paragraph where there are no headings."}
}

func sectioned(in Input, limits Limits) ([]Chunk, error) {
	t, kind := in.View.Text, ReasonHeading
	var found []heading
	for _, s := range in.Sections {
		if s.Start >= 0 && s.Start < len(t) {
			found = append(found, heading{s.Start, s.Start + lineLen(t[s.Start:])})
		}
	}
	var edges, paragraphs []int
	if len(found) == 0 {
		found, paragraphs = outline(t)
	}
	for i, h := range found {
		if i > 0 && skipBlank(t, found[i-1].end) >= h.start {
			continue
		}
		edges = append(edges, h.start)
	}
	if len(found) == 0 {
		edges, kind = paragraphs, ReasonParagraph
	}
	return atEdges(in, edges, kind, limits)
}

// pages makes a chunk of each page. Needs Sentences, as sections does; where one
// goes over the end of a page it is cut.
func pages() Method {
	return Method{Name: "page", Label: "Pages", View: text.Reading, Sentences: Sentenced, TakeMin: true, Chunker: direct(paged),
		Help: "Makes a chunk of each page."}
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

// sentences makes a chunk of each sentence; a minimum joins them.
func sentences() Method {
	return Method{Name: "sentences", Label: "Sentences", View: text.Reading, Sentences: Sentenced, TakeMin: true, Overlap: true, Chunker: direct(single),
		Help: "Makes a chunk of each sentence; a minimum joins short ones."}
}

func single(in Input, limits Limits) ([]Chunk, error) {
	ends := make([]boundary, max(0, len(in.Sentences)-1))
	for i := range ends {
		ends[i] = boundary{i, Reason{Kind: ReasonSentence}}
	}
	return atBoundaries(in, ends, limits)
}

// atEdges makes chunks of sentences that end at edges, which ascend. A sentence
// around an edge is cut there.
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

// heading is where one begins and where its line, or its underlining, ends.
type heading struct{ start, end int }

// outline finds the headings of a text that is written as Markdown has them,
// "# Title", or a line alone above one of "=" or "-", or as a wiki has them,
// "== Title ==". What stands between fences is none. It also tells where
// paragraphs begin.
func outline(t string) (out []heading, paragraphs []int) {
	var title heading // the line before
	lines := 0        // of the paragraph so far
	fenced, apart := false, false
	for at := 0; at < len(t); {
		end := at + lineLen(t[at:])
		line := strings.TrimSpace(t[at:end])
		switch {
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			fenced, lines = !fenced, 0
		case fenced || line == "":
			lines = 0
		case hashes(line) || wikiHeading(line) > 0:
			out, lines = append(out, heading{at, end}), 0
		case lines == 1 && underline(line):
			out, lines = append(out, heading{title.start, end}), 0
		default:
			title, lines = heading{at, end}, lines+1
		}
		if line == "" {
			apart = true
		} else if apart {
			paragraphs, apart = append(paragraphs, at), false
		}
		at = end + lineEnd(t[end:])
	}
	return out, paragraphs
}

// hashes reports whether a line is one to six "#", a blank and a title.
func hashes(line string) bool {
	title := strings.TrimLeft(line, "#")
	n := len(line) - len(title)
	return 1 <= n && n <= 6 && title != strings.TrimSpace(title)
}

// wikiHeading is the level of a heading of a wiki, 0 for another line.
func wikiHeading(line string) int {
	title := strings.TrimLeft(line, "=")
	n := len(line) - len(title)
	if rest, ok := strings.CutSuffix(title, line[:n]); !ok || n == 0 || n > 6 || strings.TrimSpace(rest) == "" || strings.HasSuffix(rest, "=") {
		return 0
	}
	return n
}

func underline(line string) bool {
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// lineLen is the length of the first line of t without what ends it.
func lineLen(t string) int {
	if i := strings.IndexAny(t, "\r\n\f"); i >= 0 {
		return i
	}
	return len(t)
}

// lineEnd is the length of what ends a line at the beginning of t.
func lineEnd(t string) int {
	if strings.HasPrefix(t, "\r\n") {
		return 2
	}
	return min(1, len(t))
}
