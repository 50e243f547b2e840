package cmap

import (
	"math/rand/v2"
	"strings"
	"testing"
)

const sample = `/WMode 0 def
2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
2 beginbfchar <01> <0041> <8001> <D835DEFC> endbfchar
2 beginbfrange <10> <12> <0061> <20> <21> [<0066006C> /fi] endbfrange
1 begincidrange <8000> <80ff> 100 endcidrange
1 begincidchar <05> 7 endcidchar
1 beginnotdefrange <30> <3f> 1 endnotdefrange`

func parse(s string) *Map { return Parse([]byte(s), nil, nil) }

func wantTexts(t *testing.T, m *Map, texts map[uint32]string) {
	t.Helper()
	for code, want := range texts {
		if got, ok := m.Unicode(code); !ok || got != want {
			t.Errorf("code %x: %q, not %q", code, got, want)
		}
	}
}

func wantCIDs(t *testing.T, m *Map, cids map[uint32]int) {
	t.Helper()
	for code, want := range cids {
		if got, ok := m.CID(code); got != want || ok != (want != 0) {
			t.Errorf("code %x: CID %d, not %d", code, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	m := parse(sample)
	wantTexts(t, m, map[uint32]string{1: "A", 0x8001: "𝛼", 0x10: "a", 0x12: "c", 0x20: "fl", 0x21: "ﬁ"})
	if _, ok := m.Unicode(2); ok {
		t.Error("code 2 has a text")
	}
	wantCIDs(t, m, map[uint32]int{0x8001: 101, 5: 7, 6: 0, 0x30: 1, 0x3f: 1})
}

// Common errors in files, and their intended meaning.
func TestSloppy(t *testing.T) {
	m := parse(`1 beginbfrange <00f8> <0107> <00f0> <20> <22> <d83ddeff> <30> <31> <00660069> endbfrange
		3 beginbfchar <1> <00 41> <02> <> <0003> <42>
		1 beginbfrange <40><42><0061> junk <50> <51> [<0078> <0079> <007a>] 60 <61> <0041> endbfrange
		1 begincidchar <99> -5 <98> 70000 <97> 3`)
	wantTexts(t, m, map[uint32]string{
		0xf8: "ð", 0x107: "ÿ", 0x20: "\U0001f6ff", 0x22: "\U0001f701", 0x30: "fi", 0x31: "fj", // past the end of a byte, in surrogates, the last of two characters
		0x10: "A", 2: "", 3: "B", // an odd digit, no text, one byte
		0x50: "x", 0x52: "z", // "junk" ends the section before it
	})
	wantCIDs(t, parse("1 beginbfchar <0041> <0024> endbfchar"), map[uint32]int{0x41: 0x24, 0x42: 0x42}) // CIDs given as characters
	// Line ends are missing.
	wantTexts(t, parse("def1 begincodespacerange <20> <23> endcodespacerange2 beginbfchar<20> <00DC><21> <00E4>endbfcharendcmap"), map[uint32]string{0x20: "Ü", 0x21: "ä"})
	wantCIDs(t, m, map[uint32]int{0x99: 0, 0x98: 0, 0x97: 3}) // the section has no end
}

// A later range must override an earlier one, in any order.
func TestOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var ranges []Range
		want := map[uint32]uint32{}
		for i := range 1 + r.IntN(12) {
			lo, n := uint32(r.IntN(40)), uint32(r.IntN(10))
			x := Range{lo, lo + n, uint32(1000 * (i + 1))}
			ranges = append(ranges, x)
			for k := range n + 1 {
				want[lo+k] = x.Value + k
			}
		}
		got := sorted(ranges)
		for key := range uint32(60) {
			v, ok := got.Find(key)
			if w, there := want[key]; v != w || ok != there {
				t.Fatalf("%v: key %d stands for %d, not %d, in %v", ranges, key, v, w, got)
			}
		}
	}
}

func TestUseCMap(t *testing.T) {
	base := parse("1 begincodespacerange <00> <ff> endcodespacerange 1 begincidrange <10> <1f> 50 endcidrange")
	for name, m := range map[string]*Map{
		"operator": Parse([]byte("/Base usecmap 1 begincidchar <11> 7 endcidchar"), nil, func(name string) *Map {
			if name != "Base" {
				t.Errorf("asked for %q", name)
			}
			return base
		}),
		"dictionary": Parse([]byte("1 begincidchar <11> 7 endcidchar"), base, nil),
	} {
		t.Run(name, func(t *testing.T) {
			wantCIDs(t, m, map[uint32]int{0x10: 50, 0x11: 7, 0x12: 52, 0x20: 0})
			if _, n := m.Next([]byte{0x10, 0x11}); n != 1 {
				t.Errorf("code of %d bytes", n)
			}
		})
	}
	m := Parse([]byte(strings.Repeat("/Base usecmap ", 1000)), nil, func(string) *Map { return base })
	if len(m.spaces) != 1 {
		t.Errorf("%d code spaces by using one CMap again and again", len(m.spaces))
	}
	for range 100 {
		m = Parse(nil, m, nil)
	}
	if n := m.depth(); n > maxUses+2 {
		t.Errorf("%d CMaps, one above the other", n)
	}
}

func TestNext(t *testing.T) {
	m := parse(sample)
	b := []byte{0x01, 0x80, 0x01, 0xff}
	for _, want := range []struct {
		code uint32
		n    int
	}{{1, 1}, {0x8001, 2}, {0xff, 1}} {
		code, n := m.Next(b)
		if code != want.code || n != want.n {
			t.Errorf("code %x of %d bytes, not %x of %d", code, n, want.code, want.n)
		}
		b = b[n:]
	}
	if code, n := new(Map).Next([]byte{1, 2, 3}); code != 0x102 || n != 2 {
		t.Errorf("zero map: code %x of %d bytes", code, n)
	}
}

// Each byte of a code is within its own limits. Other bytes have the length of the codes
// they resemble most.
func TestSpaces(t *testing.T) {
	m := parse("3 begincodespacerange <00> <80> <8140> <9ffc> <e0408080> <efffffff> endcodespacerange")
	for in, want := range map[string]int{
		"\x80\x81": 1, "\x81\x40": 2, "\x81\xfd": 2, "\xe1\x40\x80\x80": 4, "\xe1\x30\x80\x80": 4, "\xe1\x40\x70\x80": 4, "\xd0\x40": 1,
	} {
		if _, n := m.Next([]byte(in)); n != want {
			t.Errorf("%x: %d bytes, not %d", in, n, want)
		}
	}
}

func TestPredefined(t *testing.T) {
	if m := Predefined("Identity-V"); m == nil || !m.Vertical {
		t.Error("Identity-V")
	} else {
		wantCIDs(t, m, map[uint32]int{300: 300})
	}
	for name, in := range map[string]string{
		"UniJIS-UCS2-H": "\x6f\x22", "UniJIS-UTF16-H": "\x6f\x22", "UniJIS-UTF8-H": "漢", "UniGB-UTF32-V": "\x00\x00\x6f\x22",
		"UniJIS-UTF16-V": "\xd8\x42\xdf\xb7", "UniJIS2004-UTF8-H": "𠮷",
	} {
		m := Predefined(name)
		code, n := m.Next([]byte(in))
		if s, _ := m.Unicode(code); n != len(in) || s != "漢" && s != "𠮷" {
			t.Errorf("%s: %q of %d bytes", name, s, n)
		}
		if cid, ok := m.CID(code); ok {
			t.Errorf("%s: CID %d", name, cid)
		}
	}
	if Predefined("GBK-EUC-H") != nil {
		t.Error("GBK-EUC-H needs no table")
	}
}

// UTF-8 and UTF-16 codes must find the same character in one table.
func TestForm(t *testing.T) {
	table := &Table{Base: &Table{CIDs: Ranges{{0x20, 0x2ffff, 1}}}, CIDs: Ranges{{'A', 'A', 0}, {'é', 'é', 7}}}
	for form, codes := range map[Form]map[rune]uint32{
		UTF8:  {'A': 'A', 'é': 0xc3a9, '漢': 0xe6bca2, '𠮷': 0xf0a0aeb7},
		UTF16: {'A': 'A', 'é': 0xe9, '漢': 0x6f22, '𠮷': 0xd842dfb7},
		UTF32: {'A': 'A', 'é': 'é', '漢': '漢', '𠮷': '𠮷'},
	} {
		m := New(false, form, form.spaces(), table)
		wantCIDs(t, m, map[uint32]int{codes['A']: 0, codes['é']: 7, codes['漢']: '漢' - 31, codes['𠮷']: '𠮷' - 31})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("1 beginbfrange <00000000> <ffffffff> <00> endbfrange"))
	f.Add([]byte("1 beginbfrange <fffffff0> <ffffffff> <dbffdfff> <00> <ff> <00660066> endbfrange /Self usecmap"))
	f.Add([]byte("1 begincodespacerange <> <> endcodespacerange"))
	f.Add([]byte("begincidrange " + strings.Repeat("<0000> <ffff> 1 <80> <90> 65535 ", 50)))
	f.Fuzz(func(t *testing.T, b []byte) {
		find := func(string) *Map { return Parse([]byte("/A usecmap"), nil, nil) }
		m := Parse(b, find(""), find)
		for rest := b; len(rest) > 0; {
			code, n := m.Next(rest)
			if n < 1 || n > len(rest) {
				t.Fatalf("code of %d bytes", n)
			}
			m.Unicode(code)
			if cid, ok := m.CID(code); cid < 0 || !ok && cid != 0 {
				t.Fatalf("CID %d, %v", cid, ok)
			}
			rest = rest[n:]
		}
	})
}
