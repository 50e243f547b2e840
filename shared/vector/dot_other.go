//go:build !amd64 && !(js && kernel)

package vector

func dot(a, b []float32) float64 { return dotGo(a, b) }

func dot4(x, p, q, r, s []float32) (float32, float32, float32, float32) {
	return dot4Go(x, p, q, r, s)
}
