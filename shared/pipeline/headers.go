package pipeline

import (
	"path"
	"slices"
	"strings"

	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/token"
)

// titles returns the titles that a span belongs to, outermost first: the document's title,
// followed by its sections. If the document has no title, its first heading or its file
// name takes that place. It drops immediate repetitions,
// also of the first of two sections ("A – B") that the span belongs to.
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
		switch last := len(out) - 1; {
		case t == "" || t == "-" || t == "." || last >= 0 && out[last] == t:
		case last >= 0 && strings.HasPrefix(t, out[last]+" – "):
			out[last] = t
		default:
			out = append(out, t)
		}
	}
	return out
}

// Titles returns the titles of chunk i joined as in a header, outermost first: the document
// and its sections. It has no length limit. It returns "" if there are none.
func (r *Result) Titles(i int) string {
	return strings.Join(titles(r.Document, r.Plan.View, r.Chunks[i].Span), between)
}

// header returns the longest header that fits. It drops outer titles first, and returns ""
// if none fits.
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

// withoutHeaders returns the limits of a plan less the room for the document's longest
// header, which takes at most half of the maximum.
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

// addHeaders gives the chunks their headers. A chunk's length then includes its header and
// stays within the maximum. A header that breaks the maximum, or is longer than half of it,
// loses its outer titles or is left out.
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

// headerFor returns the header of a chunk and updates the chunk's length.
func (r *Result) headerFor(c *chunk.Chunk, most int, counter token.Counter) string {
	t := c.Of(r.Text.Text)
	// If an edit made a chunk longer than the method's own size, the header need not
	// respect that size.
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
