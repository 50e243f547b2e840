//go:build !(js && kernel)

package encoder

func product(c, a grid, rows int, panels []float32, k, n int, bias []float32) {
	productTiles(c, a, rows, panels, k, n, bias)
}

func (l *linear8) apply(w *work, c, a grid, rows int) { l.applyTiles(w, c, a, rows) }

// quantized is the scratch memory of a linear8.
type quantized struct {
	codes []int8    // rows of the input
	steps []float32 // value of one unit of a row's codes
}
