package site

import (
	"context"
	"sort"
	"strings"

	"seam/shared/pipeline"
	"seam/shared/read/html"
	"seam/shared/site/shards"
	"seam/shared/text"
)

// Version must be raised when the same page with the same options yields other text,
// chunks, titles or facets than before. Data saved for pages is then no longer used.
const Version = 6

// Settings returns the settings for cutting pages: topics of at most 512 tokens.
// shards/README.md compares results for 150, 300 and 512 tokens.
func Settings() pipeline.Settings {
	return pipeline.Settings{Method: "semantic", MaxTokens: 512}
}

// Cut returns the index entry of a page, or nil if the page has no text.
func Cut(ctx context.Context, p *Page, plan pipeline.Plan, hooks pipeline.Hooks) (*shards.Page, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, nil
	}
	d := p.document()
	result, err := pipeline.NewSession(d).Run(ctx, plan, hooks)
	if err != nil {
		return nil, err
	}
	out := &shards.Page{URL: p.URL, Title: p.Title, Keywords: p.Keywords, Filters: p.Filters, Meta: p.Meta, Date: p.Date, Weight: p.Weight, Versions: p.Versions}
	spans := make([]text.Span, len(result.Chunks))
	for i, c := range result.Chunks {
		spans[i] = c.Span
	}
	spans = partition(spans, len(p.Text))
	places := placesOf(p)
	last, at := shards.Place{}, 0
	for _, span := range spans {
		c := shards.Chunk{Section: sectionAt(d.Sections, span.Start)}
		start := span.Start + len(span.Of(p.Text)) - len(strings.TrimLeft(span.Of(p.Text), " \n"))
		c.Text = strings.TrimSpace(span.Of(p.Text))
		if last.ID != "" {
			c.Places = append(c.Places, last)
		}
		for ; at < len(places) && places[at].Start < span.End; at++ {
			last = places[at]
			last.Start = min(max(0, last.Start-start), len(c.Text))
			if last.Start == 0 {
				c.Places = c.Places[:0]
			}
			c.Places = append(c.Places, last)
			last.Start = 0
		}
		out.Chunks = append(out.Chunks, c)
	}
	sentences := result.Sentences
	for _, s := range d.Sections {
		out.Openings = append(out.Openings, opening(p.Text, sentences, s.Span))
		if held := chunksOf(spans, s.Span); held.Len() > 0 {
			out.Headings = append(out.Headings, shards.Heading{Title: s.Title, Chunks: held})
		}
	}
	return out, nil
}

// longestOpening is the maximum length in bytes of a section's opening.
const longestOpening = 600

// opening returns the first two sentences below a section's heading.
func opening(t string, sentences []text.Span, section text.Span) string {
	from := section.End
	if line := strings.IndexByte(section.Of(t), '\n'); line >= 0 {
		from = section.Start + line
	}
	i := sort.Search(len(sentences), func(i int) bool { return sentences[i].Start >= from })
	if i == len(sentences) || sentences[i].Start >= section.End {
		return ""
	}
	start, end := sentences[i].Start, min(sentences[min(i+1, len(sentences)-1)].End, section.End)
	return t[start:text.Edge(t, min(end, start+longestOpening))]
}

// partition extends every chunk to the start of the next, so that the chunks cover the
// whole text.
func partition(spans []text.Span, length int) []text.Span {
	for i := range spans {
		end := length
		if i+1 < len(spans) {
			end = spans[i+1].Start
		}
		spans[i].End = end
	}
	if len(spans) > 0 {
		spans[0].Start = 0
	} else {
		spans = []text.Span{{Start: 0, End: length}}
	}
	return spans
}

// chunksOf returns the range of chunk numbers that overlap a section.
func chunksOf(spans []text.Span, section text.Span) (held text.Span) {
	found := false
	for i, s := range spans {
		if s.End <= section.Start || s.Start >= section.End {
			continue
		}
		if !found {
			held.Start, found = i, true
		}
		held.End = i + 1
	}
	return held
}

// sectionAt returns the titles of the sections around a place.
func sectionAt(sections []text.Section, at int) (titles []string) {
	for _, s := range sections {
		if s.Start > at {
			break
		}
		if at < s.End && s.Level < html.TermLevel {
			titles = append(titles, s.Title)
		}
	}
	return titles
}

// placesOf returns the places of a page that an address can name: headings and terms, and
// rows, items and paragraphs with an id, which have the title of the heading above them.
// Among several anchors of a heading, the last is its own.
func placesOf(p *Page) (places []shards.Place) {
	at, title := 0, ""
	items := func(end int) {
		for ; at < len(p.Anchors) && p.Anchors[at].Start < end; at++ {
			if a := p.Anchors[at]; a.Item && title != "" && (len(places) == 0 || places[len(places)-1].Start < a.Start) {
				places = append(places, shards.Place{Start: a.Start, ID: a.ID, Title: title})
			}
		}
	}
	for i, h := range p.Headings {
		items(h.Start)
		id := ""
		for ; at < len(p.Anchors) && p.Anchors[at].Start == h.Start; at++ {
			id = p.Anchors[at].ID
		}
		if title = h.Title; id != "" {
			places = append(places, shards.Place{Start: h.Start, ID: id, Title: h.Title, Overload: overloaded(p, i)})
		}
	}
	items(len(p.Text))
	return places
}

// overloaded reports whether a term is followed by another one, without a text between
// them: both are explained below the last one.
func overloaded(p *Page, i int) bool {
	h := p.Headings[i]
	if h.Level != html.TermLevel || i+1 == len(p.Headings) || p.Headings[i+1].Level != html.TermLevel {
		return false
	}
	return strings.TrimSpace(p.Text[h.End:max(h.End, p.Headings[i+1].Start)]) == ""
}
