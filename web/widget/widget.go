// Package widget holds the built widget. The command seam index writes it next to an index.
package widget

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// dist holds only .gitkeep until `go run ./web/build` has run.
//
//go:embed all:dist
var dist embed.FS

// Name is the script that pages include. It loads the others when a reader searches.
const Name = "widget.js"

// Files returns the scripts of the widget by name.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	entries, err := fs.ReadDir(dist, "dist")
	for _, e := range entries {
		if e.Name() == ".gitkeep" {
			continue
		}
		b, readErr := dist.ReadFile("dist/" + e.Name())
		err = errors.Join(err, readErr)
		files[e.Name()] = b
	}
	if err != nil {
		return nil, fmt.Errorf("read the widget: %w", err)
	}
	if files[Name] == nil {
		return nil, errors.New("this program was built without the widget; build it with make build")
	}
	return files, nil
}
