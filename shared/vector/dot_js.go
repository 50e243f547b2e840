//go:build js && kernel

package vector

func hasLanes() bool { return ready() != 0 }

//go:wasmimport kernel dotlanes
//go:noescape
func kernelDot(lanes *float64, a, b *float32, n int32)

//go:wasmimport kernel dot4lanes
//go:noescape
func kernelDot4(lanes, x, p, q, r, s *float32, n int32)

func dotLanes(lanes *[4]float64, a, b *float32, n int) { kernelDot(&lanes[0], a, b, int32(n)) }

func dot4Lanes(lanes *[8]float32, x, p, q, r, s *float32, n int) {
	kernelDot4(&lanes[0], x, p, q, r, s, int32(n))
}
