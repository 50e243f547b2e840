// Package webpage serves the page that is built into the program seam. The models, the
// token ranks and the tables of PDF fonts are in the program only once: the page gets them
// from the packages that hold them.
package webpage

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"seam/proxy/ranks"
	"seam/proxy/site"
	"seam/shared/embed/builtin"
	"seam/shared/embed/meaning"
	"seam/shared/pdftext/collection"
	"seam/shared/token"
	"seam/web"
)

// New returns a handler that serves the page. It fails if the program was built without it.
func New(options ...site.Option) (http.Handler, error) {
	files := web.Files()
	held, err := heldFiles(files)
	if err != nil {
		return nil, err
	}
	for name, body := range held {
		options = append(options, site.WithHeld(name, body))
	}
	return site.New(files, options...)
}

// sources returns the files of the page that other packages hold, by the names in
// web.HeldFile.
func sources() map[string]func() ([]byte, error) {
	all := map[string]func() ([]byte, error){
		"model":      func() ([]byte, error) { return builtin.Packed(), nil },
		"meaning":    func() ([]byte, error) { return meaning.Compressed(), nil },
		token.CL100K: func() ([]byte, error) { return ranks.Packed(token.CL100K) },
		token.O200K:  func() ([]byte, error) { return ranks.Packed(token.O200K) },
	}
	for _, name := range collection.Files() {
		all[strings.TrimSuffix(name, path.Ext(name))] = func() ([]byte, error) { return collection.Embedded(name) }
	}
	return all
}

// heldFiles returns the files that the page needs and that are not in files, by name.
func heldFiles(files fs.FS) (map[string]func() ([]byte, error), error) {
	b, err := fs.ReadFile(files, web.HeldFile)
	if err != nil {
		return nil, nil // site.New reports that the page is missing
	}
	var names map[string]string
	if err := json.Unmarshal(b, &names); err != nil {
		return nil, fmt.Errorf("read %s of the page: %w", web.HeldFile, err)
	}
	all, held := sources(), map[string]func() ([]byte, error){}
	for name, source := range names {
		body, ok := all[source]
		if !ok {
			return nil, fmt.Errorf("%s of the page: %q is unknown: build the page and the program anew", web.HeldFile, source)
		}
		held[name] = body
	}
	return held, nil
}
