package text

import (
	"errors"
	"reflect"
	"testing"
)

func sample() *Document {
	pages := []Page{
		{Number: 1, Width: 595, Height: 842, Text: "Two words\n", Words: []Word{
			{Span{0, 3}, Box{72, 72, 90.5, 84}}, {Span{4, 9}, Box{93, 72, 120, 84}}}},
		{Number: 2, Width: 595, Height: 842, Words: []Word{}},
		{Number: 3, Width: 300, Height: 400.25, Text: "é\n", Words: []Word{{Span{0, 2}, Box{1, 2, 3, 4}}}},
	}
	d := NewPaged(pages, View{Text: "Two words é", Runs: []Run{{0, 0, 0, 9}, {10, 2, 0, 2}}})
	d.Name, d.Title, d.Notes = "a.pdf", "Ä title", []string{"page 2 holds images without text (scanned)"}
	return d
}

func TestDecodeGivesBackWhatWasEncoded(t *testing.T) {
	for name, d := range map[string]*Document{"paged": sample(), "plain": NewPlain("a\fb"), "empty": {}} {
		got, err := DecodeDocument(Encode(d))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again := Encode(got); string(again) != string(Encode(d)) {
			t.Errorf("%s: encodes differently after decoding", name)
		}
		if name == "paged" && !reflect.DeepEqual(got, d) {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, d)
		}
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	good := Encode(sample())
	for n := range good {
		if _, err := DecodeDocument(good[:n]); !errors.Is(err, errDamaged) {
			t.Fatalf("cut at %d of %d: %v", n, len(good), err)
		}
	}
	if _, err := DecodeDocument(append(good, 0)); err == nil {
		t.Error("a byte too many passes")
	}
	wrong := sample()
	wrong.reading.Runs[1].From = 1
	if _, err := DecodeDocument(Encode(wrong)); err == nil {
		t.Error("a run that differs from its page passes")
	}
}

func FuzzDecodeDocument(f *testing.F) {
	f.Add(Encode(sample()))
	f.Add(Encode(NewPlain("x")))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := DecodeDocument(b)
		if err != nil {
			return
		}
		if _, err := DecodeDocument(Encode(d)); err != nil {
			t.Errorf("decoded, but what it encodes to is refused: %v", err)
		}
	})
}
