package encoder

import "math"

// These functions work on rows with a multiple of 8 numbers. Sums have eight lanes, and
// number i belongs to lane i%8. All operations are in float32 and rounded separately. With
// 256-bit instructions a processor performs the same steps on eight numbers at a time.

// fold adds eight lanes.
func fold(s *[unit]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// normalizeGo sets x to the LayerNorm of x + y.
func normalizeGo(x, y []float32, by *norm) {
	var sums [unit]float32
	for i := 0; i+unit <= len(x); i += unit {
		a, b := (*[unit]float32)(x[i:]), (*[unit]float32)(y[i:])
		for j := range a {
			a[j] += b[j]
			sums[j] += a[j]
		}
	}
	n := float32(len(x))
	mean := fold(&sums) / n
	sums = [unit]float32{}
	for i := 0; i+unit <= len(x); i += unit {
		a := (*[unit]float32)(x[i:])
		for j := range a {
			a[j] -= mean
			sums[j] += float32(a[j] * a[j])
		}
	}
	scale := 1 / float32(math.Sqrt(float64(fold(&sums)/n+by.epsilon)))
	for i, v := range x {
		x[i] = float32(float32(v*scale)*by.weight[i]) + by.bias[i]
	}
}

// softmaxGo replaces each number of x by the exponential of its difference from the
// largest, and returns the sum of the results.
func softmaxGo(x []float32) float32 {
	most := float32(math.Inf(-1))
	for _, v := range x {
		if v > most {
			most = v
		}
	}
	var sums [unit]float32
	for i := 0; i+unit <= len(x); i += unit {
		a := (*[unit]float32)(x[i:])
		for j := range a {
			a[j] = exp(a[j] - most)
			sums[j] += a[j]
		}
	}
	return fold(&sums)
}

// Constants of exp. Its domain and polynomial come from expf in Cephes (S. Moshier,
// netlib.org/cephes). The logarithm of 2 is split into two parts.
const (
	leastExp = -87           // below this the result is zero
	log2e    = 1.44269504089 // 1/ln 2
	ln2High  = 0.693359375
	ln2Low   = -2.12194440e-4
	toWhole  = 3 << 22 // adding and subtracting it rounds to a whole number
	exp0     = 1.9875691500e-4
	exp1     = 1.3981999507e-3
	exp2     = 8.3334519073e-3
	exp3     = 4.1665795894e-2
	exp4     = 1.6666665459e-1
	exp5     = 5.0000001201e-1
)

// exp returns e to the power of x for x ≤ 0, within 2 units in the last place.
func exp(x float32) float32 {
	if !(x >= leastExp) {
		return 0
	}
	t := float32(x*log2e) + toWhole
	n := t - toWhole
	r := x - float32(n*ln2High)
	r -= float32(n * ln2Low)
	p := float32(exp0*r) + exp1
	p = float32(p*r) + exp2
	p = float32(p*r) + exp3
	p = float32(p*r) + exp4
	p = float32(p*r) + exp5
	p = float32(p*float32(r*r)) + r
	p++
	return math.Float32frombits(math.Float32bits(p) + math.Float32bits(t)<<23)
}

// Constants of erf: x times a quotient of polynomials in x², for |x| up to 4. Beyond that,
// erf is 1 in float32. They come from Eigen's generic_fast_erf_float.
const (
	mostErf  = 4
	erfP0    = -2.72614225801306e-10
	erfP1    = 2.77068142495902e-08
	erfP2    = -2.10102402082508e-06
	erfP3    = -5.69250639462346e-05
	erfP4    = -7.34990630326855e-04
	erfP5    = -2.95459980854025e-03
	erfP6    = -1.60960333262415e-02
	erfQ0    = -1.45660718464996e-05
	erfQ1    = -2.13374055278905e-04
	erfQ2    = -1.68282697438203e-03
	erfQ3    = -7.37332916720468e-03
	erfQ4    = -1.42647390514189e-02
	sqrtHalf = 0.70710678118654752440
)

// erf is the error function, within 1e-6.
func erf(x float32) float32 {
	x = min(max(x, -mostErf), mostErf)
	s := float32(x * x)
	p := float32(erfP0*s) + erfP1
	p = float32(p*s) + erfP2
	p = float32(p*s) + erfP3
	p = float32(p*s) + erfP4
	p = float32(p*s) + erfP5
	p = float32(p*s) + erfP6
	q := float32(erfQ0*s) + erfQ1
	q = float32(q*s) + erfQ2
	q = float32(q*s) + erfQ3
	q = float32(q*s) + erfQ4
	return float32(x*p) / q
}

// geluGo replaces each number x by x·Φ(x), where Φ is the normal distribution: the exact
// GELU.
func geluGo(x []float32) {
	for i, v := range x {
		x[i] = float32(float32(0.5*v) * (1 + erf(float32(v*sqrtHalf))))
	}
}
