package index

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// invented returns n words. Many share their first eight bytes with others, and some are
// the beginning of others.
func invented(r *rand.Rand, n int) []string {
	parts := []string{"a", "ab", "abcdefgh", "größe", "mühlen", "running", "walked", "字典", "ing", "s", "zz", "12345678"}
	words := make([]string, n)
	for i := range words {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		words[i] = b.String()
	}
	return words
}

// Merging must give the same as collecting all forms and stems in maps and sorting them. The
// documents are in several languages, and some of them are restored from their bytes.
func TestMergeIsSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		words := invented(r, 1+r.IntN(400))
		var docs []*Document
		for range r.IntN(12) {
			var s Source
			for range r.IntN(5) {
				var b strings.Builder
				for range r.IntN(80) {
					fmt.Fprint(&b, words[r.IntN(len(words))], " ")
				}
				switch r.IntN(3) {
				case 0:
					b.WriteString(strings.Repeat("Der Müller öffnete das Wehr und ließ das Wasser herein. ", 4))
				case 1:
					b.WriteString(strings.Repeat("The miller opened the weir and let the water in. ", 4))
				}
				s.Texts = append(s.Texts, b.String())
			}
			d, err := Analyse(s, unwatched)
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 {
				if d, err = Decode(d.Encode(), s); err != nil {
					t.Fatal(err)
				}
			}
			docs = append(docs, d)
		}
		c := NewCorpus(docs...)
		in, of := map[string][]place{}, map[string]map[string]bool{}
		for n, d := range docs {
			for i := range d.words {
				f, stem := d.form(i), d.stem(i)
				in[f] = append(in[f], place{uint32(n), d.at[i]})
				if of[stem] == nil {
					of[stem] = map[string]bool{}
				}
				of[stem][f] = true
			}
		}
		forms, stems := sortedKeys(in), sortedKeys(of)
		if !slices.Equal(c.Forms(), forms) || int(c.stems.n) != len(stems) {
			t.Fatalf("round %d: forms %q\nwant %q\n%d stems, want %q", round, c.Forms(), forms, c.stems.n, stems)
		}
		for i, f := range forms {
			if got := c.in[c.lists[i]:c.lists[i+1]]; !slices.Equal(got, in[f]) {
				t.Fatalf("round %d: %s is in %v, want %v", round, f, got, in[f])
			}
		}
		for _, stem := range stems {
			var got []string
			for _, f := range c.withStem(stem) {
				got = append(got, c.forms[f])
			}
			if want := sortedKeys(of[stem]); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %s has %q, want %q", round, stem, got, want)
			}
		}
	}
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// An empty corpus has no stems, and neither has a stem of no word.
func TestNoStem(t *testing.T) {
	d, err := Analyse(Source{Texts: []string{"The miller opened the weir."}}, unwatched)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Corpus{NewCorpus(), NewCorpus(d)} {
		if forms := c.withStem("lathe"); len(forms) > 0 {
			t.Errorf("forms %v", forms)
		}
	}
}

// Texts must be in the order of their bytes, even of bytes that no word has.
func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		texts := make([]string, r.IntN(300))
		for i := range texts {
			b := make([]byte, r.IntN(12))
			for j := range b {
				b[j] = []byte{0, 1, 'a', 0xff}[r.IntN(4)]
			}
			texts[i] = string(b)
		}
		var got []string
		for _, i := range ordered(len(texts), func(i int32) string { return texts[i] }, func(a, b int32) bool { return texts[a] < texts[b] }) {
			got = append(got, texts[i])
		}
		if slices.Sort(texts); !slices.Equal(got, texts) {
			t.Fatalf("%q, want %q", got, texts)
		}
	}
}
