package shards

import (
	"math"

	"seam/shared/vector"
)

// axes are directions along which vectors are quantized, stored in 4 bits. The numbers of
// an axis are its codes times its step.
type axes struct {
	dim   int
	steps []float32
	codes []int8 // −7 … 7, one axis after the other
}

func (a axes) count() int { return len(a.steps) }

// along writes the components of a vector along the axes to out.
func (a axes) along(x, out []float64) {
	for k := range out {
		s := 0.
		for i, code := range a.codes[k*a.dim:][:a.dim] {
			s += float64(x[i] * float64(code))
		}
		out[k] = float64(s * float64(a.steps[k]))
	}
}

// Limits for finding the axes: the number of vectors sampled, and the number of iterations.
// Larger values make no visible difference.
const (
	mostSampled = 4096
	turns       = 20
)

// axesOf finds n axes, a multiple of 8, that capture most of the vectors' variation around
// their mean. They are the eigenvectors of the covariance with the largest eigenvalues,
// found by orthogonal iteration (Golub and Van Loan, Matrix Computations, 8.2.4). They are
// then mixed, so that all carry about the same variation and the same few bits suit each.
func axesOf(m vector.Matrix, mean []float32, n int) axes {
	c := covariance(m, mean)
	rows := make([][]float64, n)
	for k := range rows {
		rows[k] = make([]float64, m.Dim)
		rows[k][k] = 1
	}
	next := make([]float64, m.Dim)
	for range turns {
		for _, row := range rows {
			clear(next)
			for i, x := range row {
				for j, y := range c[i] {
					next[j] += float64(x * y)
				}
			}
			copy(row, next)
		}
		orthogonal(rows)
	}
	mix(rows)
	out := axes{dim: m.Dim}
	for _, row := range rows {
		most := 0.
		for _, x := range row {
			most = max(most, math.Abs(x))
		}
		step := float32(most / mostAxisCode)
		out.steps = append(out.steps, step)
		for _, x := range row {
			code := 0.
			if step > 0 {
				code = math.Round(x / float64(step))
			}
			out.codes = append(out.codes, int8(max(-mostAxisCode, min(code, mostAxisCode))))
		}
	}
	return out
}

// mostAxisCode is the largest code of an axis.
const mostAxisCode = 7

// covariance returns the covariance of the vectors, from a sample of them.
func covariance(m vector.Matrix, mean []float32) [][]float64 {
	c := make([][]float64, m.Dim)
	for i := range c {
		c[i] = make([]float64, m.Dim)
	}
	d := make([]float64, m.Dim)
	for row := 0; row < m.Rows; row += (m.Rows + mostSampled - 1) / mostSampled {
		difference(m.Row(row), mean, d)
		for i, x := range d {
			for j, y := range d[:i+1] {
				c[i][j] += float64(x * y)
			}
		}
	}
	for i := range c {
		for j := range i {
			c[j][i] = c[i][j]
		}
	}
	return c
}

func difference(x, mean []float32, out []float64) {
	for k := range out {
		out[k] = float64(x[k]) - float64(mean[k])
	}
}

// orthogonal makes rows orthogonal with length 1. A row within the span of earlier rows
// becomes zeros.
func orthogonal(rows [][]float64) {
	for i, row := range rows {
		before := length(row)
		for _, other := range rows[:i] {
			s := 0.
			for k, x := range other {
				s += float64(x * row[k])
			}
			for k, x := range other {
				row[k] -= float64(s * x)
			}
		}
		l := length(row)
		if l <= before*1e-9 {
			clear(row)
			continue
		}
		for k := range row {
			row[k] /= l
		}
	}
}

func length(row []float64) float64 {
	s := 0.
	for _, x := range row {
		s += float64(x * x)
	}
	return math.Sqrt(s)
}

// mix rotates eight rows at a time, one from each eighth, by Hadamard's matrix. Each
// becomes a sum of all eight, with different signs.
func mix(rows [][]float64) {
	eighth := len(rows) / 8
	for first := range eighth {
		for half := 1; half < 8; half *= 2 {
			for i := range 8 {
				if i&half != 0 {
					continue
				}
				a, b := rows[first+i*eighth], rows[first+(i|half)*eighth]
				for k := range a {
					a[k], b[k] = (a[k]+b[k])*math.Sqrt2/2, (a[k]-b[k])*math.Sqrt2/2
				}
			}
		}
	}
}
