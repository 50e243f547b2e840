package read

import (
	"strings"

	"seam/shared/text"
)

// subrip has the subtitles of a film, each below its number and its times.
var subrip = Format{
	Name: "subrip", Label: "SubRip", One: "a SubRip file", Room: Engine, Read: readSubrip,
	Extensions: []string{"srt"}, MediaTypes: []string{"application/x-subrip"},
	German: German{One: "eine SubRip-Datei"},
}

// readSubrip is readPlain without the numbers and the times.
func readSubrip(b []byte, o Options) (*text.Document, error) {
	d, err := readPlain(b, o)
	if err != nil {
		return nil, err
	}
	var said []string
	for line := range strings.Lines(d.View(text.Reading).Text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.Trim(line, "0123456789") == "" || strings.Contains(line, " --> "):
		default:
			said = append(said, line)
		}
	}
	out := text.NewPlain(strings.Join(said, "\n"))
	out.Notes = d.Notes
	return out, nil
}
