// Package vector provides the arithmetic for embeddings: similarity of neighbours and exact
// nearest rows.
//
// Every sum has one fixed order, so the result is the same to the bit on every target. Dot,
// Cosine and Normalize add in float64. The product of two float32 numbers is exact in
// float64 (24 + 24 bits fit into 53), so it does not matter that some processors fuse the
// multiplication with the addition. Operations on whole matrices (Scores, TopK, Adjacent)
// add in float32, see lanes.go. They use Cosine for a vector that is too long or too short
// for that.
//
// In a browser program built with the tag kernel, the functions of wasm/kernel do the work
// of lanes.go.
package vector

import (
	"fmt"
	"math"
	"slices"
)

// Matrix is Rows×Dim numbers, row after row.
type Matrix struct {
	Rows, Dim int
	Data      []float32 // len = Rows*Dim
}

// New returns a matrix of zeros. Use Make for one that may be large.
func New(rows, dim int) Matrix {
	return Matrix{Rows: rows, Dim: dim, Data: make([]float32, rows*dim)}
}

// Row returns row i. It shares the matrix's memory.
func (m Matrix) Row(i int) []float32 { return m.Data[i*m.Dim : (i+1)*m.Dim : (i+1)*m.Dim] }

// Part returns the rows [from, to). It shares the matrix's memory.
func (m Matrix) Part(from, to int) Matrix {
	return Matrix{Rows: to - from, Dim: m.Dim, Data: m.Data[from*m.Dim : to*m.Dim]}
}

// block is the number of rows processed at a time: few enough for the scores to stay in the
// processor's cache, and enough to make the overhead of a kernel call negligible.
const block = 4096

// Check returns an error if the matrix does not have the shape it claims.
func (m Matrix) Check() error {
	if m.Rows < 0 || m.Dim < 0 || len(m.Data) != m.Rows*m.Dim {
		return fmt.Errorf("matrix of %d×%d holds %d numbers", m.Rows, m.Dim, len(m.Data))
	}
	return nil
}

// Dot returns the inner product of two vectors of the same length. It sums in four lanes,
// adds them as (0+1)+(2+3), and then adds the rest.
func Dot(a, b []float32) float64 { return dot(a, b) }

// AddRows adds the rows of m to sum, one after another. sum must have length m.Dim.
func AddRows(sum []float64, m Matrix) { addRows(sum, m) }

// dotGo implements Dot.
func dotGo(a, b []float32) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float64(a[0]) * float64(b[0])
		s1 += float64(a[1]) * float64(b[1])
		s2 += float64(a[2]) * float64(b[2])
		s3 += float64(a[3]) * float64(b[3])
		a, b = a[4:], b[4:]
	}
	s := (s0 + s1) + (s2 + s3)
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// cosine returns dot/√(aa·bb), where aa and bb are squared lengths. It returns 0 if a
// vector has length 0 or contains NaN or an infinity. The squares of float32 numbers, even
// subnormal ones, neither overflow nor underflow in float64.
func cosine(dot, aa, bb float64) float64 {
	c := dot / math.Sqrt(aa*bb)
	if aa == 0 || bb == 0 || math.IsNaN(c) || math.IsInf(aa, 0) || math.IsInf(bb, 0) {
		return 0
	}
	return min(1, max(-1, c))
}

// Cosine returns the cosine similarity of two vectors of the same length, in [-1, 1].
func Cosine(a, b []float32) float64 { return cosine(Dot(a, b), Dot(a, a), Dot(b, b)) }

// Adjacent returns the cosine similarity of each row to the next: Rows-1 values in [-1, 1],
// or none for fewer than two rows.
func Adjacent(m Matrix) []float64 {
	if m.Rows < 2 {
		return nil
	}
	out := make([]float64, m.Rows-1)
	Divide(len(out), block, func(from, to int) {
		if adjacent(out[from:to], m.Part(from, to+1)) == 0 {
			return
		}
		for i := from; i < to; i++ {
			if math.IsNaN(out[i]) {
				out[i] = Cosine(m.Row(i), m.Row(i+1))
			}
		}
	})
	return out
}

// Undirected returns the rows without a direction: zeros, or rows with NaN or an infinity.
// Their similarity to every vector is 0.
func Undirected(m Matrix) []int {
	var rows []int
	for i := range m.Rows {
		if undirected(Dot(m.Row(i), m.Row(i))) {
			rows = append(rows, i)
		}
	}
	return rows
}

// undirected reports whether a vector has no direction, given its squared length.
func undirected(square float64) bool {
	return square == 0 || math.IsNaN(square) || math.IsInf(square, 0)
}

// Normalized returns a copy of m with every row scaled to length 1; see Normalize.
func Normalized(m Matrix) Matrix {
	c := Matrix{Rows: m.Rows, Dim: m.Dim, Data: slices.Clone(m.Data)}
	Normalize(c)
	return c
}

// Normalize scales every row to length 1. Rows of zeros, and rows with NaN or an infinity,
// become zeros.
func Normalize(m Matrix) {
	Divide(m.Rows, block, func(from, to int) { normalize(m.Part(from, to)) })
}
