//go:build !(js && kernel)

package vector

func scores(out []float32, m Matrix, q []float32) { scoresGo(out, m, q) }

func cosines(out []float32, m Matrix, q []float32, qq float32) (bad int) {
	return cosinesGo(out, m, q, qq)
}

func adjacent(out []float64, m Matrix) (bad int) { return adjacentGo(out, m) }

func addRows(sum []float64, m Matrix) { addRowsGo(sum, m) }

func normalize(m Matrix) { normalizeGo(m) }

func quantize(codes []int8, steps []float32, m Matrix, stride int) {
	quantizeGo(codes, steps, m, stride)
}

func scores8(out []float32, codes []int8, q []int16, steps []float32, step float32) {
	scores8Go(out, codes, q, steps, step)
}

func best(best []float32, rows []int32, scores []float32, base int) {
	bestGo(best, rows, scores, base)
}
