package read

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/charset"
	"seam/shared/text"
)

// TestRecognise uses the same cases as the page (web/test/unit/formats.test.ts). Both use
// the same table and must agree.
func TestRecognise(t *testing.T) {
	b, err := os.ReadFile("testdata/recognised.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Head, Format string
		Blanks             int // number of spaces before Head
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) < 30 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, c := range cases {
		if got := All().Recognise(c.Name, unpack(strings.Repeat(" ", c.Blanks)+c.Head)).Name; got != c.Format {
			t.Errorf("%q that begins with %.20q is %s, want %s", c.Name, c.Head, got, c.Format)
		}
	}
}

// unpack converts each rune to a byte.
func unpack(s string) (b []byte) {
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

// sample returns the smallest file of a format. It uses only the first mark, because the
// mark of another kind would make it another format.
func sample(f Format) (name string, head []byte) {
	name = "sample"
	if len(f.Extensions) > 0 {
		name += "." + f.Extensions[0]
	}
	for _, other := range table {
		if other.Name == f.In {
			_, head = sample(other)
			return name, head
		}
	}
	if len(f.Marks) > 0 {
		head = unpack(strings.ReplaceAll(f.Marks[0].Bytes, "?", "x"))
	}
	return name, head
}

func TestTable(t *testing.T) {
	names, extensions := map[string]bool{}, map[string]string{}
	for i, f := range table {
		if got := All().Recognise(sample(f)).Name; got != f.Name {
			t.Errorf("a sample of %s is taken for %s", f.Name, got)
		}
		if f.Name == "" || names[f.Name] || f.One == "" || f.German.One == "" {
			t.Errorf("row %d: the name %q, one of which is %q, in German %q", i, f.Name, f.One, f.German.One)
		}
		names[f.Name] = true
		for _, e := range f.Extensions {
			if e != strings.ToLower(e) || strings.HasPrefix(e, ".") || extensions[e] != "" {
				t.Errorf("%s: the extension %q, which %q has", f.Name, e, extensions[e])
			}
			extensions[e] = f.Name
		}
		if read := f.Room != ""; read && (f.Label == "" || len(f.Extensions) == 0 || len(f.MediaTypes) == 0) || !read && f.Read != nil {
			t.Errorf("%s is read in %q: %+v", f.Name, f.Room, f)
		}
		if f.Room == Engine && f.Read == nil {
			t.Errorf("%s: no reader, and the engine has to read it", f.Name)
		}
		if f.In != "" && !slices.ContainsFunc(table, func(other Format) bool { return other.Name == f.In && len(other.Marks) > 0 }) {
			t.Errorf("%s is in %s, which has no marks", f.Name, f.In)
		}
		for _, m := range f.Marks {
			if n := utf8.RuneCountInString(m.Bytes); n < 2 || n > Head || m.Within > Head || strings.ContainsFunc(m.Bytes, func(r rune) bool { return r > 0xff }) {
				t.Errorf("%s: the mark %q within %d", f.Name, m.Bytes, m.Within)
			}
		}
	}
	if last := table[len(table)-1]; last.Name != plain.Name || len(last.Marks) > 0 {
		t.Errorf("the last row is %s, which has to take all files", last.Name)
	}
}

func TestWhatIsRead(t *testing.T) {
	for list, want := range map[string]string{"": "", "a": "a", "a b": "a or b", "a b c": "a, b or c"} {
		var f Formats
		for _, label := range strings.Fields(list) {
			f = append(f, Format{Label: label, Room: Engine})
		}
		if got := f.List("or"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	bundles := "Seam bundles"
	if all, without := All().List("or"), All().Unread(Bundle).List("or"); !strings.Contains(all, bundles) || strings.Contains(without, bundles) || !strings.Contains(All().List("or"), bundles) {
		t.Errorf("%q, and without bundles %q", all, without)
	}
	if !All().Openable("a.seam") || All().Unread(Bundle).Openable("a.seam") {
		t.Error("a bundle in a folder")
	}
	for name, want := range map[string]bool{"a.pdf": true, "b/C.MD": true, "a.log": true, "a.xlsx": false, "a": false, ".a.txt": false, "b/.a.txt": false, "a.txt~": false, "": false} {
		if got := All().Openable(name); got != want {
			t.Errorf("%q in a folder: %v", name, got)
		}
	}
}

func TestRead(t *testing.T) {
	marker := errors.New("its reader")
	f := All().With("pdf", func([]byte, Options) (*text.Document, error) { return nil, As(ErrDamaged, marker) })
	if table[slices.IndexFunc(table, func(f Format) bool { return f.Name == "pdf" })].Read != nil {
		t.Error("With has changed the table")
	}
	_, err := f.Read("a.txt", []byte("%PDF-1.7"), Options{})
	if !errors.Is(err, marker) || !errors.Is(err, ErrDamaged) || err.Error() != marker.Error() {
		t.Errorf("%v", err)
	}
	for name, want := range map[string]string{
		"a.xlsx": "an Excel workbook, which Seam does not read; save or export it as ",
		"a.md":   "a packed archive, which Seam does not read; save or export it as ",
	} {
		var unread *UnreadError
		if _, err := f.Read(name, []byte("PK\x03\x04"), Options{}); !errors.As(err, &unread) || err.Error() != want+f.List("or") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := All().Read("a.pdf", nil, Options{}); err == nil { // All has no reader for PDF files
		t.Error("a PDF is read by nobody")
	}
	for _, in := range []string{"a\x00b", "caf\xe9", "\xff\xfea\x00"} {
		if _, err := f.Read("a.txt", []byte(in), Options{}); !errors.Is(err, text.ErrUnclear) {
			t.Errorf("%q without a decoder: %v", in, err)
		}
	}
	o := Options{Decode: func(b []byte) (string, []string, error) { return charset.Decode(b, charset.Options{}) }}
	for name, b := range map[string]string{"a.txt": "a\x00b", "a.md": "# a\x00b", "noname": "\x00\x01\x02"} {
		if _, err := f.Read(name, []byte(b), o); !errors.Is(err, text.ErrBinary) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{"a.txt": "é\r\n", "a.md": "é\r\n", "empty.md": "", "wide.md": "# é"} {
		b := []byte(want)
		if name == "wide.md" {
			b = []byte("\xff\xfe#\x00 \x00\xe9\x00")
		}
		d, err := f.Read(name, b, o)
		if err != nil || d.View(text.Reading).Text != want || d.View(text.Content).Text != want {
			t.Errorf("%s: %v, %v", name, d, err)
		}
		if name == "wide.md" && (len(d.Notes) != 1 || len(d.Sections) != 1) {
			t.Errorf("%s: %q, %v", name, d.Notes, d.Sections)
		}
	}
}
