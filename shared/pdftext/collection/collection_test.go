package collection_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/cmap"
	"seam/shared/pdftext/collection"
)

// fromDisk opens the files even where they are not embedded.
func fromDisk(file string) ([]byte, error) { return os.ReadFile(filepath.Join("data", file)) }

// show decodes s with a predefined CMap and the characters of its collection.
func show(t *testing.T, set *collection.Set, ordering, name, s string) string {
	t.Helper()
	m, c := set.CMap(name), set.Collection(ordering)
	if m == nil || c == nil {
		t.Fatalf("%s of %s is not there", name, ordering)
	}
	out := ""
	for b := []byte(s); len(b) > 0; {
		code, n := m.Next(b)
		cid, _ := m.CID(code)
		out += c.Unicode(cid)
		b = b[n:]
	}
	return out
}

// The same words in the encodings of each language.
func TestCMaps(t *testing.T) {
	set := collection.NewSet(fromDisk)
	for _, c := range []struct{ ordering, name, in, want string }{
		{"Japan1", "90ms-RKSJ-H", "\x93\xfa\x96\x7bA\xb1", "日本Aｱ"},
		{"Japan1", "90msp-RKSJ-V", "\x93\xfa\x96\x7bA", "日本A"},
		{"Japan1", "EUC-H", "\xc6\xfc\xcb\xdc\x8e\xb1", "日本ｱ"},
		{"Japan1", "H", "\x46\x7c\x4b\x5c", "日本"},
		{"Japan1", "UniJIS-UCS2-H", "\x65\xe5\x67\x2c", "日本"},
		{"Japan1", "UniJIS-UTF16-V", "\x65\xe5\xd8\x42\xdf\xb7", "日𠮷"},
		{"Japan1", "UniJIS-UTF8-H", "日本𠮷A", "日本𠮷A"},
		{"Japan1", "UniJIS2004-UTF32-H", "\x00\x00\x65\xe5", "日"},
		{"Japan2", "UniHojo-UTF8-H", "丂", "丂"},
		{"GB1", "GBK-EUC-H", "\xd6\xd0\xce\xc4", "中文"},
		{"GB1", "GBK2K-V", "\xd6\xd0\x81\x39\xf6\x30", "中㑈"},
		{"GB1", "UniGB-UTF16-H", "\x4e\x2d", "中"},
		{"CNS1", "ETen-B5-H", "\xa4\xa4\xa4\xe5", "中文"},
		{"CNS1", "HKscs-B5-H", "\xa4\xa4\x87\x40", "中䏰"},
		{"CNS1", "CNS-EUC-H", "\xc4\xe3", "中"},
		{"Korea1", "KSCms-UHC-H", "\xc7\xd1\xb1\xdb", "한글"},
		{"Korea1", "KSC-Johab-H", "\xd0\x65\x8b\x69", "한글"},
		{"KR", "UniAKR-UTF8-H", "한글", "한글"},
	} {
		if got := show(t, set, c.ordering, c.name, c.in); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
	if m := set.Missing(); len(m) > 0 {
		t.Error(m)
	}
}

// If the codes of a CMap are characters, they must map back to themselves, except for a few
// that the collection treats differently.
func TestUnicodeCMapsComeBack(t *testing.T) {
	set := collection.NewSet(fromDisk)
	for ordering, name := range map[string]string{
		"Japan1": "UniJIS2004-UTF32-H", "Japan2": "UniHojo-UTF32-H", "GB1": "UniGB-UTF32-H", "CNS1": "UniCNS-UTF32-H", "Korea1": "UniKS-UTF32-H", "KR": "UniAKR-UTF32-H",
	} {
		m, c := set.CMap(name), set.Collection(ordering)
		same, all := 0, 0
		for r := uint32(' '); r < 0x30000; r++ {
			private := 0xe000 <= r && r < 0xf900
			if cid, ok := m.CID(r); ok && !private {
				if all++; c.Unicode(cid) == string(rune(r)) {
					same++
				}
			}
		}
		if all < 6000 || same*100 < all*93 {
			t.Errorf("%s: %d of %d characters come back", name, same, all)
		}
	}
}

// Vertical CMaps must equal horizontal ones except for a few characters.
func TestVertical(t *testing.T) {
	set := collection.NewSet(fromDisk)
	h, v := set.CMap("90ms-RKSJ-H"), set.CMap("90ms-RKSJ-V")
	if h.Vertical || !v.Vertical {
		t.Error("writing modes")
	}
	differ := 0
	for code := uint32(0x8140); code < 0xa000; code++ {
		a, _ := h.CID(code)
		if b, _ := v.CID(code); a != b {
			differ++
		}
	}
	if differ < 20 || differ > 200 {
		t.Errorf("%d codes differ", differ)
	}
}

// Each file must be read once, when it is needed, and missing ones must be reported.
func TestSet(t *testing.T) {
	var asked []string
	set := collection.NewSet(func(file string) ([]byte, error) {
		asked = append(asked, file)
		if file == "gb1.cmaps" {
			return []byte("no table"), nil
		}
		return nil, errors.New("no network")
	})
	if set.CMap("Identity-H") != nil || set.Collection("Identity") != nil || len(asked) > 0 {
		t.Errorf("asked for %v", asked)
	}
	for range 2 {
		if set.CMap("V") != nil || set.CMap("GBK-EUC-H") != nil || set.Collection("GB1") != nil {
			t.Error("a collection from nothing")
		}
	}
	if want := []string{"japan1.cmaps", "gb1.cmaps"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %v, not %v", asked, want)
	}
	if m := set.Missing(); len(m) != 2 || m[0].Error() != "characters of Japanese fonts could not be read: no network" || !errors.Is(m[1], collection.ErrDamaged) {
		t.Errorf("missing %v", m)
	}
}

// The list of names and the files must agree.
func TestNames(t *testing.T) {
	list, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	set := collection.NewSet(fromDisk)
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		for _, name := range words[1:] {
			if m := set.CMap(name); m == nil {
				t.Errorf("%s of %s is not there", name, words[0])
			}
		}
	}
	if files := collection.Files(); len(files) != 6 || !slices.Contains(files, "japan1.cmaps") {
		t.Errorf("files %v", files)
	}
}

