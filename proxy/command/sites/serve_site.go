package sites

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/site/shards"
)

// siteFolder is the folder of the index within a served site.
const siteFolder = "seam"

// liveSite serves a built site with search. It makes the index in memory, and makes it
// again if pages have changed when a reader opens the search.
type liveSite struct {
	ctx   context.Context
	std   terminal.IO
	pages http.Handler

	mu    sync.Mutex // guards the fields below
	index *indexer
	stamp []byte
	files map[string][]byte // includes the previous index, which open pages still search
	now   []string          // names of the current index's files
}

// newLiveSite makes the index of a site, with the settings of seam-index.yaml if there is
// one.
func newLiveSite(ctx context.Context, std terminal.IO, dir string) (*liveSite, error) {
	c := IndexCommand{Site: dir, CacheOptions: files.CacheOptions{Cache: os.Getenv("SEAM_CACHE")}}
	if err := c.configure(std.Err); err != nil {
		return nil, fmt.Errorf("--site %s: %w", dir, err)
	}
	c.Out = filepath.Join(dir, siteFolder)
	p := &pages{std: std, dir: dir}
	c.served = p
	x, err := NewIndexer(c)
	if err != nil {
		return nil, err
	}
	x.encoded(std)
	l := &liveSite{ctx: ctx, std: std, index: x, pages: p}
	return l, l.renew()
}

// renew makes the index again if pages have changed. The caller holds mu, unless no other
// goroutine has l yet.
func (l *liveSite) renew() error {
	stamp := l.index.stamp()
	if l.files != nil && bytes.Equal(stamp, l.stamp) {
		return nil
	}
	files, report, err := l.index.Make(l.ctx, l.std)
	if err != nil {
		return err
	}
	next := make(map[string][]byte, len(files))
	for _, name := range l.now {
		next[name] = l.files[name]
	}
	maps.Copy(next, files)
	l.files, l.stamp, l.now = next, stamp, l.now[:0]
	for name := range files {
		l.now = append(l.now, name)
	}
	fmt.Fprintf(l.std.Err, "Indexed %d pages, %d chunks.\n", report.Pages, report.Chunks)
	if r := report.Enriched; r != nil && r.Missing > 0 {
		fmt.Fprintf(l.std.Err, "%s of %s not stored yet: run seam index to request them.\n", terminal.Count(r.Missing, "answer"), r.Model)
	}
	return nil
}

func (l *liveSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	name, ok := strings.CutPrefix(path.Clean(r.URL.Path), "/"+siteFolder+"/")
	if !ok {
		l.pages.ServeHTTP(w, r)
		return
	}
	b, err := l.file(name)
	switch {
	case err != nil:
		fmt.Fprintf(l.std.Err, "seam: %v\n", err)
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	case b == nil:
		http.NotFound(w, r)
	default:
		if t := mime.TypeByExtension(path.Ext(name)); t != "" && path.Ext(name) != ".bin" {
			w.Header().Set("Content-Type", t)
		} else {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b)) // the widget reads ranges
	}
}

// file returns a file of the index, or nil if there is no such file. For the entry file it
// first brings the index up to date.
func (l *liveSite) file(name string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if name == shards.EntryName {
		if err := l.renew(); err != nil {
			return nil, err
		}
	}
	return l.files[name], nil
}

// OpenSite returns a handler for the folder of a site. origins returns the sites that may
// connect; their names are names of this server, too.
func OpenSite(ctx context.Context, std terminal.IO, dir string, origins func() []string) (http.Handler, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--site %s: no such folder; build the site first", dir)
	case err != nil:
		return nil, fmt.Errorf("--site %s: %w", dir, terminal.Reason(err))
	case !info.IsDir():
		return nil, fmt.Errorf("--site %s is not a folder", dir)
	}
	l, err := newLiveSite(ctx, std, dir)
	if err != nil {
		return nil, err
	}
	return ownHost(l, origins), nil
}
