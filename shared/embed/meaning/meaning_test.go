//go:build !js

package meaning

import (
	"context"
	"errors"
	"testing"

	"seam/shared/embed/encoder"
	"seam/shared/vector"
)

// Texts with the same meaning must be nearer than texts that share a word.
func TestMeaning(t *testing.T) {
	m, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, same, other string }{
		{"how do I make the picture bigger", "Enlarge an image with the zoom control.", "The big picture of our strategy for next year."},
		{"my car does not start", "The engine of the vehicle fails to turn over.", "Start here to learn more about this course."},
		{"I lost my password", "Reset a forgotten credential to sign in again.", "He lost my favourite book on the train."},
		{"speed up slow queries", "How to improve the performance of a database.", "The queries of the journalist came up late."},
	} {
		v, err := m.Embed(context.Background(), []string{c.text, c.same, c.other}, nil)
		if err != nil {
			t.Fatal(err)
		}
		same, other := vector.Dot(v.Row(0), v.Row(1)), vector.Dot(v.Row(0), v.Row(2))
		if same <= other {
			t.Errorf("%q is nearer to %q (%.3f) than to %q (%.3f)", c.text, c.other, other, c.same, same)
		}
	}
}

// Words known only as letters, and other scripts, must count as unknown.
func TestKnows(t *testing.T) {
	m, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"how do I make the picture bigger": true, "os.path.join": true, "read_newton": true, "kubernetes ingress": true, "C++": true, "selenoid": true,
		"": false, "?!": false, "zxqvkj wqpz": false, "привет мир как дела": false, "如何打开文件": false, "كيف أفتح ملفا": false, "🧵🧵": false,
	} {
		if got := m.Knows(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("SeamEnc1"), Packed()[:len(Packed())/2]} {
		if _, err := Load(b); !errors.Is(err, encoder.ErrModel) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}
