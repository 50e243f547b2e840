package cmap

import "testing"

const sample = `/WMode 0 def
2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
2 beginbfchar <01> <0041> <8001> <D835DEFC> endbfchar
2 beginbfrange <10> <12> <0061> <20> <21> [<0066006C> /fi] endbfrange
1 begincidrange <8000> <80ff> 100 endcidrange
1 begincidchar <05> 7 endcidchar`

func TestParse(t *testing.T) {
	m := Parse([]byte(sample))
	for code, want := range map[uint32]string{1: "A", 0x8001: "𝛼", 0x10: "a", 0x12: "c", 0x20: "fl", 0x21: "ﬁ"} {
		if got, ok := m.Unicode(code); !ok || got != want {
			t.Errorf("code %x: %q, not %q", code, got, want)
		}
	}
	if _, ok := m.Unicode(2); ok {
		t.Error("code 2 has a text")
	}
	for code, want := range map[uint32]int{0x8001: 101, 5: 7, 6: 6} {
		if got := m.CID(code); got != want {
			t.Errorf("code %x: CID %d, not %d", code, got, want)
		}
	}
}

func TestNext(t *testing.T) {
	m := Parse([]byte(sample))
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

func TestPredefined(t *testing.T) {
	if m, ok := Predefined("Identity-V"); !ok || !m.Vertical || m.CID(300) != 300 {
		t.Error("Identity-V")
	}
	m, ok := Predefined("UniJIS-UCS2-H")
	if s, _ := m.Unicode(0x6f22); !ok || s != "漢" {
		t.Errorf("UniJIS-UCS2-H: %q", s)
	}
	if _, ok := Predefined("GBK-EUC-H"); ok {
		t.Error("GBK-EUC-H is known")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("1 beginbfrange <00000000> <ffffffff> <00> endbfrange"))
	f.Add([]byte("1 begincodespacerange <> <> endcodespacerange"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := Parse(b)
		for rest := b; len(rest) > 0; {
			code, n := m.Next(rest)
			if n < 1 || n > len(rest) {
				t.Fatalf("code of %d bytes", n)
			}
			m.Unicode(code)
			m.CID(code)
			rest = rest[n:]
		}
	})
}
