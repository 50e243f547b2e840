package vector

import "math"

// Ln returns the natural logarithm of x > 0, the same to the bit on every target. math.Log
// is assembly on some targets and Go on others. For x ≥ 1 the relative error is below
// 1e-14.
//
// With x = m·2^e and m in [√½, √2), ln m = 2·artanh((m-1)/(m+1)) by its series.
func Ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	y := (m - 1) / (m + 1)
	yy := float64(y * y)
	sum := 0.0
	for n := 21; n >= 1; n -= 2 {
		sum = float64(sum*yy) + 1/float64(n)
	}
	return float64(float64(e)*math.Ln2) + float64(2*y*sum)
}
