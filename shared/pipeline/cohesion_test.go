package pipeline

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"seam/shared/vector"
)

// The sums must match the cosines of all pairs, computed one by one.
func TestCohesionIsThatOfAllPairs(t *testing.T) {
	s := NewSession(article(t))
	hooks := local
	hooks.Vectors = true
	p := plan(t, Settings{Method: "recursive"})
	r, err := s.Run(context.Background(), p, hooks)
	if err != nil {
		t.Fatal(err)
	}
	n := len(r.Sentences)
	ways := [][]int{{0}, {}, {0, 3, 4, 9}, {5, n - 1}}
	got, err := s.Cohesion(context.Background(), p, ways, local)
	if err != nil {
		t.Fatal(err)
	}
	for i, starts := range ways {
		of := make([]int, n) // chunk index of each sentence
		for at, c := 0, 0; at < n; at++ {
			if at > 0 && slices.Contains(starts, at) {
				c++
			}
			of[at] = c
		}
		var inside, between []float64
		for a := range n {
			for b := a + 1; b < n; b++ {
				switch of[b] - of[a] {
				case 0:
					inside = append(inside, cosine(r.Vectors, a, b))
				case 1:
					between = append(between, cosine(r.Vectors, a, b))
				}
			}
		}
		for what, pair := range map[string]struct {
			got  *float64
			want []float64
		}{"inside": {got[i].Inside, inside}, "between": {got[i].Between, between}} {
			if len(pair.want) == 0 {
				if pair.got != nil {
					t.Errorf("%v: %s is %g, and there is no pair", starts, what, *pair.got)
				}
				continue
			}
			if want := floats.Sum(pair.want) / float64(len(pair.want)); pair.got == nil || math.Abs(*pair.got-want) > 1e-9 {
				t.Errorf("%v: %s is %v, not %g", starts, what, pair.got, want)
			}
		}
	}
	if *got[0].Inside != *got[1].Inside || got[0].Between != nil {
		t.Errorf("one chunk: %v and %v", got[0], got[1])
	}
}

func cosine(m vector.Matrix, a, b int) float64 {
	wide := func(i int) []float64 {
		out := make([]float64, m.Dim)
		for k, x := range m.Row(i) {
			out[k] = float64(x)
		}
		return out
	}
	x, y := wide(a), wide(b)
	return floats.Dot(x, y) / floats.Norm(x, 2) / floats.Norm(y, 2)
}

func TestCohesionRefusesSentencesThatAreNotThere(t *testing.T) {
	s := NewSession(article(t))
	for _, starts := range [][]int{{-1}, {1 << 20}, {3, 3}, {4, 2}} {
		if _, err := s.Cohesion(context.Background(), plan(t, Settings{}), [][]int{starts}, local); err == nil {
			t.Errorf("%v: no error", starts)
		}
	}
}

// A sentence whose vector is zero forms no pair.
func TestCohesionOfNothing(t *testing.T) {
	m := vector.New(3, 2)
	if c := cohesion(m, []int{0, 1}); c.Inside != nil || c.Between != nil {
		t.Errorf("%v", c)
	}
	copy(m.Data, []float32{0, 2, 0, 0, 0, 5})
	if c := cohesion(m, nil); c.Inside == nil || math.Abs(*c.Inside-1) > 1e-12 {
		t.Errorf("%v", c)
	}
}
