package main

import (
	"math/rand/v2"

	"seam/shared/vector"
)

// vectorContests compares searching 100,000 vectors of 384 numbers, natively; make
// bench-web does it in a browser.
func vectorContests() []contest {
	r := rand.New(rand.NewPCG(3, 8))
	m, q := vector.New(100_000, 384), vector.New(1, 384)
	for i := range m.Data {
		m.Data[i] = r.Float32() - .5
	}
	for i := range q.Data {
		q.Data[i] = r.Float32() - .5
	}
	vector.Normalize(m)
	vector.Normalize(q)
	bytes := vector.Quantize(m)
	const k, peer = 10, "loop of 16, four sums"
	plain := func() error { plainNearest(m, q.Data, k); return nil }
	return []contest{
		{"nearest 10 of 100,000×384", peer, func() error { vector.Nearest(m, q.Data, k); return nil }, plain},
		{"… of vectors of any length", peer, func() error { vector.TopK(m, q.Data, k); return nil }, plain},
		{"… through bytes", peer, func() error { bytes.TopK(q.Data, k); return nil }, plain},
	}
}

// plainNearest is the fastest plain Go loop we found: 16 numbers per bounds check, four
// sums, fused multiply-add if the processor supports it.
func plainNearest(m vector.Matrix, q []float32, k int) []vector.Hit {
	best := make([]vector.Hit, 0, k+1)
	for i := range m.Rows {
		row, b := m.Row(i), q
		var s0, s1, s2, s3 float32
		for len(row) >= 16 && len(b) >= 16 {
			x, y := (*[16]float32)(row), (*[16]float32)(b)
			s0 += x[0]*y[0] + x[4]*y[4] + x[8]*y[8] + x[12]*y[12]
			s1 += x[1]*y[1] + x[5]*y[5] + x[9]*y[9] + x[13]*y[13]
			s2 += x[2]*y[2] + x[6]*y[6] + x[10]*y[10] + x[14]*y[14]
			s3 += x[3]*y[3] + x[7]*y[7] + x[11]*y[11] + x[15]*y[15]
			row, b = row[16:], b[16:]
		}
		if s := float64(s0 + s1 + s2 + s3); len(best) < k || s > best[k-1].Score {
			best = vector.Best(append(best, vector.Hit{Row: i, Score: s}), k)
		}
	}
	return best
}
