package webpage

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"seam/web"
)

// Each file that another package holds is the one that the page requests: its name has its
// hash, as given by the build.
func TestHeldFiles(t *testing.T) {
	files := web.Files()
	held, err := heldFiles(files)
	if err != nil {
		t.Fatal(err)
	}
	if held == nil {
		t.Fatal("the page is not built into this test: run make build")
	}
	if len(held) != len(sources()) {
		t.Errorf("%d files, want %d", len(held), len(sources()))
	}
	h, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for name := range held {
		r := httptest.NewRecorder()
		h.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		b, err := io.ReadAll(r.Body)
		if err != nil || r.Code != http.StatusOK {
			t.Fatalf("%s: status %d, %v", name, r.Code, err)
		}
		sum := sha256.Sum256(b)
		if got, want := hex.EncodeToString(sum[:6]), hashIn(name); got != want {
			t.Errorf("%s has the hash %s", name, got)
		}
		if _, err := fs.Stat(files, name); err == nil {
			t.Errorf("%s is in the program twice", name)
		}
	}
}

// A page that cannot see its server, because of a faked clock or of a reverse proxy that
// removes headers, requests the programs as .gz. It runs them only if they are the build's.
func TestPackedPrograms(t *testing.T) {
	h, err := New()
	if err != nil {
		t.Fatal(err)
	}
	programs, err := fs.Glob(web.Files(), "*.wasm.br")
	if err != nil || len(programs) < 2 {
		t.Fatalf("%d programs, %v: run make build", len(programs), err)
	}
	for _, name := range programs {
		name = strings.TrimSuffix(name, ".br")
		for _, accept := range []string{"", "gzip", "br"} {
			r := httptest.NewRecorder()
			request := httptest.NewRequest(http.MethodGet, "/"+name+".gz", nil)
			request.Header.Set("Accept-Encoding", accept)
			h.ServeHTTP(r, request)
			var body io.Reader = r.Body
			switch r.Header().Get("Content-Encoding") {
			case "gzip":
				if body, err = gzip.NewReader(body); err != nil {
					t.Fatal(err)
				}
			case "br":
				body = brotli.NewReader(body)
			}
			b, err := io.ReadAll(body)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(b)
			if got, want := hex.EncodeToString(sum[:6]), hashIn(name); got != want {
				t.Errorf("%s.gz, client accepts %q: the hash is %s", name, accept, got)
			}
		}
	}
}

func hashIn(name string) string {
	base, _, _ := strings.Cut(path.Base(name), ".")
	return base[strings.LastIndexByte(base, '-')+1:]
}

func TestUnknownSource(t *testing.T) {
	for _, list := range []string{`{"model-0123456789ab.bin":"elsewhere"}`, `{`} {
		if _, err := heldFiles(fstest.MapFS{web.HeldFile: {Data: []byte(list)}}); err == nil {
			t.Errorf("%s is taken", list)
		}
	}
}
