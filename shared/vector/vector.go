// Package vector is the arithmetic of embeddings: similarity of neighbours and
// exact nearest rows.
//
// Every sum has one fixed order, so that the result is the same to the bit on every
// target. Dot, Cosine and Normalize add in float64. The product of two float32 numbers
// is exact in float64 (24 + 24 bits fit into 53), so that fusing the multiplication
// with the addition, as some processors do, changes nothing. What goes over whole
// matrices (Scores, TopK, Adjacent) adds in float32, see lanes.go, and asks Cosine
// where a vector is too long or too short for that.
//
// A program for the browser that is built with the tag kernel does the work of lanes.go
// by the functions of wasm/kernel.
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

// New returns a matrix of zeros; one that may be large is asked of Make.
func New(rows, dim int) Matrix {
	return Matrix{Rows: rows, Dim: dim, Data: make([]float32, rows*dim)}
}

// Row returns row i; it shares the matrix's memory.
func (m Matrix) Row(i int) []float32 { return m.Data[i*m.Dim : (i+1)*m.Dim : (i+1)*m.Dim] }

// Part is the rows [from, to); it shares the matrix's memory.
func (m Matrix) Part(from, to int) Matrix {
	return Matrix{Rows: to - from, Dim: m.Dim, Data: m.Data[from*m.Dim : to*m.Dim]}
}

// block is how many rows are worked on at a time: few enough for the scores to stay near
// the processor, enough for a call of the kernel to cost nothing beside.
const block = 4096

// Check reports whether the matrix has the shape it says.
func (m Matrix) Check() error {
	if m.Rows < 0 || m.Dim < 0 || len(m.Data) != m.Rows*m.Dim {
		return fmt.Errorf("matrix of %d×%d holds %d numbers", m.Rows, m.Dim, len(m.Data))
	}
	return nil
}

// Dot is the inner product of two vectors of one length, summed in four lanes
// that are added as (0+1)+(2+3), then the rest.
func Dot(a, b []float32) float64 { return dot(a, b) }

// AddRows adds the rows of m to sum, which has its dimensions, one after the other.
func AddRows(sum []float64, m Matrix) { addRows(sum, m) }

// dotGo is Dot.
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

// cosine is dot/√(aa·bb) where aa and bb are squared lengths. A vector of
// length 0 is similar to nothing: 0. So is one with a NaN or an infinity.
// The squares of float32 numbers, even of subnormal ones, neither overflow nor
// vanish in float64.
func cosine(dot, aa, bb float64) float64 {
	c := dot / math.Sqrt(aa*bb)
	if aa == 0 || bb == 0 || math.IsNaN(c) || math.IsInf(aa, 0) || math.IsInf(bb, 0) {
		return 0
	}
	return min(1, max(-1, c))
}

// Cosine is the cosine similarity of two vectors of one length, in [-1, 1].
func Cosine(a, b []float32) float64 { return cosine(Dot(a, b), Dot(a, a), Dot(b, b)) }

// Adjacent returns the cosine similarity of each row to the next one: Rows-1
// values in [-1, 1], none for fewer than two rows.
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

// Undirected returns the rows that have no direction: zeros, a NaN, an infinity.
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

// undirected says so of a vector by the square of its length.
func undirected(square float64) bool {
	return square == 0 || math.IsNaN(square) || math.IsInf(square, 0)
}

// Normalized is a copy of m with every row scaled to length 1, as Normalize does it.
func Normalized(m Matrix) Matrix {
	c := Matrix{Rows: m.Rows, Dim: m.Dim, Data: slices.Clone(m.Data)}
	Normalize(c)
	return c
}

// Normalize scales every row to length 1. Rows of zeros, and rows with a NaN
// or an infinity, become zeros.
func Normalize(m Matrix) {
	Divide(m.Rows, block, func(from, to int) { normalize(m.Part(from, to)) })
}
