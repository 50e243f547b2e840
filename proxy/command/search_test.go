package command

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every format of the table has a reader here, and a folder is read by the same
// table as in the page.
func TestWhatIsReadHere(t *testing.T) {
	for _, f := range formats {
		if f.Room != "" && f.Read == nil {
			t.Errorf("nothing reads %s", f.Name)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"a.pdf", "b.MD", "c.rst", "sub/d.log", "e.xlsx", ".f.txt", "g"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var told strings.Builder
	found, err := inputsOf(IO{Err: &told}, []string{dir, "named.xlsx"})
	var files []string
	for _, in := range found {
		files = append(files, filepath.ToSlash(strings.TrimPrefix(in.name, dir+string(filepath.Separator))))
	}
	if want := "seam: " + dir + ": left out 2 files that seam does not read (.xlsx), 1 hidden\n"; told.String() != want {
		t.Errorf("it says %q, want %q", told.String(), want)
	}
	if want := []string{"a.pdf", "b.MD", "c.rst", "sub/d.log", "named.xlsx"}; err != nil || !reflect.DeepEqual(files, want) {
		t.Errorf("%q, %v; want %q", files, err, want)
	}
}
