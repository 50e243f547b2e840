package text

import (
	"errors"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		noted          bool
	}{
		{"empty", "", "", false},
		{"UTF-8", "Zürich – naïve", "Zürich – naïve", false},
		{"UTF-8 with a mark", "\ufeffone", "\ufeffone", false},
		{"UTF-16 little", "\xff\xfeA\x00\xfc\x00", "Aü", true},
		{"UTF-16 big", "\xfe\xff\x00A\x00\xfc", "Aü", true},
		{"UTF-16 odd", "\xff\xfeA\x00\xfc", "A", true},
		{"Windows-1252", "Z\xfcrich \x96 5 \x80", "Zürich – 5 €", true},
		{"UTF-8 that is cut", "Zürich, Köln, Łódź, naïve, größte \xe2\x80", "Zürich, Köln, Łódź, naïve, größte \ufffd", true},
		{"UTF-8 with a stray byte", strings.Repeat("größer ", 5) + "\xff.", strings.Repeat("größer ", 5) + "\ufffd.", true},
		{"Windows-1252 with a pair", "Z\xfcrich \xc2\xab 5", "Zürich Â« 5", true},
	} {
		got, note, err := Decode([]byte(tt.in))
		if err != nil || got != tt.want || (note != "") != tt.noted {
			t.Errorf("%s: %q, %q, %v", tt.name, got, note, err)
		}
		if Plain([]byte(tt.in)) == tt.noted {
			t.Errorf("%s: plain: %t", tt.name, !tt.noted)
		}
	}
	for name, in := range map[string]string{
		"NUL": "text\x00text", "UTF-32": "\xff\xfe\x00\x00A\x00\x00\x00", "NUL in UTF-16": "\xfe\xff\x00A\x00\x00", "NUL and bad": "\xff\x00\x01", "NUL and damaged": strings.Repeat("é", 20) + "\xff\x00", "JPEG": "\xff\xd8\xff\xe0\x01\x02\x03\x04",
	} {
		if _, _, err := Decode([]byte(in)); !errors.Is(err, ErrBinary) || Plain([]byte(in)) {
			t.Errorf("%s: %v, plain: %t", name, err, Plain([]byte(in)))
		}
	}
}
