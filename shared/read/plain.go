package read

import "seam/shared/text"

// plain is plain text, and the format of files that match no other format.
var plain = Format{
	Name: "text", Label: "plain text", One: "a text", Room: Engine, Read: readPlain,
	Extensions: []string{"txt", "text", "rst", "adoc", "org", "tex", "log"}, MediaTypes: []string{"text/plain", "text/*"},
	German: German{Label: "reinen Text", One: "ein Text"},
}

// readPlain makes a document of a text as it is.
func readPlain(b []byte, o Options) (*text.Document, error) {
	t, notes, err := o.decode(b)
	if err != nil {
		return nil, err
	}
	d := text.NewPlain(t)
	d.Notes = notes
	return d, nil
}
