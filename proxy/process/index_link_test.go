package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A site named by a symbolic link is indexed like its target, and its own index is not a
// page of it.
func TestIndexOfALink(t *testing.T) {
	plain, _ := indexed(t)
	site := filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(site, os.DirFS(handbook)); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "public")
	if err := os.Symlink(site, link); err != nil {
		t.Skip("skipping: no links here:", err)
	}
	for range 2 { // the second time an index already exists
		ok(t, "", "index", "--site", link, "--out", filepath.Join(link, "seam"))
	}
	if got, want := filesIn(t, filepath.Join(site, "seam"))["seam.json"], filesIn(t, plain)["seam.json"]; len(got) < 50 || indexesOf(t, got) != indexesOf(t, want) {
		t.Errorf("%s\nwant the indexes of %s", got, want)
	}
}

// indexesOf returns the first files of the indexes that an entry names.
func indexesOf(t *testing.T, entry string) string {
	t.Helper()
	var e struct{ Indexes json.RawMessage }
	if err := json.Unmarshal([]byte(entry), &e); err != nil {
		t.Fatal(err)
	}
	return string(e.Indexes)
}
