package engine

import (
	"path"
	"slices"
	"strings"

	"seam/shared/text"
	"seam/shared/token"
)

// between stands between the titles of a header and of a section.
const between = " › "

// Headed is the text of chunk i as it is to be embedded: with its header, if it
// has one, in a line of its own.
func (r *Result) Headed(i int) string {
	t := r.Chunks[i].Of(r.Text.Text)
	if h := r.HeaderOf(i); h != "" {
		return h + "\n" + t
	}
	return t
}

// titles are those of what a place stands in, the outermost first: of the
// document, or else its first heading or the name of its file, and of its
// sections. None twice in a row.
func titles(d *text.Document, view text.ViewName, at int) (out []string) {
	first := d.Title
	if first == "" && len(d.Sections) > 0 {
		first = d.Sections[0].Title
	}
	if first == "" {
		first = strings.TrimSuffix(path.Base(d.Name), path.Ext(d.Name))
	}
	for _, t := range append([]string{first}, d.SectionPath(view, at)...) {
		t = strings.Join(strings.Fields(t), " ")
		if t != "" && t != "-" && t != "." && (len(out) == 0 || out[len(out)-1] != t) {
			out = append(out, t)
		}
	}
	return out
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

// roomForHeaders returns settings whose maximum leaves room for the longest header
// of the document, which takes half of it at most.
func (s *Session) roomForHeaders(r *Result, set Settings, counter token.Counter) Settings {
	limits := set.limits(r.Method, counter)
	most := limits.Max
	if !set.Headers || most == 0 {
		return set
	}
	longest := 0
	measure := func(at int) {
		h := header(titles(s.Document, r.View, at), func(h string) bool { return counter.Count(h) <= most/2 })
		if h != "" {
			longest = max(longest, counter.Count(h+"\n"))
		}
	}
	measure(-1)
	for _, section := range s.Document.Sections {
		measure(section.Start)
	}
	set.MaxTokens = max(1, most-longest)
	least := min(limits.Min, set.MaxTokens)
	set.MinTokens = &least
	set.Overlap = min(set.Overlap, set.MaxTokens-1)
	return set
}

// addHeaders gives the chunks their headers. A chunk's length is then that of both
// together, and keeps the maximum: a header that is too long for that, or longer
// than half of it, loses its outer titles, or is left out.
func (s *Session) addHeaders(r *Result, set Settings, counter token.Counter, hooks Hooks) error {
	if !set.Headers {
		return nil
	}
	most := set.limits(r.Method, counter).Max
	r.Chunks = slices.Clone(r.Chunks)
	r.Headers = make([]string, len(r.Chunks))
	for i := range r.Chunks {
		if err := hooks.report(StageChunks, i, len(r.Chunks)); err != nil {
			return err
		}
		c := &r.Chunks[i]
		alone, t := c.Tokens, c.Of(r.Text.Text)
		// What a hand has made longer than the method's own size is no matter of the header.
		free := most == 0 || alone > most && set.MaxTokens == 0
		r.Headers[i] = header(titles(s.Document, r.View, c.Start), func(h string) bool {
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
	return nil
}

// HeaderOf is the header of a chunk of r; empty where there is none.
func (r *Result) HeaderOf(i int) string {
	if r.Headers == nil {
		return ""
	}
	return r.Headers[i]
}
