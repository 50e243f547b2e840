package vector

func hasLanes() bool { return true }

//go:noescape
func dotLanes(lanes *[4]float64, a, b *float32, n int)

//go:noescape
func dot4Lanes(lanes *[8]float32, x, p, q, r, s *float32, n int)
