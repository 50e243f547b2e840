package safetensors

import "math"

// fromHalf converts an IEEE 754 binary16 number.
func fromHalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0: // zero and subnormal: fraction × 2⁻²⁴, exact
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// RoundHalf rounds x to the nearest binary16 number, halves to even.
func RoundHalf(x float32) float32 {
	sign := math.Float32bits(x) & (1 << 31)
	magnitude := math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	switch {
	case magnitude != magnitude: // NaN stays NaN
	case magnitude >= 65520: // half a step above the largest, 65504
		magnitude = float32(math.Inf(1))
	case magnitude < 1.0/(1<<14): // subnormal: steps of 2⁻²⁴
		magnitude = float32(math.RoundToEven(float64(magnitude)*(1<<24)) / (1 << 24))
	default:
		b := math.Float32bits(magnitude)
		magnitude = math.Float32frombits((b + 0xfff + b>>13&1) &^ 0x1fff)
	}
	return math.Float32frombits(math.Float32bits(magnitude) | sign)
}
