// Package web holds the built page, so that one binary serves it.
package web

import (
	"embed"
	"io/fs"
)

// dist holds nothing but .gitkeep until `go run ./web/build` has run.
//
//go:embed all:dist
var dist embed.FS

// Files is the built page, index.html at its root.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only for a name that is not valid
	}
	return files
}
