package vector

import "math"

// The WebAssembly kernel, if present, does the work of these functions (kernel_js.go), with
// the same results to the bit. A sum in float32 has four lanes, and number i belongs to
// lane i%4. 16 numbers at a time add ((x0+x4)+(x8+x12)) to lane 0, and so on. The result is
// (0+1)+(2+3), plus the remaining numbers one by one. Each product is rounded separately:
// float32(x*y) keeps the compiler from fusing.

// dot32 returns the inner product of two vectors of the same length.
func dot32(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for len(a) >= 16 && len(b) >= 16 {
		x, y := (*[16]float32)(a), (*[16]float32)(b)
		s0 += (float32(x[0]*y[0]) + float32(x[4]*y[4])) + (float32(x[8]*y[8]) + float32(x[12]*y[12]))
		s1 += (float32(x[1]*y[1]) + float32(x[5]*y[5])) + (float32(x[9]*y[9]) + float32(x[13]*y[13]))
		s2 += (float32(x[2]*y[2]) + float32(x[6]*y[6])) + (float32(x[10]*y[10]) + float32(x[14]*y[14]))
		s3 += (float32(x[3]*y[3]) + float32(x[7]*y[7])) + (float32(x[11]*y[11]) + float32(x[15]*y[15]))
		a, b = a[16:], b[16:]
	}
	s := (s0 + s1) + (s2 + s3)
	for i, x := range a {
		s += float32(x * b[i])
	}
	return s
}

// scoresGo sets out[i] to the inner product of row i of m and q.
func scoresGo(out []float32, m Matrix, q []float32) {
	for i := range m.Rows {
		out[i] = dot32(m.Row(i), q)
	}
}

// plain reports whether a squared length is in the range where a float32 sum loses no
// precision to underflow or overflow.
func plain(square float32) bool { return square >= 0x1p-64 && square <= 0x1p64 }

// cosine32 returns the cosine from float32 sums, or NaN if a length is not plain.
func cosine32(dot, aa, bb float32) float64 {
	if !plain(aa) || !plain(bb) {
		return math.NaN()
	}
	return min(1, max(-1, float64(dot)/math.Sqrt(float64(aa)*float64(bb))))
}

// cosinesGo sets out[i] to the cosine of row i of m and q, or to NaN. qq is the squared
// length of q. It returns the number of NaNs.
func cosinesGo(out []float32, m Matrix, q []float32, qq float32) (bad int) {
	for i := range m.Rows {
		row := m.Row(i)
		out[i] = float32(cosine32(dot32(row, q), dot32(row, row), qq))
		if out[i] != out[i] {
			bad++
		}
	}
	return bad
}

// adjacentGo sets out[i] to the cosine of row i of m and the next one, or to NaN. It
// returns the number of NaNs. m must have at least one row.
func adjacentGo(out []float64, m Matrix) (bad int) {
	row := m.Row(0)
	square := dot32(row, row)
	for i := range out {
		next := m.Row(i + 1)
		nextSquare := dot32(next, next)
		out[i] = cosine32(dot32(row, next), square, nextSquare)
		if out[i] != out[i] {
			bad++
		}
		row, square = next, nextSquare
	}
	return bad
}

// addRowsGo implements AddRows.
func addRowsGo(sum []float64, m Matrix) {
	sum = sum[:m.Dim]
	for i := range m.Rows {
		for j, x := range m.Row(i) {
			sum[j] += float64(x)
		}
	}
}

// normalizeGo implements Normalize.
func normalizeGo(m Matrix) {
	for i := range m.Rows {
		row := m.Row(i)
		square := Dot(row, row)
		if undirected(square) {
			clear(row)
			continue
		}
		length := math.Sqrt(square)
		for j, x := range row {
			row[j] = float32(float64(x) / length)
		}
	}
}

// quantizeGo writes the rows of m as bytes, stride bytes each, and the value of one unit
// for each row: its largest absolute value divided by 127. A row with a largest value
// outside 2^-100 to 2^100 stays zero.
func quantizeGo(codes []int8, steps []float32, m Matrix, stride int) {
	for i := range m.Rows {
		row := m.Row(i)
		most := float32(0)
		for _, x := range row {
			most = max(most, math.Float32frombits(math.Float32bits(x)&^(1<<31))) // keeps NaN
		}
		if !(most >= 0x1p-100 && most <= 0x1p100) {
			steps[i] = 0
			continue
		}
		steps[i] = most / 127
		scale := 127 / most
		out := codes[i*stride:][:len(row)]
		for j, x := range row {
			out[j] = int8(math.RoundToEven(float64(x * scale)))
		}
	}
}

// scores8Go sets out[i] to the inner product of row i of m and q times steps[i] and step.
func scores8Go(out []float32, codes []int8, q []int16, steps []float32, step float32) {
	for i := range out {
		row := codes[i*len(q):][:len(q)]
		var s0, s1, s2, s3 int32
		for j := 0; j+4 <= len(row) && j+4 <= len(q); j += 4 {
			x, y := (*[4]int8)(row[j:]), (*[4]int16)(q[j:])
			s0 += int32(x[0]) * int32(y[0])
			s1 += int32(x[1]) * int32(y[1])
			s2 += int32(x[2]) * int32(y[2])
			s3 += int32(x[3]) * int32(y[3])
		}
		out[i] = float32(float32(float32((s0+s1)+(s2+s3))*steps[i]) * step)
	}
}

// bestGo inserts scores of the rows from base into best, the largest scores so far in
// descending order, and their rows into rows. Among equal scores the first stays first. NaN
// is ignored.
func bestGo(best []float32, rows []int32, scores []float32, base int) {
	last := len(best) - 1
	for i, x := range scores {
		if !(x > best[last]) {
			continue
		}
		at := last
		for ; at > 0 && best[at-1] < x; at-- {
			best[at], rows[at] = best[at-1], rows[at-1]
		}
		best[at], rows[at] = x, int32(base+i)
	}
}
