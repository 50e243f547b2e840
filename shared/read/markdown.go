package read

import (
	"strings"

	"seam/shared/markup"
	"seam/shared/text"
)

// markdown is plain text whose headings become sections.
var markdown = Format{
	Name: "markdown", Label: "Markdown", One: "a Markdown text", Room: Engine, Read: readMarkdown,
	Extensions: []string{"md", "markdown", "mdown", "mkd", "mkdn", "mdx", "rmd", "qmd"}, MediaTypes: []string{"text/markdown"},
	German: German{One: "ein Markdown-Text"},
}

// readMarkdown is readPlain with the document's title and sections. Front matter is furniture
// of the first page. Without it, the text is the file's text, so offsets are the same.
func readMarkdown(b []byte, o Options) (*text.Document, error) {
	d, err := readPlain(b, o)
	if err != nil {
		return nil, err
	}
	t := d.View(text.Content).Text
	blocks := markup.Blocks(t)
	if len(blocks) > 0 && blocks[0].Kind == markup.FrontMatter && !strings.Contains(blocks[0].Of(t), "\f") {
		notes := d.Notes
		d = text.NewPlainAfter(t, blocks[0].Span)
		d.Notes, d.Meta = notes, blocks[0].FrontMatter(t)
		t = d.View(text.Reading).Text
		blocks = markup.Blocks(t)
	}
	d.Sections = sections(t, blocks)
	d.Title = title(t, blocks)
	if titles := d.Meta["title"]; titles != nil {
		d.Title = titles[0]
	}
	d.Links = markup.Links(t)
	return d, nil
}

// Looks returns the elements of a document's reading view. If the reader found none and the
// file's name is a Markdown one, it returns the elements and marks of the Markdown text.
func Looks(d *text.Document) ([]text.Element, []markup.Mark) {
	if len(d.Elements) > 0 || All().Recognise(d.Name, nil).Name != markdown.Name {
		return d.Elements, nil
	}
	return markup.Looks(d.View(text.Reading).Text)
}

// title returns the heading at the beginning of the text.
func title(t string, blocks []markup.Block) string {
	if len(blocks) > 0 && blocks[0].Kind == markup.Heading && blocks[0].Level == 1 {
		return blocks[0].Title(t)
	}
	return ""
}

// sections returns the headings with a title, each with the text below it.
func sections(t string, blocks []markup.Block) (out []text.Section) {
	for _, b := range blocks {
		if b.Kind != markup.Heading || b.Title(t) == "" {
			continue
		}
		out = append(out, text.Section{Title: b.Title(t), Level: b.Level, Span: text.Span{Start: b.Start}})
	}
	return text.EndSections(out, len(t))
}
