package encoding

import "testing"

func TestUnicode(t *testing.T) {
	for name, want := range map[string]string{
		"A": "A", "space": " ", "fi": "ﬁ", "Euro": "€", "A.swash": "A", "f_f_i": "ffi", "uni0041": "A", "uni00410042": "AB",
		"u1D6FC": "𝛼", "uniD83DDE00": "😀", "uni00zz": "", "visiblespace": "␣", "epsilon1": "ϵ", "afii10017": "А", "negationslash": "\u0338", "g123": "", "": "", ".notdef": "", "unicorn": "",
	} {
		if got := Unicode(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	if CFFStrings() != 391 || CFFString(390) != "Semibold" || CFFString(391) != "" || CFFString(-1) != "" {
		t.Errorf("%d CFF strings", CFFStrings())
	}
	if MacGlyphs() != 258 || MacGlyph(257) != "dcroat" || MacGlyph(3) != "space" {
		t.Errorf("%d Macintosh glyphs", MacGlyphs())
	}
	if Standard()['A'] != "A" || Standard()[0xae] != "fi" || Symbol()['a'] != "alpha" || Dingbats()['!'] != "a1" || Dingbat("a1") != "✁" {
		t.Error("an encoding is wrong")
	}
}

func TestCodePages(t *testing.T) {
	if WinAnsi(0x80) != '€' || WinAnsi(0x95) != '•' || WinAnsi(0x7f) != '•' || WinAnsi(0xe9) != 'é' || WinAnsi(5) != 0 || WinAnsi(0x9f) != 'Ÿ' {
		t.Error("WinAnsiEncoding")
	}
	if MacRoman(0x80) != 'Ä' || MacRoman(0xff) != 'ˇ' || MacRoman('a') != 'a' || MacRoman(0xde) != 'ﬁ' {
		t.Error("MacRomanEncoding")
	}
	for c := 0x20; c < 0x100; c++ {
		r := WinAnsi(byte(c))
		if r == 0 || r == '•' {
			continue
		}
		if back, ok := WinAnsiCode(r); !ok || int(back) != c {
			t.Errorf("code %x of %q comes back as %x", c, r, back)
		}
	}
}

func TestTextString(t *testing.T) {
	for in, want := range map[string]string{
		"abc": "abc", "\xfe\xff\x00A\xd8\x35\xde\xfc": "A𝛼", "\xef\xbb\xbf\xc3\xa9": "é", "\xa0\x84\xe9": "€—é", "\x18": "˘",
	} {
		if got := TextString([]byte(in)); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}
