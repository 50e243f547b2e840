package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"seam/web/policy"
)

func zipped(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.Bytes()
}

func newSite(t *testing.T, options ...Option) http.Handler {
	t.Helper()
	h, err := New(fstest.MapFS{
		"index.html":                  {Data: []byte("<!doctype html>")},
		"app-0a1b2c3d.js":             {Data: []byte("code")},
		"app-0a1b2c3d.js.br":          {Data: []byte("BR")},
		"app-0a1b2c3d.js.gz":          {Data: zipped("code")},
		"engine-0123456789ab.wasm.gz": {Data: zipped("\x00asm")},
		"engine-0123456789ab.wasm.br": {Data: []byte("BRASM")},
		"sealed/index.html":           {Data: []byte("sealed")},
		"sw.js":                       {Data: []byte("offline")},
		"odd.xyz":                     {Data: []byte("?")},
		".gitkeep":                    {},
	}, options...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(t *testing.T, h http.Handler, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(r *http.Response) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

func TestFiles(t *testing.T) {
	h := newSite(t)
	for _, tt := range []struct {
		path   string
		status int
		mime   string
		cached bool
	}{
		{"/", 200, "text/html; charset=utf-8", false},
		{"/index.html", 200, "text/html; charset=utf-8", false},
		{"/sealed/", 200, "text/html; charset=utf-8", false},
		{"/app-0a1b2c3d.js", 200, "text/javascript; charset=utf-8", true},
		{"/engine-0123456789ab.wasm", 200, "application/wasm", true},
		{"/odd.xyz", 200, "application/octet-stream", false},
		{"/sw.js", 200, "text/javascript; charset=utf-8", false},
		{"/engine-0123456789ab.wasm.gz", 200, "application/gzip", true},
		{"/sealed", 301, "", false},
		{"/sealed/app-0a1b2c3d.js", 200, "text/javascript; charset=utf-8", true},
		{"/sealed/sealed/app-0a1b2c3d.js", 404, "text/plain; charset=utf-8", false},
		{"/sealed/nothing", 404, "text/plain; charset=utf-8", false},
		{"/nothing", 404, "text/plain; charset=utf-8", false},
		{"/.gitkeep", 404, "text/plain; charset=utf-8", false},
		{"/../site.go", 404, "text/plain; charset=utf-8", false},
		{"/app-0a1b2c3d.js.br", 404, "text/plain; charset=utf-8", false},
	} {
		r := get(t, h, tt.path)
		if r.StatusCode != tt.status || r.Header.Get("Content-Type") != tt.mime ||
			strings.Contains(r.Header.Get("Cache-Control"), "immutable") != tt.cached {
			t.Errorf("%s: %d %v", tt.path, r.StatusCode, r.Header)
		}
	}
}

// The page is informed of a proxy at its address, but the sealed entry is not, and no
// policy changes.
func TestWithOffers(t *testing.T) {
	with := func(o Offers) http.Handler { return newSite(t, WithOffers(func() Offers { return o })) }
	plain, proxied := newSite(t), with(Offers{Proxy: true})
	for path, want := range map[string]string{"/": `seam;desc="server", proxy`, "/nothing": `seam;desc="server", proxy`, "/sealed/": `seam;desc="server"`, "/sealed/app-0a1b2c3d.js": `seam;desc="server"`} {
		a, b := get(t, plain, path).Header, get(t, proxied, path).Header
		if got := b.Get("Server-Timing"); got != want || a.Get("Server-Timing") != `seam;desc="server"` {
			t.Errorf("%s: %s", path, got)
		}
		if c := get(t, with(Offers{Proxy: true, Collection: true}), path).Header.Get("Server-Timing"); c != strings.Replace(want, "proxy", `proxy;desc="collection"`, 1) {
			t.Errorf("%s, with a collection: %s", path, c)
		}
		if c := get(t, with(Offers{Local: true}), path).Header.Get("Server-Timing"); c != strings.Replace(want, "proxy", "local", 1) {
			t.Errorf("%s, with models of this machine: %s", path, c)
		}
		b.Set("Server-Timing", a.Get("Server-Timing"))
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v, %v", path, a, b)
		}
	}
}

const sealedPolicy = "default-src 'none'; script-src example.com/app-0a1b2c3d.js example.com/sw.js 'wasm-unsafe-eval'; " +
	"style-src 'none'; img-src 'none'; " +
	"connect-src example.com/engine-0123456789ab.wasm example.com/engine-0123456789ab.wasm.gz; " +
	"worker-src example.com/app-0a1b2c3d.js example.com/sw.js; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types seam; sandbox allow-scripts allow-same-origin allow-forms allow-downloads"

// Every response has the policy of its entry: pages, workers, 304 and errors. Other
// spellings of an address change nothing.
func TestPolicy(t *testing.T) {
	h := newSite(t)
	for _, tt := range []struct{ method, path, want string }{
		{"GET", "/", policy.Open("")},
		{"HEAD", "/", policy.Open("")},
		{"POST", "/", policy.Open("")},
		{"GET", "/app-0a1b2c3d.js", policy.Open("")},
		{"GET", "/sw.js", policy.Open("")},
		{"GET", "/nothing", policy.Open("")},
		{"GET", "/sealedness/", policy.Open("")},
		{"GET", "/sealed/../app-0a1b2c3d.js", policy.Open("")},
		{"GET", "/sealed", sealedPolicy},
		{"GET", "/sealed/", sealedPolicy},
		{"GET", "//sealed//index.html", sealedPolicy},
		{"GET", "/%73ealed/", sealedPolicy},
		{"GET", "/x/../sealed/", sealedPolicy},
		{"POST", "/sealed/", sealedPolicy},
		{"GET", "/sealed/app-0a1b2c3d.js", sealedPolicy},
		{"GET", "/sealed/nothing", sealedPolicy},
	} {
		for _, match := range []string{"", "*"} { // with a star, a 304
			r := httptest.NewRequest(tt.method, "http://example.com"+tt.path, nil)
			r.Header.Set("If-None-Match", match)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Result().Header.Values("Content-Security-Policy"); len(got) != 1 || got[0] != tt.want {
				t.Errorf("%s %s: %d %q", tt.method, tt.path, w.Code, got)
			}
			for _, each := range append(policy.Headers(""), policy.EnforcedBy("server")) {
				if w.Header().Get(each.Name) != each.Value {
					t.Errorf("%s %s: %s is %q", tt.method, tt.path, each.Name, w.Header().Get(each.Name))
				}
			}
		}
	}
}

// A host name sent by a client never becomes a directive.
func TestHostsThatAPolicyCannotName(t *testing.T) {
	h := newSite(t)
	for host, want := range map[string]string{
		"127.0.0.1:8787":     "connect-src 127.0.0.1:8787/engine-0123456789ab.wasm ",
		"[::1]:8787":         "connect-src 'self';",
		"x; connect-src *":   "connect-src 'self';",
		"x, default-src *":   "connect-src 'self';",
		"*":                  "connect-src 'self';",
		"a b":                "connect-src 'self';",
		"":                   "connect-src 'self';",
		"host:8787/evil.com": "connect-src 'self';",
	} {
		r := httptest.NewRequest("GET", "/sealed/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Security-Policy"); !strings.Contains(got, want) || strings.Contains(got, "*") {
			t.Errorf("%q: %s", host, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	h := newSite(t)
	for _, tt := range []struct{ accept, coding, want string }{
		{"", "", "code"},
		{"br", "br", "BR"},
		{"gzip, deflate, br", "br", "BR"},
		{"br;q=0, gzip;q=0.5", "gzip", ""},
		{"br;q=0.0, gzip;q=0.000", "", "code"},
		{"*", "br", "BR"},
		{"identity", "", "code"},
		{"GZIP", "gzip", ""},
	} {
		r := get(t, h, "/app-0a1b2c3d.js", "Accept-Encoding", tt.accept)
		got := body(r)
		if r.Header.Get("Content-Encoding") != tt.coding || tt.want != "" && got != tt.want || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q as %q", tt.accept, got, r.Header.Get("Content-Encoding"))
		}
		if r.ContentLength != int64(len(got)) && r.Header.Get("Content-Length") == "" {
			t.Errorf("%q: no length", tt.accept)
		}
	}
	// Only compressed forms of WebAssembly are kept; clients that accept none get it
	// unpacked.
	if r := get(t, h, "/engine-0123456789ab.wasm"); body(r) != "\x00asm" || r.Header.Get("Content-Encoding") != "" {
		t.Error("no plain WebAssembly")
	}
}

func TestUnchangedFilesAreNotSentAgain(t *testing.T) {
	h := newSite(t)
	tag := get(t, h, "/").Header.Get("ETag")
	if r := get(t, h, "/", "If-None-Match", tag); r.StatusCode != 304 || body(r) != "" {
		t.Errorf("%d", r.StatusCode)
	}
	if r := get(t, h, "/", "If-None-Match", `"other"`); r.StatusCode != 200 {
		t.Errorf("%d", r.StatusCode)
	}
	if br := get(t, h, "/app-0a1b2c3d.js", "Accept-Encoding", "br").Header.Get("ETag"); br == get(t, h, "/app-0a1b2c3d.js").Header.Get("ETag") {
		t.Error("two encodings have one tag")
	}
}

func TestOnlyReading(t *testing.T) {
	h := newSite(t)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader("x")))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("HEAD", "/", nil))
	if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "15" {
		t.Errorf("HEAD: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

func TestAPageThatIsNotBuiltSaysSo(t *testing.T) {
	if _, err := New(fstest.MapFS{".gitkeep": {}}); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("%v", err)
	}
}

// A file that is kept as brotli alone reaches every client.
func TestBrotliAlone(t *testing.T) {
	var br bytes.Buffer
	z := brotli.NewWriter(&br)
	z.Write([]byte("\x00asm of the engine"))
	z.Close()
	h, err := New(fstest.MapFS{"index.html": {}, "engine-0123456789ab.wasm.br": {Data: br.Bytes()}, "pdf-0123456789ab.wasm.br": {Data: []byte("no brotli")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/engine-0123456789ab.wasm", "/engine-0123456789ab.wasm.gz"} {
		for _, accept := range []string{"", "br, gzip", "gzip", "gzip"} {
			r := get(t, h, path, "Accept-Encoding", accept)
			got := body(r)
			switch coding := r.Header.Get("Content-Encoding"); {
			case coding == "br":
				got = contents(t, brotli.NewReader(strings.NewReader(got)))
			case coding == "gzip":
				z, err := gzip.NewReader(strings.NewReader(got))
				if err != nil {
					t.Fatal(path, accept, err)
				}
				got = contents(t, z)
			}
			if r.StatusCode != 200 || got != "\x00asm of the engine" {
				t.Errorf("%s for %q: %d, %q", path, accept, r.StatusCode, got)
			}
		}
	}
	for _, accept := range []string{"", "gzip", "gzip"} {
		if r := get(t, h, "/pdf-0123456789ab.wasm", "Accept-Encoding", accept); r.StatusCode != 500 || !strings.Contains(body(r), "damaged") {
			t.Errorf("a damaged file for %q: %d", accept, r.StatusCode)
		}
	}
}

func contents(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
