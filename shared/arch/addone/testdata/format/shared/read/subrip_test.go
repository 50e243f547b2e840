package read

import (
	"errors"
	"testing"

	"seam/shared/text"
)

func TestSubrip(t *testing.T) {
	for file, want := range map[string]string{
		"1\r\n00:00:01,000 --> 00:00:02,500\r\nA mill turns.\r\nIt grinds.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nWhy? 42.\r\n": "A mill turns.\nIt grinds.\nWhy? 42.",
		"": "",
	} {
		d, err := All().Read("a.srt", []byte(file), Options{})
		if err != nil || d.View(text.Reading).Text != want {
			t.Errorf("%q: %v, %v", file, d, err)
		}
	}
	if _, err := All().Read("a.srt", []byte("1\n\x00\x01\x02"), Options{}); !errors.Is(err, text.ErrUnclear) {
		t.Errorf("%v", err)
	}
}
