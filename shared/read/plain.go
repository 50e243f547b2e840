package read

import "seam/shared/text"

// plain is a text that is what it is, and what files are that no other format
// knows.
var plain = Format{
	Name: "text", Label: "plain text", One: "a text", Room: Engine, Read: readPlain,
	Extensions: []string{"txt", "text", "rst", "adoc", "org", "tex", "log"}, MediaTypes: []string{"text/plain", "text/*"},
	German: German{Label: "reinen Text", One: "ein Text"},
}

// readPlain makes a document of what text.Decode gives, with its note.
func readPlain(b []byte, _ Options) (*text.Document, error) {
	t, note, err := text.Decode(b)
	if err != nil {
		return nil, err
	}
	d := text.NewPlain(t)
	if note != "" {
		d.Notes = []string{note}
	}
	return d, nil
}
