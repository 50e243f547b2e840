package cff

import "strconv"

// maxOperands is the maximum number of operands of a DICT operator.
const maxOperands = 48

// dict reads a DICT: the operands of each operator.
func dict(b []byte) map[int][]float64 {
	d := map[int][]float64{}
	var operands []float64
	for at := 0; at < len(b); {
		c := int(b[at])
		if c > 21 && c != 28 || len(operands) > maxOperands {
			var v float64
			v, at = operand(b, at)
			if len(operands) <= maxOperands {
				operands = append(operands, v)
			}
			continue
		}
		if c == 28 {
			var v float64
			v, at = operand(b, at)
			operands = append(operands, v)
			continue
		}
		at++
		if c == 12 {
			c = 12<<8 | number(b, at, 1)
			at++
		}
		d[c] = operands
		operands = nil
	}
	return d
}

// operand reads the number at offset at, and returns the offset of the next one.
func operand(b []byte, at int) (float64, int) {
	c := int(b[at])
	switch {
	case c == 28:
		return float64(int16(number(b, at+1, 2))), at + 3
	case c == 29:
		if at+5 > len(b) {
			return 0, len(b)
		}
		v := uint32(b[at+1])<<24 | uint32(b[at+2])<<16 | uint32(b[at+3])<<8 | uint32(b[at+4])
		return float64(int32(v)), at + 5
	case c == 30:
		return realNumber(b, at+1)
	case 32 <= c && c <= 246:
		return float64(c - 139), at + 1
	case 247 <= c && c <= 250:
		return float64((c-247)*256 + number(b, at+1, 1) + 108), at + 2
	case 251 <= c && c <= 254:
		return float64(-(c-251)*256 - number(b, at+1, 1) - 108), at + 2
	}
	return 0, at + 1
}

// realNumber reads a number in nibbles (Technical Note 5176, table 5).
func realNumber(b []byte, at int) (float64, int) {
	nibbles := [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "E", "E-", "", "-"}
	s := ""
	for ; at < len(b); at++ {
		for _, n := range [2]byte{b[at] >> 4, b[at] & 15} {
			if n == 15 {
				v, err := strconv.ParseFloat(s, 64)
				if err != nil {
					v = 0
				}
				return v, at + 1
			}
			if len(s) < 40 {
				s += nibbles[n]
			}
		}
	}
	return 0, at
}
