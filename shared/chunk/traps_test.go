package chunk

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// These tests cover mistakes of other chunkers, by their numbers in the study of chunkers.
// Package breakpoint tests the ones about thresholds (1 to 5), package embed the ones about
// vectors (11, 12, 15).

// input returns a text with sentences, and vectors along the given directions.
func input(body string, directions ...int) Input {
	in := Input{View: text.NewPlain(body).View(text.Reading), Sentences: sentence.Split(body)}
	in.Vectors = vector.New(len(in.Sentences), 40)
	for i := range in.Sentences {
		in.Vectors.Row(i)[directions[i%len(directions)]] = 1
	}
	in.Similarities = vector.Adjacent(in.Vectors)
	return in
}

func numbered(n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "Sentence number %d ends here. ", i)
	}
	return strings.TrimSpace(sb.String())
}

func cut(t *testing.T, c Chunker, in Input, limits Limits) []Chunk {
	t.Helper()
	return cutBy(t, c, in, Criterion{}, limits)
}

func cutBy(t *testing.T, c Chunker, in Input, by Criterion, limits Limits) []Chunk {
	t.Helper()
	_, chunks, err := Cut(c, in, by, limits)
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

// method returns the Chunker of the named method.
func method(name string) Chunker {
	m, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return m.Chunker
}

// broken returns a Chunker that ends chunks after the given sentences.
func broken(after ...int) Chunker {
	return direct(func(in Input, limits Limits) ([]Chunk, error) {
		var ends []boundary
		for _, i := range after {
			ends = append(ends, boundary{after: i, reason: Reason{Kind: ReasonTopic}})
		}
		return atBoundaries(in, ends, limits)
	})
}

func TestTrap2EqualDistancesBreakNothing(t *testing.T) {
	in := input(strings.Repeat("The same again. ", 9), 3)
	if got := cut(t, method("percentile"), in, Limits{Counter: token.Words}); len(got) != 1 {
		t.Errorf("%d chunks", len(got))
	}
}

func TestTrap6CountIsExactAlsoWithTies(t *testing.T) {
	in := input(numbered(12), 1, 1, 2)
	for n := 1; n <= 12; n++ {
		if got := cutBy(t, method("percentile"), in, Criterion{ByCount, float64(n)}, Limits{Counter: token.Words}); len(got) != n {
			t.Errorf("%d chunks, want %d", len(got), n)
		}
	}
}

// methods take a maximum, a minimum and an overlap.
var methods = map[string]Chunker{"broken": broken(2, 3, 9), "recursive": method("recursive"), "sentences": method("sentences"), "cluster": method("cluster")}

func TestTrap7MaximumHoldsForWhatHasNoPlaceToCut(t *testing.T) {
	for name, body := range map[string]string{
		"sentence": strings.Repeat("word ", 10_000), "address": "https://example.org/" + strings.Repeat("a%20b/", 8000),
		"base64": strings.Repeat("QUJDRA9+/", 6000), "Chinese": strings.Repeat("今天天气很好我们去公园", 1500)} {
		in := input(body, 1)
		for of, c := range methods {
			if of == "broken" {
				c = broken()
			}
			for i, x := range cut(t, c, in, Limits{Max: 90, Overlap: 15, Counter: token.Characters}) {
				if x.Tokens > 90 {
					t.Fatalf("%s, %s: chunk %d has %d characters", of, name, i, x.Tokens)
				}
			}
		}
	}
}

func TestTrap7MinimumHoldsForTheLastChunkToo(t *testing.T) {
	for n := 14; n < 60; n++ {
		in := input(numbered(n), 1, 1, 2, 2, 2, 3)
		for method, c := range methods {
			chunks := cut(t, c, in, Limits{Min: 12, Max: 40, Counter: token.Words})
			for i, x := range chunks {
				if x.Tokens < 12 || x.Tokens > 40 {
					t.Fatalf("%s, %d sentences: chunk %d of %d has %d words", method, n, i, len(chunks), x.Tokens)
				}
			}
		}
	}
}

// pairs counts every two characters as one unit, so lengths of parts do not add up to the
// length of the whole.
type pairs struct{ token.Counter }

func (pairs) Count(t string) int { return (len(t) + 1) / 2 }

func TestTrap8TokensAreThoseOfTheTextAndNoSum(t *testing.T) {
	in := input("One. Two three. Four five six. Seven.", 1)
	for name, c := range methods {
		if name == "broken" {
			c = broken()
		}
		for _, x := range cut(t, c, in, Limits{Max: 30, Counter: pairs{token.Estimate}}) {
			if want := (x.Len() + 1) / 2; x.Tokens != want {
				t.Errorf("%s: %d, want %d", name, x.Tokens, want)
			}
		}
	}
}

func TestTrap9ChunksOverPagesListThem(t *testing.T) {
	body := "\ufeffFirst page.\r\nIt goes on\fover the second\fand the third. Same. Same.\fLast."
	in := input(body, 1)
	got := cut(t, broken(0), in, Limits{Counter: token.Words})
	if len(got) != 2 || got[0].First != 0 || got[1].Last != 3 || got[1].First > 1 {
		t.Errorf("%+v", got)
	}
	for i, x := range cut(t, method("page"), in, Limits{Counter: token.Words}) {
		if x.First != i || x.Last != i {
			t.Errorf("page %d: %+v", i, x)
		}
	}
}

func TestTrap10TenMegabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	body := strings.Repeat("A line of a long text without any stop and\nwith words that go on ", 150_000)
	start := time.Now()
	for name, c := range map[string]Chunker{"fixed": method("fixed"), "recursive": method("recursive")} {
		if got := cut(t, c, Input{View: text.NewPlain(body).View(text.Reading)}, Limits{Max: 2000, Counter: token.Characters}); len(got) < 4000 {
			t.Errorf("%s: %d chunks", name, len(got))
		}
	}
	t.Log(time.Since(start))
}

