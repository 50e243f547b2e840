package charset

import (
	"errors"
	"strings"
	"testing"

	"seam/shared/text"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		notes          int
	}{
		{"empty", "", "", 0},
		{"UTF-8", "Zürich – naïve", "Zürich – naïve", 0},
		{"UTF-8 with a mark", "\ufeffone", "\ufeffone", 0},
		{"UTF-8 with a mark and a stray byte", "\ufeffa\xe9b", "\ufeffa\ufffdb", 1},
		{"UTF-16 little", "\xff\xfeA\x00\xfc\x00", "Aü", 1},
		{"UTF-16 big", "\xfe\xff\x00A\x00\xfc", "Aü", 1},
		{"UTF-16 odd", "\xff\xfeA\x00\xfc", "A", 1},
		{"UTF-16 without a mark", "T\x00h\x00e\x00 \x00s\x00e\x00a\x00", "The sea", 1},
		{"UTF-16 big without a mark", "\x04\x1c\x04>\x04@\x04\x35\x00 \x04\x38\x00 \x04\x3b\x04\x35\x04\x41", "Море и лес", 1},
		{"Windows-1252", "Z\xfcrich \x96 5 \x80", "Zürich – 5 €", 1},
		{"quotes", "\x93It\x92s late,\x94 he said.", "“It’s late,” he said.", 1},
		{"UTF-8 that is cut", "Zürich, Köln, Łódź, naïve, größte \xe2\x80", "Zürich, Köln, Łódź, naïve, größte \ufffd", 1},
		{"UTF-8 with a stray byte", strings.Repeat("größer ", 5) + "\xff.", strings.Repeat("größer ", 5) + "\ufffd.", 1},
		{"one NUL", "A text with\x00one NUL.", "A text with\ufffdone NUL.", 1},
		{"a run of NULs", "A log that ends." + strings.Repeat("\x00", 10), "A log that ends.\ufffd", 1},
		{"NUL and damaged", strings.Repeat("é", 20) + "\xff\x00", strings.Repeat("é", 20) + "\ufffd\ufffd", 2},
		{"NUL in UTF-16", "\xff\xfe" + strings.Repeat("a\x00", 20) + "\x00\x00", strings.Repeat("a", 20) + "\ufffd", 2},
		{"escapes", "\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m", 0},
	} {
		got, notes, err := Decode([]byte(tt.in), Options{})
		if err != nil || got != tt.want || len(notes) != tt.notes {
			t.Errorf("%s: %q, %q, %v", tt.name, got, notes, err)
		}
		if text.Plain([]byte(tt.in)) != (tt.notes == 0) {
			t.Errorf("%s: plain: %t", tt.name, tt.notes > 0)
		}
	}
	for name, in := range map[string]string{
		"short": "a\x00b", "UTF-32": "\xff\xfe\x00\x00A\x00\x00\x00", "NUL in short UTF-16": "\xfe\xff\x00A\x00\x00",
		"NUL and bad": "\xff\x00\x01", "JPEG": "\xff\xd8\xff\xe0\x01\x02\x03\x04", "NULs": "a text" + strings.Repeat("\x00", 1000),
		"records": strings.Repeat("name\x00\x05\x00", 50), "padded": strings.Repeat("ab\x00\x00", 50),
	} {
		if got, _, err := Decode([]byte(in), Options{}); !errors.Is(err, text.ErrBinary) || text.Plain([]byte(in)) {
			t.Errorf("%s: %q, %v, plain: %t", name, got, err, text.Plain([]byte(in)))
		}
	}
}

func TestDeclaration(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"<p>charset=big5":                  "",
		"charset=big5 <meta charset=big5>": "", // no markup
		"<meta charset=Shift_JIS>":         "shift_jis",
		"<!doctype html>\n<html><META CHARSET = 'KOI8-R' />":                           "koi8-r",
		`<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">`:   "windows-1251",
		`<meta content='text/html;charset=euc-kr' http-equiv=content-type>`:            "euc-kr",
		`<meta name=viewport content=x><!-- <meta charset=big5> --><meta charset=gbk>`: "gbk",
		`<!-- <meta charset=big5>`:                                                                "",
		`<script src=a charset=utf-8></script><meta charset="euc-jp">`:                            "euc-jp",
		`<?xml version="1.0" encoding='ISO-8859-2'?><html>`:                                       "iso-8859-2",
		`<?xml version="1.0" encoding = "iso-8859-2" standalone="yes"?><html><meta charset=utf8>`: "utf8",
		"<?xml version='1.0'":                                                                     "",
		" \n<meta name=a>" + strings.Repeat(" ", 2000) + "<meta charset=gbk>":                     "gbk",
	} {
		if got := declaration([]byte(in)); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