// pack returns b compressed for Read.
func pack(b []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestSpeed) // the level is valid
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// tiny is a small handmade collection. Its CMap "T" has one-byte codes: 1 to 3 show "a" to
// "c", and 5 shows the two characters "fi".
func tiny() []byte {
	return []byte("\x01T" + "\x01" + "\x00\x02" + "\x01\x01" + "\x02\x00" + "\x02\x02" + // a table
		"\x01" + "\x01T\x00\x00\x00" + "\x01\x01\x00\x7f" + // its CMap
		"\x01" + "\x01" + "\x02" + "\xc2\x01" + // CIDs 1 to 3
		"\x01" + "\x05\x02fi")
}

func TestRead(t *testing.T) {
	c, err := collection.Read(pack(tiny()))
	if err != nil {
		t.Fatal(err)
	}
	m := c.CMap("T")
	got := ""
	for code := range uint32(8) {
		cid, _ := m.CID(code)
		got += c.Unicode(cid) + "."
	}
	if got != ".a.b.c..fi..." {
		t.Errorf("%q", got)
	}
	for n := range tiny() {
		if _, err := collection.Read(pack(tiny()[:n])); !errors.Is(err, collection.ErrDamaged) {
			t.Errorf("%d bytes: error %v", n, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(tiny())
	f.Add([]byte("\x00\xff\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := collection.Read(pack(b))
		if err != nil {
			return
		}
		c.Unicode(1)
		m := c.CMap("T")
		if m == nil {
			m = &cmap.Map{}
		}
		for rest := b; len(rest) > 0; {
			code, n := m.Next(rest)
			m.CID(code)
			rest = rest[n:]
		}
	})
}
