package terminal

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A terminal gets no character of a document that it may obey, wherever the writes are divided.
func TestStdoutOfATerminal(t *testing.T) {
	text := "a\x1b[31mred\x1b]0;evil\x07 \u009b2J\x7f é 漢字 🐝\tb\r\n\f \u202eback \x00"
	want := `a\x1b[31mred\x1b]0;evil\a \u009b2J\x7f é 漢字 🐝` + "\tb\r\n\f " + `\u202eback \x00`
	for at := range text {
		for _, length := range []int{1, 2, 3, 5} {
			var out bytes.Buffer
			s := NewStdout(context.Background(), &out)
			s.safe = true
			cut := min(len(text), at+length)
			for _, part := range []string{text[:at], text[at:cut], text[cut:]} {
				if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatalf("%q: %d, %v", part, n, err)
				}
			}
			if out.String() != want {
				t.Fatalf("divided at %d and %d: %q, want %q", at, cut, out.String(), want)
			}
		}
	}
	var out bytes.Buffer
	s := NewStdout(context.Background(), &out)
	if s.Write([]byte(text)); out.String() != text {
		t.Errorf("a file got %q", out.String())
	}
	out.Reset()
	s.safe = true
	if s.Write([]byte("a\xffb\xc3(")); !strings.HasPrefix(out.String(), `a\xffb\xc3(`) {
		t.Errorf("%q", out.String())
	}
}
