//go:build amd64 || (js && kernel)

package vector

// dotLanes and dot4Lanes sum the first n numbers, where n is a positive multiple of four,
// in the lanes of dotGo and dot4Go. dot4Lanes has lanes 0 and 1 for each of p, q, r and s.
// They are in dot_amd64.s and in the WebAssembly kernel.

func dot(a, b []float32) float64 {
	b = b[:len(a)]
	n := len(a) &^ 3
	if n == 0 || !hasLanes() {
		return dotGo(a, b)
	}
	var l [4]float64
	dotLanes(&l, &a[0], &b[0], n)
	s := (l[0] + l[1]) + (l[2] + l[3])
	for i := n; i < len(a); i++ {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

func dot4(x, p, q, r, s []float32) (float32, float32, float32, float32) {
	p, q, r, s = p[:len(x)], q[:len(x)], r[:len(x)], s[:len(x)]
	n := len(x) &^ 3
	if n == 0 || !hasLanes() {
		return dot4Go(x, p, q, r, s)
	}
	var l [8]float32
	dot4Lanes(&l, &x[0], &p[0], &q[0], &r[0], &s[0], n)
	for i := n; i < len(x); i++ {
		l[0] += float32(x[i] * p[i])
		l[2] += float32(x[i] * q[i])
		l[4] += float32(x[i] * r[i])
		l[6] += float32(x[i] * s[i])
	}
	return l[0] + l[1], l[2] + l[3], l[4] + l[5], l[6] + l[7]
}
