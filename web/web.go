// Package web holds the built page, so that one program serves it.
package web

import (
	"embed"
	"io/fs"
)

// embedded holds only .gitkeep until `make build` has run.
//
//go:embed all:embedded
var embedded embed.FS

// HeldFile is the name of a file in Files. Its JSON object lists the page's files that
// other packages of the program hold. It maps the name of a file to "model", "meaning" or
// the name of a token encoding. Package proxy/webpage combines them.
const HeldFile = "held.json"

// Files returns the built page, with index.html at its root. Each file is there as it is
// or, if that is smaller, as .br.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "embedded")
	if err != nil {
		panic(err) // only for an invalid name
	}
	return files
}
