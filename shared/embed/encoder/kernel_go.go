package encoder

func tile(c []float32, strideC int, a []float32, strideA int, panel, bias []float32) {
	tileGo(c, strideC, a, strideA, panel, bias)
}
func normalize(x, y []float32, by *norm) { normalizeGo(x, y, by) }
func softmax(x []float32) float32        { return softmaxGo(x) }
func gelu(x []float32)                   { geluGo(x) }

type quantized struct{}
