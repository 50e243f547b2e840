//go:build !amd64

package encoder

func tile(c []float32, strideC int, a []float32, strideA int, panel, bias []float32) {
	tileGo(c, strideC, a, strideA, panel, bias)
}

func tile8(c []float32, stride int, codes, panel []int8, rowSteps, steps, bias []float32, _ []int32) {
	tile8Go(c, stride, codes, panel, rowSteps, steps, bias)
}

func quantize(codes []int8, x []float32) (step float32) { return quantizeGo(codes, x) }
