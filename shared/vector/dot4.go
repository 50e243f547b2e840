package vector

// Dot4 returns the inner products of x with four vectors of the same length, each in two
// lanes of float32. Each number of x is loaded once and used four times.
func Dot4(x, p, q, r, s []float32) (float32, float32, float32, float32) { return dot4(x, p, q, r, s) }

// dot4Go implements Dot4. Conversions keep products from being fused, and fixed-size arrays
// avoid bounds checks.
func dot4Go(x, p, q, r, s []float32) (float32, float32, float32, float32) {
	var p0, p1, q0, q1, r0, r1, s0, s1 float32
	for len(x) >= 4 && len(p) >= 4 && len(q) >= 4 && len(r) >= 4 && len(s) >= 4 {
		a, b, c, d, e := (*[4]float32)(x), (*[4]float32)(p), (*[4]float32)(q), (*[4]float32)(r), (*[4]float32)(s)
		p0 += float32(a[0] * b[0])
		q0 += float32(a[0] * c[0])
		r0 += float32(a[0] * d[0])
		s0 += float32(a[0] * e[0])
		p1 += float32(a[1] * b[1])
		q1 += float32(a[1] * c[1])
		r1 += float32(a[1] * d[1])
		s1 += float32(a[1] * e[1])
		p0 += float32(a[2] * b[2])
		q0 += float32(a[2] * c[2])
		r0 += float32(a[2] * d[2])
		s0 += float32(a[2] * e[2])
		p1 += float32(a[3] * b[3])
		q1 += float32(a[3] * c[3])
		r1 += float32(a[3] * d[3])
		s1 += float32(a[3] * e[3])
		x, p, q, r, s = x[4:], p[4:], q[4:], r[4:], s[4:]
	}
	for i := range x {
		p0 += float32(x[i] * p[i])
		q0 += float32(x[i] * q[i])
		r0 += float32(x[i] * r[i])
		s0 += float32(x[i] * s[i])
	}
	return p0 + p1, q0 + q1, r0 + r1, s0 + s1
}
