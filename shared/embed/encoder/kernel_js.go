//go:build js && kernel

package encoder

// See shared/vector/kernel_js.go. Strides are in bytes; everything else is counted in
// numbers.

// quantized is the scratch memory of a linear8.
type quantized struct {
	codes []int8    // rows of the input
	wide  []int16   // the same in 16 bits, four rows interleaved
	steps []float32 // value of one unit of a row's codes
}

//go:wasmimport kernel ready
func ready() int32

//go:wasmimport kernel codes16
//go:noescape
func kernelCodes16(x *float32, stride int32, codes *int16, steps *float32, rows, k int32)

//go:wasmimport kernel product8
//go:noescape
func kernelProduct8(c *float32, stride int32, codes *int16, rowSteps *float32, panels *int8, steps, bias *float32, rows, k, n int32)

//go:wasmimport kernel product
//go:noescape
func kernelProduct(c *float32, strideC int32, a *float32, strideA int32, panels, bias *float32, rows, k, n int32)

//go:wasmimport kernel layernorm
//go:noescape
func kernelLayernorm(x, y, weight, bias *float32, n int32, epsilon float32)

//go:wasmimport kernel softmax
//go:noescape
func kernelSoftmax(x *float32, n int32) float32

//go:wasmimport kernel gelu
//go:noescape
func kernelGelu(x *float32, n int32)

func product(c, a grid, rows int, panels []float32, k, n int, bias []float32) {
	if ready() == 0 {
		productTiles(c, a, rows, panels, k, n, bias)
		return
	}
	to, from := c.data[:(rows-1)*c.stride+n], a.data[:(rows-1)*a.stride+k]
	kernelProduct(&to[0], int32(4*c.stride), &from[0], int32(4*a.stride), &panels[:k*n][0], &bias[:n][0], int32(rows), int32(k), int32(n))
}

func (l *linear8) apply(w *work, c, a grid, rows int) {
	if ready() == 0 {
		l.applyTiles(w, c, a, rows)
		return
	}
	w.wide, w.steps = grown(w.wide, rows*l.columns), grown(w.steps, rows)
	to, from := c.data[:(rows-1)*c.stride+l.rows], a.data[:(rows-1)*a.stride+l.columns]
	kernelCodes16(&from[0], int32(4*a.stride), &w.wide[0], &w.steps[0], int32(rows), int32(l.columns))
	kernelProduct8(&to[0], int32(4*c.stride), &w.wide[0], &w.steps[0], &l.panels[0], &l.steps[0], &l.bias[0], int32(rows), int32(l.columns), int32(l.rows))
}

func normalize(x, y []float32, by *norm) {
	if ready() == 0 {
		normalizeGo(x, y, by)
		return
	}
	n := len(x)
	kernelLayernorm(&x[0], &y[:n][0], &by.weight[:n][0], &by.bias[:n][0], int32(n), by.epsilon)
}

func softmax(x []float32) float32 {
	if ready() == 0 {
		return softmaxGo(x)
	}
	return kernelSoftmax(&x[0], int32(len(x)))
}

func gelu(x []float32) {
	if ready() == 0 {
		geluGo(x)
		return
	}
	kernelGelu(&x[0], int32(len(x)))
}
