// Package web holds the built page, so that one program serves it.
package web

import (
	"embed"
	"io/fs"
)

// embedded holds nothing but .gitkeep until `make build` has run.
//
//go:embed all:embedded
var embedded embed.FS

// HeldFile is the name of the file of Files that lists, as a JSON object, the files of the
// page that other packages of the program hold: the name of the file → "model", "meaning"
// or the name of an encoding of tokens. Package proxy/webpage brings them together.
const HeldFile = "held.json"

// Files is the built page, index.html at its root: each file as it is or, where it
// compresses, as .gz.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "embedded")
	if err != nil {
		panic(err) // only for a name that is not valid
	}
	return files
}
