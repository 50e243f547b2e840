package sites

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"seam/proxy/command/terminal"
)

// notFoundPage is the page of a site, or of one of its folders, for an address without a page.
const notFoundPage = "404.html"

// pages serves the files of a site as static hosts do: /guide is guide.html or
// guide/index.html. Links out of the folder are not followed.
type pages struct {
	std  terminal.IO
	dir  string
	said sync.Once // that a link leads out of the folder
}

// file opens a file of the site, or returns nil if there is none of that name. The folder is
// opened each time, because generators replace it.
func (p *pages) file(name string) *os.File {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	info, err := root.Stat(name)
	if err != nil {
		if whole := filepath.Join(p.dir, name); exists(whole) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			p.said.Do(func() {
				fmt.Fprintf(p.std.Err, "seam: links that lead out of the folder of the site, or are absolute, are not followed: %s\n", whole)
			})
		}
		return nil
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	return f
}

func (p *pages) has(name string) bool {
	f := p.file(name)
	if f == nil {
		return false
	}
	f.Close()
	return true
}

// find returns the file for an address, or the address to go to instead, relative to it.
func (p *pages) find(address string) (f *os.File, to string) {
	name := strings.TrimPrefix(path.Clean("/"+address), "/")
	folder := name == "" || strings.HasSuffix(address, "/")
	last := (&url.URL{Path: path.Base(name)}).EscapedPath()
	if folder {
		if f = p.file(path.Join(name, "index.html")); f == nil && name != "" && p.has(name+".html") {
			to = "../" + last
		}
		return f, to
	}
	if f = p.file(name); f == nil {
		f = p.file(name + ".html")
	}
	if f == nil && p.has(path.Join(name, "index.html")) {
		to = "./" + last + "/"
	}
	return f, to
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered here", http.StatusMethodNotAllowed)
		return
	}
	f, to := p.find(r.URL.Path)
	if f == nil {
		if to == "" {
			p.notFound(w, r)
			return
		}
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		http.Error(w, "this file cannot be read", http.StatusInternalServerError)
		return
	}
	http.ServeContent(w, r, info.Name(), info.ModTime(), f)
}

// notFound answers with the site's own page for such addresses, the nearest one upwards.
func (p *pages) notFound(w http.ResponseWriter, r *http.Request) {
	for at := path.Clean("/" + r.URL.Path); at != "/"; {
		at = path.Dir(at)
		f := p.file(strings.TrimPrefix(path.Join(at, notFoundPage), "/"))
		if f == nil {
			continue
		}
		defer f.Close()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		if r.Method == http.MethodHead {
			return
		}
		if _, err := io.Copy(w, f); err != nil {
			return // the client has disconnected
		}
		return
	}
	http.NotFound(w, r)
}
