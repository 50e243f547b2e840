package bundle

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"seam/shared/text"
)

// document reads the document of a folder, its source and its tags.
func (b *Bundle) document(folder string, it *Item) (*text.Document, error) {
	var r Record
	if err := b.record(folder+recordName, &r); err != nil {
		return nil, err
	}
	t, err := b.text(folder + pagesName)
	if err != nil {
		return nil, err
	}
	var d *text.Document
	if r.Plain {
		if d = text.NewPlain(t); len(d.Pages) != len(r.Pages) {
			return nil, damagedf("%s%s: %d pages of a text of %d", folder, recordName, len(r.Pages), len(d.Pages))
		}
	} else if d, err = b.paged(folder, t, r.Pages); err != nil {
		return nil, err
	}
	d.Name, d.Title, d.Author, d.Language, d.Notes, d.Meta = r.Name, r.Title, r.Author, r.Language, r.Notes, r.Meta
	for i, o := range r.Outline {
		if o.Page < -1 || o.Page >= len(d.Pages) || o.Level < 1 {
			return nil, damagedf("%s%s: outline %d leads to no page", folder, recordName, i)
		}
		d.Outline = append(d.Outline, text.Bookmark(o))
	}
	at := 0
	for i, s := range r.Sections {
		if err := errors.Join(within(d.View(text.Reading).Text, s.Span), beyond(s.Start, at)); err != nil || s.Level < 1 {
			return nil, damagedf("%s%s: section %d of level %d: %v", folder, recordName, i, s.Level, err)
		}
		at = s.Start
		d.Sections = append(d.Sections, text.Section(s))
	}
	if err := text.CheckLinks(d.View(text.Reading).Text, len(d.Pages), r.Links); err != nil {
		return nil, damagedf("%s%s: %v", folder, recordName, err)
	}
	d.Links, d.Attachments = r.Links, r.Attachments
	d.Elements, err = b.elements(folder, d.View(text.Reading).Text)
	it.Source, it.Tags = r.Source, r.Tags
	if bad := it.checkTags(); bad != nil {
		return nil, damagedf("%s%s: %v", folder, recordName, bad)
	}
	return d, err
}

// elements reads the elements of a text. It returns none if the member does not exist.
func (b *Bundle) elements(folder, t string) ([]text.Element, error) {
	flat, err := numbers[int32](b, folder+elementsName, 3, text.MostElements(len(t)))
	if err != nil {
		return nil, err
	}
	var list []text.Element
	for e := range slices.Chunk(flat, 3) {
		kind := text.ElementKind(max(0, min(e[0], math.MaxUint8)))
		list = append(list, text.Element{Kind: kind, Span: text.Span{Start: int(e[1]), End: int(e[2])}})
	}
	if err := text.CheckElements(t, list); err != nil {
		return nil, damagedf("%s%s: %v", folder, elementsName, err)
	}
	return list, nil
}

// paged makes a document from the texts of pages.
func (b *Bundle) paged(folder, t string, records []Page) (*text.Document, error) {
	pages := make([]text.Page, len(records))
	at := 0
	for i, r := range records {
		s := text.Span{Start: r.Start, End: r.End}
		if err := errors.Join(within(t, s), beyond(r.Start, at)); err != nil || r.Number < 1 {
			return nil, damagedf("%s%s: page %d: %v", folder, recordName, r.Number, err)
		}
		at = r.End
		pages[i] = text.Page{Number: r.Number, Label: r.Label, Width: r.Width, Height: r.Height, Text: s.Of(t), Furniture: r.Furniture, Hidden: r.Hidden}
		if err := errors.Join(ascending(pages[i].Text, r.Furniture), ascending(pages[i].Text, r.Hidden)); err != nil {
			return nil, damagedf("%s%s: parts of page %d: %v", folder, recordName, r.Number, err)
		}
	}
	if err := b.words(folder, pages, len(t)); err != nil {
		return nil, err
	}
	reading := text.View{}
	var err error
	if reading.Text, err = b.text(folder + readingName); err != nil {
		return nil, err
	}
	flat, err := numbers[int32](b, folder+runsName, 4, len(reading.Text))
	if err != nil {
		return nil, err
	}
	for r := range slices.Chunk(flat, 4) {
		reading.Runs = append(reading.Runs, text.Run{Start: int(r[0]), Page: int(r[1]), From: int(r[2]), Len: int(r[3])})
	}
	if err := reading.Check(pages); err != nil {
		return nil, damagedf("%s%s: %v", folder, runsName, err)
	}
	d := text.NewPaged(pages, reading)
	content, err := b.text(folder + contentName)
	if err == nil && content != d.View(text.Content).Text {
		err = damagedf("%s%s is not the text of the pages", folder, contentName)
	}
	return d, err
}

