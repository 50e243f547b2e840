package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// coded returns sources that use every feature of an index.
func coded() []Source {
	long := strings.Repeat("w", longestWord)
	return []Source{
		garden,
		{},
		{Texts: []string{"", "", ""}},
		{Title: "On Mills", Texts: []string{"The mill turns.", "Sails of mills.", "Größe der Mühlen 字典 12 " + long, "İstanbul ŒUVRE"},
			Sections: []Section{{"Windmills", 0, 4}, {"Sails and mills", 1, 2}, {"None", 3, 3}}, Expansions: []map[string]float64{{"wind": 2, "miller": .5}, nil, nil, {"wind": 9}}},
		{Texts: []string{strings.Repeat("Der Müller öffnete das Wehr und ließ das Wasser herein. ", 9), "Die Mühlen der Müller."}},
		{Texts: zipf(200)},
	}
}

func TestCodec(t *testing.T) {
	for i, s := range coded() {
		want, err := Analyse(s, unwatched)
		if err != nil {
			t.Fatal(err)
		}
		b := want.Encode()
		got, err := Decode(b, s)
		if err != nil {
			t.Fatalf("source %d: %v", i, err)
		}
		for _, l := range []*[]byte{&got.postings, &want.postings} {
			*l = append([]byte{}, *l...) // treat nil and empty as equal
		}
		if len(want.words) == 0 {
			got.words, got.at = want.words, want.at
		}
		if !reflect.DeepEqual(got, want) || !bytes.Equal(got.Encode(), b) {
			t.Errorf("source %d: %+v\nwant %+v", i, got, want)
		}
	}
}

// Damaged bytes must be refused or give a searchable index. Bytes of a source with another
// number of texts must be refused.
func TestDecodeDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for _, s := range coded() {
		d, err := Analyse(s, unwatched)
		if err != nil {
			t.Fatal(err)
		}
		whole := d.Encode()
		for n := range whole {
			if _, err := Decode(whole[:n], s); len(d.words) > 0 && !errors.Is(err, ErrEncoding) {
				t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
			}
			if n > 2000 {
				break
			}
		}
		if _, err := Decode(whole, Source{Texts: append(slices.Clone(s.Texts), "more")}); !errors.Is(err, ErrEncoding) {
			t.Errorf("of other texts: %v", err)
		}
		for range 2000 {
			b := slices.Clone(whole)
			for range 1 + random.IntN(3) {
				b[random.IntN(len(b))] = byte(random.IntN(256))
			}
			if !use(b, s) {
				refused++
			}
		}
	}
	if refused < 2000 {
		t.Errorf("only %d were refused", refused)
	}
}

// A few bytes must not allocate much memory, neither by claiming many forms, nor by forms
// that each extend the one before.
func TestDecodeTakesNoMore(t *testing.T) {
	head := func(forms int) []byte {
		b := append([]byte{encoding, 2}, "en"...)
		return binary.AppendUvarint(append(b, 0), uint64(forms))
	}
	const forms = 30_000
	longer, same := head(forms), 0
	for range forms {
		longer = append(binary.AppendUvarint(longer, uint64(same)), 1, 'a', 0, 2)
		same++
	}
	longer = append(longer, make([]byte, 2*forms)...)
	for name, b := range map[string][]byte{"forms that are not there": append(head(1<<20), make([]byte, 1<<20)...), "ever longer forms": longer} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Decode(b, Source{}); !errors.Is(err, ErrEncoding) {
			t.Errorf("%s: %v", name, err)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > uint64(20*len(b)) {
			t.Errorf("%s: %d bytes for %d", name, after.TotalAlloc-before.TotalAlloc, len(b))
		}
	}
}

// use decodes b and searches the result. It returns false if decoding fails.
func use(b []byte, s Source) bool {
	d, err := Decode(b, s)
	if err != nil {
		return false
	}
	c := NewCorpus(d, d)
	for _, query := range append([]string{"mills turn in the wind", "tomatos", "\"der müller\"", "w12 wab100"}, c.forms[:min(3, len(c.forms))]...) {
		c.Search(Query{Asked: c.Parse(query, true, nil), K: 5, Mode: Hybrid, Texts: func(i int) string { return s.Texts[i%len(s.Texts)] }})
	}
	return true
}

func FuzzDecode(f *testing.F) {
	for _, s := range coded() {
		if d, err := Analyse(s, unwatched); err == nil {
			f.Add(d.Encode())
		}
	}
	s := coded()[3]
	f.Fuzz(func(t *testing.T, b []byte) { use(b, s) })
}

func BenchmarkDecode(b *testing.B) {
	s := Source{Texts: zipf(10_000)}
	size := 0
	for _, t := range s.Texts {
		size += len(t)
	}
	d, err := Analyse(s, unwatched)
	if err != nil {
		b.Fatal(err)
	}
	coded := d.Encode()
	b.SetBytes(int64(size))
	b.ReportMetric(float64(len(coded)), "bytes")
	for b.Loop() {
		if _, err := Decode(coded, s); err != nil {
			b.Fatal(err)
		}
	}
}
