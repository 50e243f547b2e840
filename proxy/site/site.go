// Package site serves the built page: precompressed files with correct MIME types and the
// security headers for browsers, and nothing else.
package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"

	"seam/web/policy"
)

// mimeTypes has every extension that the build writes. Other files are served as plain
// bytes and, because of nosniff, never run.
var mimeTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".json":        "application/json",
	".webmanifest": "application/manifest+json",
	".wasm":        "application/wasm",
	".gz":          "application/gzip",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".pdf":         "application/pdf",
	".txt":         "text/plain; charset=utf-8",
	".md":          "text/markdown; charset=utf-8",
}

// asset is one file of the page in every encoding that the build made.
type asset struct {
	mime, tag string
	forever   bool              // the name has a content hash
	body      map[string][]byte // by content coding: "", "gzip", "br"
	held      func() ([]byte, error)
	zip       sync.Once
	zipped    []byte // made of the brotli form when a client asks for it
}

type handler struct {
	assets map[string]*asset
	held   map[string]func() ([]byte, error)
	offers func() Offers
}

// Offers are the abilities of the server that it announces to the page.
type Offers struct {
	Proxy      bool // the proxy answers at the same address
	Collection bool // it has a collection to search
	Local      bool // the page may ask for models on this machine
}

// Option changes how the page is served.
type Option func(*handler)

// WithOffers announces abilities to the page. offers is called for each request.
func WithOffers(offers func() Offers) Option { return func(h *handler) { h.offers = offers } }

// WithHeld serves a file that is not in New's files. body is called for each request. The
// name must have a content hash, because nothing else identifies the version of the file.
func WithHeld(name string, body func() ([]byte, error)) Option {
	return func(h *handler) { h.held[name] = body }
}

