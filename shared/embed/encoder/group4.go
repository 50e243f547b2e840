package encoder

import "math"

// group is the number of 4-bit numbers that share a step.
const group = 32

// groupBytes returns the number of bytes of a row in 4 bits. Each group has a step of 16
// bits and its codes, two per byte. The last group is padded.
func groupBytes(columns int) int { return padded(columns, group) / group * (2 + group/2) }

// pack4 appends a row in 4 bits. Codes are from -7 to 7, plus 8, with the even ones in the
// low half of a byte. Among several steps near the one for the largest value, it takes the
// one with the least squared error.
func pack4(dst []byte, row []float32) []byte {
	for len(row) > 0 {
		part := row[:min(group, len(row))]
		row = row[len(part):]
		step := bestStep(part)
		bits := math.Float32bits(step) >> 16
		dst = append(dst, byte(bits), byte(bits>>8))
		var codes [group / 2]byte
		for i := range group {
			c := 8
			if i < len(part) {
				c += code4(part[i], step)
			}
			codes[i/2] |= byte(c) << (i % 2 * 4)
		}
		dst = append(dst, codes[:]...)
	}
	return dst
}

// bestStep returns the best step, a bfloat16 number.
func bestStep(x []float32) (best float32) {
	most := float32(0)
	for _, v := range x {
		most = max(most, math.Float32frombits(math.Float32bits(v)&^(1<<31)))
	}
	if !(most >= 0x1p-100 && most <= 0x1p100) {
		return 0
	}
	least := math.Inf(1)
	for tenth := range 12 {
		step := most / (7 + float32(tenth)*0.25)
		step = math.Float32frombits((math.Float32bits(step) + 0x8000) &^ 0xffff)
		sum := 0.0
		for _, v := range x {
			d := float64(v) - float64(code4(v, step))*float64(step)
			sum += float64(d * d)
		}
		if sum < least {
			least, best = sum, step
		}
	}
	return best
}

func code4(v, step float32) int {
	if step == 0 {
		return 0
	}
	return int(max(-7, min(7, math.RoundToEven(float64(v/step)))))
}

// expand4 decodes a row written by pack4.
func expand4(dst []float32, row []byte) {
	for len(dst) > 0 {
		part := dst[:min(group, len(dst))]
		dst = dst[len(part):]
		step := math.Float32frombits((uint32(row[0]) | uint32(row[1])<<8) << 16)
		for i := range part {
			c := int32(row[2+i/2]>>(i%2*4)&15) - 8
			part[i] = float32(float32(c) * step)
		}
		row = row[2+group/2:]
	}
}

// table4 is a table of 4-bit numbers in groups.
type table4 struct {
	rows  []byte
	width int
}

func (t table4) row(dst []float32, id uint32) {
	n := groupBytes(t.width)
	expand4(dst[:t.width], t.rows[int(id)*n:][:n])
}
