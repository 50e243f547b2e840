package encoder

import "math"

// Products of 8-bit integers. The matrix has one step per column of the result, and each
// input row has one, computed on the fly. Sums of products of bytes are exact, so their
// order does not matter.

// quad is the number of consecutive numbers of a row in a panel of bytes: as many as a
// processor multiplies and adds at once.
const quad = 4

// largest is the largest code. The smallest is its negative.
const largest = 127

// linear8 is a linear with 8-bit integers.
type linear8 struct {
	rows, columns int       // of the result, padded; of the input
	panels        []int8    // of tileColumns columns: their first four numbers each, their next four …
	steps         []float32 // of each column of the result
	bias          []float32
	extra         []int32 // 128 times the sum of each column's codes; see bytes512
}

// newLinear8 makes a linear8 from codes, row by row, with a step for each row.
func newLinear8(rows, columns int, codes []int8, steps, bias []float32) *linear8 {
	n := padded(rows, tileColumns)
	l := &linear8{n, columns, make([]int8, n*columns), make([]float32, n), make([]float32, n), make([]int32, n)}
	copy(l.steps, steps)
	copy(l.bias, bias)
	for i := range rows {
		panel := l.panels[i/tileColumns*tileColumns*columns:]
		for k, c := range codes[i*columns:][:columns] {
			panel[k/quad*quad*tileColumns+i%tileColumns*quad+k%quad] = c
			l.extra[i] += 128 * int32(c)
		}
	}
	return l
}

// applyTiles implements apply in tiles.
func (l *linear8) applyTiles(w *work, c, a grid, rows int) {
	w.codes, w.steps = grown(w.codes, rows*l.columns), grown(w.steps, rows)
	for i := range rows {
		w.steps[i] = quantize(w.codes[i*l.columns:][:l.columns], a.row(i, l.columns))
	}
	for from := 0; from < rows; from += rowsAtOnce {
		to := min(rows, from+rowsAtOnce)
		for j := 0; j < l.rows; j += tileColumns {
			panel := l.panels[j*l.columns:][:l.columns*tileColumns]
			for i := from; i < to; i += tileRows {
				tile8(c.data[i*c.stride+j:], c.stride, w.codes[i*l.columns:][:tileRows*l.columns], panel,
					w.steps[i:][:tileRows], l.steps[j:][:tileColumns], l.bias[j:][:tileColumns], l.extra[j:][:tileColumns])
			}
		}
	}
}

// quantizeGo writes x as bytes and returns the value of one unit: the largest absolute
// value divided by 127. Numbers that are too small or too large for an exact step become
// zeros.
func quantizeGo(codes []int8, x []float32) (step float32) {
	most := float32(0)
	for _, v := range x {
		most = max(most, math.Float32frombits(math.Float32bits(v)&^(1<<31))) // keeps NaN
	}
	if !(most >= 0x1p-100 && most <= 0x1p100) {
		clear(codes[:len(x)])
		return 0
	}
	scale := largest / most
	for i, v := range x {
		t := float32(v*scale) + toWhole // rounded to a whole number, halves to even
		codes[i] = int8(math.Float32bits(t))
	}
	return most / largest
}

// tile8Go sets a tile of c from rows of codes and a panel: the sum of products times the
// column's step, times the row's step, plus the column's bias.
func tile8Go(c []float32, stride int, codes, panel []int8, rowSteps, steps, bias []float32) {
	k := len(panel) / tileColumns
	for i := range tileRows {
		row, out := codes[i*k:][:k], c[i*stride:][:tileColumns]
		for j := 0; j < tileColumns; j += quad {
			var s0, s1, s2, s3 int32
			rest := panel[j*quad:]
			for p := 0; p+quad <= len(row); p += quad {
				a, b := (*[quad]int8)(row[p:]), (*[quad * quad]int8)(rest)
				a0, a1, a2, a3 := int32(a[0]), int32(a[1]), int32(a[2]), int32(a[3])
				s0 += a0*int32(b[0]) + a1*int32(b[1]) + a2*int32(b[2]) + a3*int32(b[3])
				s1 += a0*int32(b[4]) + a1*int32(b[5]) + a2*int32(b[6]) + a3*int32(b[7])
				s2 += a0*int32(b[8]) + a1*int32(b[9]) + a2*int32(b[10]) + a3*int32(b[11])
				s3 += a0*int32(b[12]) + a1*int32(b[13]) + a2*int32(b[14]) + a3*int32(b[15])
				rest = rest[min(quad*tileColumns, len(rest)):]
			}
			for n, s := range [quad]int32{s0, s1, s2, s3} {
				scaled := float32(float32(float32(s)*steps[j+n]) * rowSteps[i])
				out[j+n] = scaled + bias[j+n]
			}
		}
	}
}

// table8 is a table of bytes with a step for each row.
type table8 struct {
	codes []int8
	steps []float32
	width int
}

func (t table8) row(dst []float32, id uint32) {
	for i, c := range t.codes[int(id)*t.width:][:t.width] {
		dst[i] = float32(float32(c) * t.steps[id])
	}
}
