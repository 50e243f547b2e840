package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// clustered returns rows around a few directions, like vectors of texts.
func clustered(r *rand.Rand, rows, dim, clusters int) Matrix {
	centres, m := New(clusters, dim), New(rows, dim)
	for i := range centres.Data {
		centres.Data[i] = float32(r.NormFloat64())
	}
	for i := range rows {
		for j, c := range centres.Row(r.IntN(clusters)) {
			m.Row(i)[j] = c + float32(0.7*r.NormFloat64())
		}
	}
	Normalize(m)
	return m
}

// At most one hit in a thousand may differ from the exact search, and the scores must be
// exact.
func TestInt8Recall(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for name, m := range map[string]Matrix{"no order": clustered(r, 4000, 384, 4000), "clusters": clustered(r, 4000, 384, 50), "few numbers": clustered(r, 6000, 64, 30)} {
		x, found := Quantize(m), 0
		const queries, k = 100, 10
		for range queries {
			q := slices.Clone(m.Row(r.IntN(m.Rows)))
			for j := range q {
				q[j] += float32(0.03 * r.NormFloat64())
			}
			want := TopK(m, q, k)
			for _, h := range x.TopK(q, k) {
				if slices.Contains(want, h) {
					found++
				}
			}
		}
		t.Logf("%s: %d of %d", name, found, queries*k)
		if found < queries*k*999/1000 {
			t.Errorf("%s: %d of %d hits are those of the exact search", name, found, queries*k)
		}
	}
}

// Rounded scores must be close to exact ones, for rows and queries of any usual length.
func TestInt8Scores(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, shape := range shapes {
		m, q := New(shape[0], shape[1]), make([]float32, shape[1])
		for i := range m.Data {
			m.Data[i] = 100 * float32(r.NormFloat64())
		}
		for i := range q {
			q[i] = float32(r.NormFloat64()) / 100
		}
		exact, near := Scores(m, q, nil), Quantize(m).Scores(q, make([]float32, 0, m.Rows))
		for i := range exact {
			allowed := 0.01 * math.Sqrt(Dot(m.Row(i), m.Row(i))*Dot(q, q))
			if math.Abs(float64(exact[i]-near[i])) > allowed {
				t.Errorf("%v: row %d scores %v, exactly %v", shape, i, near[i], exact[i])
			}
		}
	}
}

// Values that do not fit in bytes must be compared exactly, and nothing may panic.
func TestInt8OfUglyVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	m := random(r, 200, 20)
	x := Quantize(m)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range []float32{0, 1e-40, 1e38, nan, inf} {
		q := make([]float32, 20)
		for i := range q {
			q[i] = v
		}
		if got, want := x.TopK(q, 5), TopK(m, q, 5); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", v, got, want)
		}
		if got, want := x.Scores(q, nil), Scores(m, q, nil); len(got) != len(want) {
			t.Errorf("%v: %d scores", v, len(got))
		}
	}
	if x.TopK(make([]float32, 19), 5) != nil || x.Scores(make([]float32, 19), nil) != nil || x.TopK(make([]float32, 20), 0) != nil {
		t.Error("nothing asked, or another dimension, gives hits")
	}
	if got := Quantize(New(0, 20)).TopK(make([]float32, 20), 5); len(got) != 0 {
		t.Errorf("no rows: %v", got)
	}
}
