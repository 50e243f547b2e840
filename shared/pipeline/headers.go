package pipeline

import (
	"path"
	"slices"
	"strings"

	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/token"
)

// titles are those of what a span is of, the outermost first: of the
// document, or else its first heading or the name of its file, and of its
// sections. None twice in a row.
func titles(d *text.Document, view text.ViewName, span text.Span) (out []string) {
	first := d.Title
	if first == "" && len(d.Sections) > 0 {
		first = d.Sections[0].Title
	}
	if first == "" {
		first = strings.TrimSuffix(path.Base(d.Name), path.Ext(d.Name))
	}
	for _, t := range append([]string{first}, d.SectionTitles(view, span)...) {
		t = strings.Join(strings.Fields(t), " ")
		if t != "" && t != "-" && t != "." && (len(out) == 0 || out[len(out)-1] != t) {
			out = append(out, t)
		}
	}
	return out
}

// Titles are those of what a chunk is of, the outermost first, as a header of any length
// has them: of the document and of its sections. "" where there are none.
func (r *Result) Titles(i int) string {
	return strings.Join(titles(r.Document, r.Plan.View, r.Chunks[i].Span), between)
}

// header is the longest of titles that fits: all, or without the outermost, or none.
func header(titles []string, fits func(string) bool) string {
	for i := range titles {
		h := strings.Join(titles[i:], between)
		if i > 0 {
			h = "…" + between + h
		}
		if fits(h) {
			return h
		}
	}
	return ""
}

// withoutHeaders are the limits of a plan less the room for the longest header of the
// document, which takes half of the maximum at most.
func withoutHeaders(d *text.Document, p Plan, counter token.Counter) Limits {
	l := p.Limits
	if !p.Headers || l.Max == 0 {
		return l
	}
	longest := 0
	measure := func(at int) {
		h := header(titles(d, p.View, text.Span{Start: at, End: at}), func(h string) bool { return counter.Count(h) <= p.Limits.Max/2 })
		if h != "" {
			longest = max(longest, counter.Count(h+"\n"))
		}
	}
	measure(-1)
	for _, section := range d.Sections {
		measure(section.Start)
	}
	l.Max = max(1, l.Max-longest)
	l.Min = min(l.Min, l.Max)
	l.Overlap = min(l.Overlap, l.Max-1)
	return l
}

// addHeaders gives the chunks their headers. A chunk's length is then that of both
// together, and keeps the maximum: a header that is too long for that, or longer
// than half of it, loses its outer titles, or is left out.
func (r *Result) addHeaders(counter token.Counter, progress func(done, total int) error) error {
	if !r.Plan.Headers {
		return nil
	}
	most := r.Plan.Limits.Max
	r.Chunks = slices.Clone(r.Chunks)
	r.Headers = make([]string, len(r.Chunks))
	for i := range r.Chunks {
		if err := progress(i, len(r.Chunks)); err != nil {
			return err
		}
		r.Headers[i] = r.headerFor(&r.Chunks[i], most, counter)
	}
	return nil
}

// headerFor is the header of a chunk, whose length it changes.
func (r *Result) headerFor(c *chunk.Chunk, most int, counter token.Counter) string {
	t := c.Of(r.Text.Text)
	// What a hand has made longer than the method's own size is no matter of the header.
	free := most == 0 || c.Tokens > most && !r.Plan.Limits.Asked
	return header(titles(r.Document, r.Plan.View, c.Span), func(h string) bool {
		if most > 0 && counter.Count(h) > most/2 {
			return false
		}
		n := counter.Count(h + "\n" + t)
		if free || n <= most {
			c.Tokens = n
			return true
		}
		return false
	})
}
