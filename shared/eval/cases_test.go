package eval

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"seam/shared/text"
)

// reference is cases.json: the results of the reference scorers for hard and random inputs
// (testdata/make.py).
type reference struct {
	Segmentation []struct {
		N, K               int
		Ref, Found, Equal  []int
		Pk, WindowDiff, F1 float64
		Near               float64 `json:"f1_1"`
	}
	Bounds []struct {
		Sentences      [][2]int
		Starts, Bounds []int
	}
	Retrieval []struct {
		Refs                          [][2]int
		Chunks                        [][3]int
		Recall, Precision, IoU, Omega float64
	}
	Ranking struct {
		Texts   []string
		Terms   [][]string
		Queries []struct {
			Query string
			Top   []int
		}
	}
	Statistics []struct {
		Values          []float64
		Mean, SD, Mean5 float64
	}
}

func readCases(t *testing.T) (c reference) {
	b, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSegmentAsTheReferenceScorer(t *testing.T) {
	for _, c := range readCases(t).Segmentation {
		want := Segmentation{len(c.Ref) + 1, len(distinct(c.Found)) + 1, c.Pk, c.WindowDiff, c.F1, c.Near}
		if got := Segment(c.N, c.Ref, c.Found); got != want {
			t.Errorf("n %d, %v against %v: %+v instead of %+v", c.N, c.Ref, c.Found, got, want)
		}
		if k := Window(c.N, len(c.Ref)+1); k != c.K {
			t.Errorf("n %d, %d segments: k %d instead of %d", c.N, len(c.Ref)+1, k, c.K)
		}
		if equal, err := Baseline("equal", c.N, len(c.Ref)+1, 0); err != nil || !slices.Equal(equal, c.Equal) {
			t.Errorf("n %d, %d segments: equal ones %v instead of %v, %v", c.N, len(c.Ref)+1, equal, c.Equal, err)
		}
	}
}

func TestBoundsAsTheReferenceScorer(t *testing.T) {
	for _, c := range readCases(t).Bounds {
		var sentences []text.Span
		for _, s := range c.Sentences {
			sentences = append(sentences, text.Span{Start: s[0], End: s[1]})
		}
		if got := Bounds(sentences, c.Starts); !slices.Equal(got, c.Bounds) {
			t.Errorf("%v in %v: %v instead of %v", c.Starts, sentences, got, c.Bounds)
		}
	}
}

func TestRetrieveAsTheReferenceScorer(t *testing.T) {
	for _, c := range readCases(t).Retrieval {
		var refs []Range
		for _, r := range c.Refs {
			refs = append(refs, Range{r[0], r[1]})
		}
		var got []Passage
		for _, p := range c.Chunks {
			got = append(got, Passage{p[0], Range{p[1], p[2]}})
		}
		r := Retrieve(0, refs, got)
		r.Omega = Omega(0, refs, got)
		if want := (Retrieval{c.Recall, c.Precision, c.IoU, c.Omega}); r != want {
			t.Errorf("%v in %v: %+v instead of %+v", refs, got, r, want)
		}
	}
}

func TestRankAsTheReferenceScorer(t *testing.T) {
	c := readCases(t).Ranking
	for i, doc := range c.Texts {
		if got := terms(doc); !slices.Equal(got, c.Terms[i]) {
			t.Errorf("%q: %q instead of %q", doc, got, c.Terms[i])
		}
	}
	r := NewRanker(c.Texts)
	for _, q := range c.Queries {
		for _, n := range []int{0, 1, 5, 60} {
			if got := r.Top(q.Query, n); !slices.Equal(got, q.Top[:min(n, len(q.Top))]) {
				t.Errorf("%q: %v instead of %v", q.Query, got, q.Top[:min(n, len(q.Top))])
			}
		}
	}
}

func TestStatisticsAsPythons(t *testing.T) {
	for _, c := range readCases(t).Statistics {
		if m, sd := Mean(c.Values), Deviation(c.Values); m != c.Mean || sd != c.SD || Round(m, 5) != c.Mean5 {
			t.Errorf("%v: %v ± %v (%v) instead of %v ± %v (%v)", c.Values, m, sd, Round(m, 5), c.Mean, c.SD, c.Mean5)
		}
	}
}
