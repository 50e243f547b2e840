package webpage

import (
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