// New reads all of files into memory and serves them. The files name.ext.br and name.ext.gz
// are compressed forms of name.ext. name.ext itself may be missing if one of them exists.
func New(files fs.FS, options ...Option) (http.Handler, error) {
	h := &handler{assets: map[string]*asset{}, held: map[string]func() ([]byte, error){}, offers: func() Offers { return Offers{} }}
	for _, option := range options {
		option(h)
	}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		coding := ""
		switch path.Ext(name) {
		case ".br":
			coding, name = "br", strings.TrimSuffix(name, ".br")
		case ".gz":
			coding, name = "gzip", strings.TrimSuffix(name, ".gz")
		}
		a := h.assets[name]
		if a == nil {
			a = &asset{mime: mimeTypes[path.Ext(name)], forever: hashed(name), body: map[string][]byte{}}
			if a.mime == "" {
				a.mime = "application/octet-stream"
			}
			h.assets[name] = a
		}
		a.body[coding] = b
		if coding != "" && path.Ext(name) == ".wasm" {
			h.assets[name+".gz"] = a.packed(name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the page's files: %w", err)
	}
	for _, a := range h.assets {
		a.finish()
	}
	for name, body := range h.held {
		if !hashed(name) {
			return nil, fmt.Errorf("serve %s: the name has no content hash", name)
		}
		h.assets[name] = &asset{mime: "application/octet-stream", forever: true, tag: path.Base(name), held: body}
	}
	if h.assets["index.html"] == nil {
		return nil, fmt.Errorf("the page is not built into this program: run `make build`")
	}
	return h, nil
}

// packed returns the file name.gz of a program, which a page requests that cannot detect its
// server, because every static host has it. The page accepts the file of the build and the
// program itself; another compressed form is neither, so without the file of the build the
// program is served.
func (a *asset) packed(name string) *asset {
	if b, ok := a.body["gzip"]; ok {
		return &asset{mime: mimeTypes[".gz"], forever: a.forever, tag: path.Base(name), held: func() ([]byte, error) { return b, nil }}
	}
	return &asset{mime: a.mime, forever: a.forever, body: a.body}
}

// finish computes the tag of a.
func (a *asset) finish() {
	for _, coding := range []string{"", "gzip", "br"} {
		if b, ok := a.body[coding]; ok {
			sum := sha256.Sum256(b)
			a.tag = base64.RawURLEncoding.EncodeToString(sum[:12])
			return
		}
	}
}

// hashed reports whether name ends in a dash and a content hash of eight or more letters
// and digits before its extension. The build names files this way if they never change.
func hashed(name string) bool {
	base, _, _ := strings.Cut(path.Base(name), ".")
	i := strings.LastIndexByte(base, '-')
	if i < 0 || len(base)-i-1 < 8 {
		return false
	}
	for _, c := range base[i+1:] {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	rest, sealed := strings.CutPrefix(name+"/", policy.SealedDir+"/")
	h.setSecurity(w.Header(), r.Host, sealed)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered here", http.StatusMethodNotAllowed)
		return
	}
	if name == policy.SealedDir && !strings.HasSuffix(r.URL.Path, "/") {
		w.Header().Set("Location", policy.SealedDir+"/") // relative, because the site may be below a path
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	if name == "" || strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	a := h.assets[name]
	if a == nil && sealed {
		a = h.assets[strings.TrimSuffix(rest, "/")]
	}
	if a == nil {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	a.serve(w, r)
}

// setSecurity sets the headers of every response, including errors. A worker has the policy
// of its own script's response, so every response below the sealed entry has the sealed
// policy.
func (h *handler) setSecurity(head http.Header, host string, sealed bool) {
	csp, enforced := policy.Open(""), policy.EnforcedBy("server")
	if sealed {
		csp = policy.Sealed(func(ext ...string) string { return h.sources(host, ext) })
	} else {
		enforced = h.offers().announced(enforced)
	}
	head.Set("Content-Security-Policy", csp)
	for _, each := range append(policy.Headers(""), enforced) {
		head.Set(each.Name, each.Value)
	}
}

// announced adds the abilities to the header of the policy.
func (o Offers) announced(h policy.Header) policy.Header {
	switch {
	case o.Collection && o.Proxy:
		h = h.WithCollection()
	case o.Proxy:
		h = h.WithProxy()
	}
	if o.Local {
		h = h.WithLocal()
	}
	return h
}

// sources lists the files with these extensions in the form of a policy. If the host cannot
// be named, it returns 'self'.
func (h *handler) sources(host string, ext []string) string {
	if !policy.Nameable(host) {
		return "'self'"
	}
	var list []string
	for name := range h.assets {
		if slices.Contains(ext, path.Ext(name)) {
			list = append(list, host+"/"+name)
		}
	}
	slices.Sort(list) // keep the header the same for every request
	if len(list) == 0 {
		return "'none'"
	}
	return strings.Join(list, " ")
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Type", a.mime)
	head.Set("Vary", "Accept-Encoding")
	if a.forever {
		head.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		head.Set("Cache-Control", "no-cache")
	}
	coding := a.choose(r.Header.Get("Accept-Encoding"))
	tag := `"` + a.tag + "-" + coding + `"`
	head.Set("ETag", tag)
	if match := r.Header.Get("If-None-Match"); match == "*" || match != "" && strings.Contains(match, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body, err := a.form(coding)
	if err != nil {
		http.Error(w, "this file of the page is damaged: build it again", http.StatusInternalServerError)
		return
	}
	if coding != "" {
		head.Set("Content-Encoding", coding)
	}
	head.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		w.Write(body)
	}
}

// form returns the file in a coding that choose returned.
func (a *asset) form(coding string) ([]byte, error) {
	if a.held != nil {
		return a.held()
	}
	if body, ok := a.body[coding]; ok {
		return body, nil
	}
	if coding == "gzip" {
		return a.zippedForm()
	}
	return a.plain()
}

// plain returns the uncompressed form.
func (a *asset) plain() ([]byte, error) {
	if body, ok := a.body[""]; ok {
		return body, nil
	}
	if b, ok := a.body["gzip"]; ok {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	}
	return io.ReadAll(brotli.NewReader(bytes.NewReader(a.body["br"])))
}

// zippedForm makes the gzip form, once: browsers read brotli only from this machine or by
// https.
func (a *asset) zippedForm() (b []byte, err error) {
	a.zip.Do(func() {
		var plain []byte
		if plain, err = a.plain(); err != nil {
			return
		}
		var sb bytes.Buffer
		z, _ := gzip.NewWriterLevel(&sb, zipLevel)
		z.Write(plain)
		z.Close()
		a.zipped = sb.Bytes()
	})
	if a.zipped == nil {
		return nil, cmp.Or(err, errDamaged)
	}
	return a.zipped, nil
}

// zipLevel compresses the program of the engine in 0.3 s.
const zipLevel = gzip.BestSpeed

var errDamaged = errors.New("the file cannot be unpacked")

// choose returns the smallest coding that the client accepts. A weight of 0 refuses a
// coding; other weights are ignored.
func (a *asset) choose(accept string) string {
	accepted := map[string]bool{}
	for part := range strings.SplitSeq(accept, ",") {
		coding, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		q := strings.TrimSpace(params)
		refused := q == "q=0" || strings.HasPrefix(q, "q=0.") && strings.Trim(q[4:], "0") == ""
		accepted[strings.ToLower(strings.TrimSpace(coding))] = !refused
	}
	for _, coding := range []string{"br", "gzip"} {
		if ok, named := accepted[coding]; ok || !named && accepted["*"] {
			if a.has(coding) {
				return coding
			}
		}
	}
	return ""
}

// has reports whether a can be sent in a coding.
func (a *asset) has(coding string) bool {
	_, ok := a.body[coding]
	_, br := a.body["br"]
	return ok || coding == "gzip" && br
}
