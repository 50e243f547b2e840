package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// zipf returns n texts of some 120 words, from a vocabulary of 60,000 words with the
// frequencies of a natural language.
func zipf(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.07, 8, 60_000)
	words := make([]string, 60_001)
	for i := range words {
		words[i] = fmt.Sprintf("w%s%d", strings.Repeat("ab", i%4), i)
	}
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range 120 {
			b.WriteString(words[z.Uint64()])
			b.WriteByte(' ')
		}
		texts[i] = b.String()
	}
	return texts
}

func BenchmarkAnalyse(b *testing.B) {
	texts := zipf(10_000)
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := Analyse(Source{Texts: texts}, unwatched); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	texts := zipf(100_000)
	d, err := Analyse(Source{Texts: texts}, unwatched)
	if err != nil {
		b.Fatal(err)
	}
	c := NewCorpus(d)
	for _, query := range []string{"w100 wab1001", "w20 wab101 wabab502 wababab1003 w4000"} {
		b.Run(fmt.Sprint(len(strings.Fields(query)), " words"), func(b *testing.B) {
			for b.Loop() {
				c.Search(Query{Asked: c.Parse(query, true, nil), K: 10, Mode: Keyword, Texts: func(i int) string { return texts[i] }})
			}
		})
	}
}
