package chunk

import (
	"slices"
	"strings"

	"seam/shared/markup"
	"seam/shared/text"
)

// Costs of a cut in code, which other methods than recursive make only if a listing is
// longer than the maximum.
const (
	blankLineCost = 10.0 // after a blank line, before a line that is not indented
	lineCost      = 30.0 // before a line that is indented less than the one before it, or alike
	bodyCost      = 60.0 // before a line that is indented more
	midLineCost   = 200.0
)

// code are the listings of a text: Markdown's fenced blocks, and the listings that a reader
// found.
type code struct {
	t     string
	spans []text.Span // ascending, not overlapping
}

// CodeLines returns sentences in which each line of code is one. sentences are the ones of t by
// package sentence, which knows no code. listings are as in Input.
func CodeLines(t string, listings, sentences []text.Span) []text.Span {
	c := codeIn(t, listings, fenced(t))
	if len(c.spans) == 0 {
		return sentences
	}
	out := make([]text.Span, 0, len(sentences)+len(sentences)/4)
	for _, s := range sentences {
		out = c.lines(out, s)
	}
	return out
}

// lines appends s to out, in parts if it has lines of code. A part that begins inside a line
// of code belongs to the sentence before it.
func (c *code) lines(out []text.Span, s text.Span) []text.Span {
	if listing, in := c.at(s.Start); in && len(out) > 0 && out[len(out)-1].End > listing.Start && !strings.Contains(c.t[out[len(out)-1].End:s.Start], "\n") {
		s.Start = out[len(out)-1].Start
		out = out[:len(out)-1]
	}
	from := s.Start
	for at := s.Start; at < s.End; {
		n := strings.IndexByte(c.t[at:s.End], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		if _, in := c.at(at); !in {
			continue
		}
		if end := from + trimmed(c.t[from:at], at-from); end > from {
			out = append(out, text.Span{Start: from, End: end})
		}
		from = skipBlank(c.t, at)
		at = max(at, min(from, s.End))
	}
	if from < s.End {
		out = append(out, text.Span{Start: from, End: s.End})
	}
	return out
}

// codeOf returns the code of in. blocks are the blocks of its text.
func codeOf(in Input, blocks []markup.Block) code {
	return codeIn(in.View.Text, in.Listings, blocks)
}

func codeIn(t string, listings []text.Span, blocks []markup.Block) code {
	c := code{t: t}
	for _, b := range blocks {
		if b.Kind == markup.Code {
			c.spans = append(c.spans, b.Span)
		}
	}
	c.spans = append(c.spans, listings...)
	slices.SortStableFunc(c.spans, func(a, b text.Span) int { return a.Start - b.Start })
	end := 0
	c.spans = slices.DeleteFunc(c.spans, func(s text.Span) bool {
		if s.Start < end {
			return true
		}
		end = s.End
		return false
	})
	return c
}

// at returns the listing that contains byte i.
func (c *code) at(i int) (s text.Span, ok bool) {
	n, _ := slices.BinarySearchFunc(c.spans, i, func(s text.Span, i int) int { return s.End - i - 1 })
	if n == len(c.spans) || c.spans[n].Start > i {
		return text.Span{}, false
	}
	return c.spans[n], true
}

// cost returns the cost of a cut between two sentences, which is 0 outside code.
func (c *code) cost(a, b text.Span) float64 {
	if len(c.spans) == 0 {
		return 0
	}
	s, in := c.at(b.Start)
	if !in || a.End <= s.Start {
		return 0
	}
	return lineCostAt(c.t[s.Start:s.End], b.Start-s.Start)
}

// lineCostAt returns the cost of a cut in a listing before byte i, where a line begins after
// its indentation, or the cost of one inside a line.
func lineCostAt(t string, i int) float64 {
	start := strings.LastIndexByte(t[:i], '\n') + 1
	if strings.TrimLeft(t[start:i], " \t") != "" {
		return midLineCost
	}
	before := strings.TrimRight(t[:start], " \t\r\n")
	indent, above := columns(t[start:i]), indentation(before)
	switch blank := strings.Count(t[len(before):start], "\n") > 1; {
	case blank && indent == 0:
		return blankLineCost
	case blank && indent <= above:
		return (blankLineCost + lineCost) / 2
	case indent <= above:
		return lineCost
	}
	return bodyCost
}

// indentation returns the indentation of the last line of t, in columns.
func indentation(t string) int {
	line := t[strings.LastIndexByte(t, '\n')+1:]
	return columns(line[:len(line)-len(strings.TrimLeft(line, " \t"))])
}

// columns returns the width of white space. A tab has the width of four spaces.
func columns(blank string) int { return len(blank) + 3*strings.Count(blank, "\t") }

// lastLine returns the best line end in t, a part of a listing: the cheapest one in its last
// two thirds, the last one among equals, or otherwise the last line end. It returns 0 if t
// has no line end after text.
func lastLine(t, rest string) int {
	best, cost := 0, 0.0
	whole := t + rest[:min(len(rest), maxColumns)]
	for i := strings.IndexByte(t, '\n'); i >= 0 && i < len(t); {
		next := i + 1
		if line := strings.TrimLeft(whole[next:], " \t"); line != "" && line[0] != '\n' && line[0] != '\r' && strings.TrimSpace(t[:i]) != "" {
			c := lineCostAt(whole, len(whole)-len(line))
			if best == 0 || best < len(t)/3 || c <= cost {
				best, cost = next, c
			}
		}
		if i = strings.IndexByte(t[next:], '\n'); i >= 0 {
			i += next
		}
	}
	return best
}

// maxColumns is the maximum indentation that is compared, in bytes.
const maxColumns = 256

// HasCode reports whether t has code. listings are as in Input.
func HasCode(t string, listings []text.Span) bool {
	return len(listings) > 0 || slices.ContainsFunc(fenced(t), func(b markup.Block) bool { return b.Kind == markup.Code })
}

// fenced returns the blocks of t, or nil for a text without a fence, as most are.
func fenced(t string) []markup.Block {
	if !strings.Contains(t, "```") && !strings.Contains(t, "~~~") {
		return nil
	}
	return markup.Blocks(t)
}