func TestTrap13TheFirstAndTheLastGapAreSeen(t *testing.T) {
	in := input(numbered(20), 1)
	in.Vectors.Row(0)[1], in.Vectors.Row(0)[2] = 0, 1
	in.Vectors.Row(19)[1], in.Vectors.Row(19)[3] = 0, 1
	in.Similarities = vector.Adjacent(in.Vectors)
	for name, by := range map[string]Criterion{"percentile": {ByCount, 3}, "cluster": {}} {
		got := cutBy(t, method(name), in, by, Limits{Counter: token.Words})
		if len(got) != 3 || got[0].End != in.Sentences[0].End || got[2].Start != in.Sentences[19].Start {
			t.Errorf("%s: %d chunks", name, len(got))
		}
	}
}

func TestTrap16InputStaysAsItIs(t *testing.T) {
	in := input("# One\n\nFirst. Second.\fThird. Fourth.", 1, 2)
	before := Input{View: in.View, Sentences: slices.Clone(in.Sentences), Similarities: slices.Clone(in.Similarities),
		Vectors: vector.Matrix{Rows: in.Vectors.Rows, Dim: in.Vectors.Dim, Data: slices.Clone(in.Vectors.Data)}}
	for _, name := range []string{"sections", "page", "cluster", "fixed", "recursive"} {
		cut(t, method(name), in, Limits{Max: 3, Overlap: 0, Counter: token.Words})
		if !reflect.DeepEqual(in, before) {
			t.Errorf("%s has changed its input", name)
		}
	}
}

// Chroma's program joins dissimilar sentences beyond its maximum. Here fourteen sentences
// have nothing in common, then ten are similar.
func TestTrap18ClustersOfUnlikeSentencesKeepTheMaximum(t *testing.T) {
	var directions []int
	for i := range 24 {
		directions = append(directions, min(i, 14))
	}
	in := input(numbered(24), directions...)
	got := cut(t, method("cluster"), in, Limits{Max: 40, Counter: token.Words})
	for i, x := range got {
		if x.Tokens > 40 {
			t.Errorf("chunk %d has %d words", i, x.Tokens)
		}
	}
	if slices.IndexFunc(got, func(x Chunk) bool { return x.Start == in.Sentences[14].Start }) < 0 {
		t.Error("no chunk begins where the sentences become alike")
	}
	for i := range in.Sentences { // zeros, NaN and a single sentence must not fail either
		clear(in.Vectors.Row(i))
	}
	in.Vectors.Data[3] /= 0
	cut(t, method("cluster"), in, Limits{Counter: token.Words})
	if one := cut(t, method("cluster"), input("One.", 1), Limits{Counter: token.Words}); len(one) != 1 {
		t.Errorf("%d chunks of one sentence", len(one))
	}
}

func TestTrap19OverlapMovesNoEnds(t *testing.T) {
	in := input(numbered(40), 1, 1, 2, 3, 3)
	for name, c := range methods {
		max, overlap := 40, 9
		core := max
		if name == "recursive" {
			core = max - overlap
		}
		plain := cut(t, c, in, Limits{Max: core, Counter: token.Words})
		with := cut(t, c, in, Limits{Max: max, Overlap: overlap, Counter: token.Words})
		reached := false
		for i := range with {
			if len(plain) != len(with) || with[i].End != plain[i].End || with[i].Start > plain[i].Start || with[i].Reason != plain[i].Reason {
				t.Fatalf("%s: %+v became %+v", name, plain, with)
			}
			if n := token.Words.Count(in.View.Text[with[i].Start:plain[i].Start]); n > overlap {
				t.Fatalf("%s: chunk %d reaches %d words back", name, i, n)
			}
			reached = reached || with[i].Start < plain[i].Start
		}
		if !reached {
			t.Errorf("%s: no chunk reaches back", name)
		}
	}
}
