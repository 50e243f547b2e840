package lexical

import (
	"context"
	"math"

	"seam/shared/embed"
)

// rounds is the number of subspace iterations. Each brings the space nearer to the leading
// singular vectors. Their order does not matter for a cosine, so a few are enough (Halko,
// Martinsson, Tropp 2011, §4.5).
const rounds = 4

// analyse finds the leading right singular vectors of the matrix X with the given rows: Q ←
// orth(X·(Xᵀ·Q)), followed by axes = Xᵀ·Q with columns of length 1. Products are rounded
// before they are added, so that no target fuses them and all agree to the bit.
func (e *Embedder) analyse(ctx context.Context, rows [][]cell, progress embed.Progress) error {
	n, cols := len(rows), len(e.idf)
	most := n / 2
	if !e.words {
		most = 2 * n / 3
	}
	e.rank = min(Dim, max(2, most), n, cols)
	k := e.rank
	q := make([]float64, n*k)
	for i := range q {
		q[i] = noise(uint64(i))
	}
	orthonormalize(q, n, k)
	wide := make([]float64, cols*k)
	for round := 0; ; round++ {
		if err := progress.Check(ctx, round, rounds); err != nil {
			return err
		}
		clear(wide)
		for i, row := range rows {
			for _, c := range row {
				axpy(wide[c.col*k:(c.col+1)*k], c.weight, q[i*k:(i+1)*k])
			}
		}
		if round == rounds {
			break
		}
		clear(q)
		for i, row := range rows {
			for _, c := range row {
				axpy(q[i*k:(i+1)*k], c.weight, wide[c.col*k:(c.col+1)*k])
			}
		}
		orthonormalize(q, n, k)
	}
	normalizeColumns(wide, cols, k)
	e.axes = wide
	return nil
}

// axpy adds a·x to y.
func axpy(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float64(a * x[i])
	}
}

// orthonormalize makes the k columns of the n×k matrix q orthonormal by modified
// Gram-Schmidt. A column that depends on earlier ones becomes zero.
func orthonormalize(q []float64, n, k int) {
	proj := make([]float64, k)
	for j := range k {
		square := 0.0
		for i := range n {
			square += float64(q[i*k+j] * q[i*k+j])
		}
		scale := 0.0
		if square > 1e-20 {
			scale = 1 / math.Sqrt(square)
		}
		for i := range n {
			q[i*k+j] *= scale
		}
		rest := proj[j+1:]
		clear(rest)
		for i := range n {
			axpy(rest, q[i*k+j], q[i*k+j+1:(i+1)*k])
		}
		for i := range n {
			axpy(q[i*k+j+1:(i+1)*k], -q[i*k+j], rest)
		}
	}
}

// normalizeColumns scales each of the k columns of the n×k matrix m to length 1.
func normalizeColumns(m []float64, n, k int) {
	squares := make([]float64, k)
	for i := range n {
		for j, x := range m[i*k : (i+1)*k] {
			squares[j] += float64(x * x)
		}
	}
	for i := range n {
		for j := range k {
			if squares[j] > 0 {
				m[i*k+j] /= math.Sqrt(squares[j])
			}
		}
	}
}

// noise returns a number in [-1, 1) that depends on i alone (SplitMix64, Steele et al.
// 2014), so that the iteration always starts the same way.
func noise(i uint64) float64 {
	z := (i + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64(int64(z)>>11) / (1 << 52)
}
