package read

import (
	"strings"

	"seam/shared/markup"
	"seam/shared/text"
)

// plain is plain text, and the format of files that match no other format.
var plain = Format{
	Name: "text", Label: "plain text", One: "a text", Room: Engine, Read: readPlain,
	Extensions: []string{"txt", "text", "rst", "adoc", "org", "tex", "log"}, MediaTypes: []string{"text/plain", "text/*"},
	German: German{Label: "reinen Text", One: "ein Text"},
}

// readPlain makes a document of a text as it is. Headings of Markdown become sections, because
// chunks end before them in plain text, too.
func readPlain(b []byte, o Options) (*text.Document, error) {
	t, notes, err := o.decode(b)
	if err != nil {
		return nil, err
	}
	d := text.NewPlain(t)
	d.Notes = notes
	if blocks := markup.Blocks(t); titled(t, blocks) {
		d.Sections = sections(t, blocks)
	}
	return d, nil
}

// titled reports whether a plain text has headings: at least two, all after an empty line.
// Comments of programs look the same, but follow other lines, or each other.
func titled(t string, blocks []markup.Block) bool {
	n := 0
	for i, b := range blocks {
		if b.Kind != markup.Heading {
			continue
		}
		if n++; b.Start > 0 && i > 0 && strings.Count(t[blocks[i-1].End:b.Start], "\n") < 2 {
			return false
		}
	}
	return n > 1
}