// words reads the words of all pages with their places, at most most of them.
func (b *Bundle) words(folder string, pages []text.Page, most int) error {
	words, err := numbers[int32](b, folder+wordsName, 3, most)
	if err != nil {
		return err
	}
	boxes, err := numbers[float32](b, folder+boxesName, 4, most)
	if err != nil {
		return err
	}
	if len(words)/3 != len(boxes)/4 {
		return damagedf("%s%s: %d boxes for %d words", folder, boxesName, len(boxes)/4, len(words)/3)
	}
	if err := finite(boxes, 4); err != nil {
		return damagedf("%s%s: %v", folder, boxesName, err)
	}
	page := 0
	for i := range len(words) / 3 {
		w, x := words[3*i:], boxes[4*i:]
		s := text.Span{Start: int(w[1]), End: int(w[2])}
		if int(w[0]) < page || int(w[0]) >= len(pages) {
			return damagedf("%s%s: word %d is on page index %d, after %d of %d", folder, wordsName, i, w[0], page, len(pages))
		}
		page = int(w[0])
		p := &pages[page]
		at := 0
		if n := len(p.Words); n > 0 {
			at = p.Words[n-1].Start
		}
		if err := errors.Join(within(p.Text, s), beyond(s.Start, at)); err != nil {
			return damagedf("%s%s: word %d: %v", folder, wordsName, i, err)
		}
		p.Words = append(p.Words, text.Word{Span: s, Box: text.Box{X0: points(x[0]), Y0: points(x[1]), X1: points(x[2]), Y1: points(x[3])}})
	}
	return nil
}

// points restores hundredths after rounding to float32.
func points(x float32) float64 { return cents(float64(x)) }

// within refuses a span that is not inside a text, or splits a character.
func within(t string, s text.Span) error {
	switch {
	case s.Start < 0 || s.End < s.Start || s.End > len(t):
		return fmt.Errorf("bytes %d to %d of a text of %d", s.Start, s.End, len(t))
	case text.Edge(t, s.Start) != s.Start || text.Edge(t, s.End) != s.End:
		return fmt.Errorf("bytes %d to %d cut a character", s.Start, s.End)
	}
	return nil
}

// beyond refuses a start before a place.
func beyond(start, place int) error {
	if start < place {
		return fmt.Errorf("it begins at %d, before %d", start, place)
	}
	return nil
}

// ascending refuses spans of a text that are not in order or that overlap.
func ascending(t string, list []text.Span) error {
	at := 0
	for _, s := range list {
		if err := errors.Join(within(t, s), beyond(s.Start, at)); err != nil {
			return err
		}
		at = s.End
	}
	return nil
}

// spans converts rows of two numbers to ascending spans of a text.
func spans(t string, flat []int32) ([]text.Span, error) {
	var out []text.Span
	for s := range slices.Chunk(flat, 2) {
		out = append(out, text.Span{Start: int(s[0]), End: int(s[1])})
	}
	return out, ascending(t, out)
}
