//go:build js && kernel

package vector

import "unsafe"

// With the build tag kernel, a browser program imports the functions of wasm/kernel. They
// work on Go's memory and keep no references to it. If the browser has no 128-bit
// instructions, ready reports that, and Go does the work.

//go:wasmimport kernel ready
func ready() int32

//go:wasmimport kernel scores
//go:noescape
func kernelScores(m, q, out *float32, n, d int32)

//go:wasmimport kernel cosines
//go:noescape
func kernelCosines(m, q, out *float32, n, d int32, qq float32) int32

//go:wasmimport kernel adjacent
//go:noescape
func kernelAdjacent(m *float32, out *float64, n, d int32) int32

//go:wasmimport kernel addrows
//go:noescape
func kernelAddRows(sum *float64, m *float32, n, d int32)

//go:wasmimport kernel normalise
//go:noescape
func kernelNormalise(m *float32, n, d int32)

//go:wasmimport kernel quantise
//go:noescape
func kernelQuantise(m *float32, out *int8, steps *float32, n, d, stride int32)

//go:wasmimport kernel scores8
//go:noescape
func kernelScores8(m *int8, q *int16, steps, out *float32, n, stride int32, step float32)

//go:wasmimport kernel best
//go:noescape
func kernelBest(scores *float32, n, base int32, best *float32, rows *int32, k int32)

func scores(out []float32, m Matrix, q []float32) {
	if ready() == 0 {
		scoresGo(out, m, q)
		return
	}
	kernelScores(unsafe.SliceData(m.Data[:m.Rows*m.Dim]), unsafe.SliceData(q[:m.Dim]), unsafe.SliceData(out[:m.Rows]), int32(m.Rows), int32(m.Dim))
}

func cosines(out []float32, m Matrix, q []float32, qq float32) (bad int) {
	if ready() == 0 {
		return cosinesGo(out, m, q, qq)
	}
	return int(kernelCosines(unsafe.SliceData(m.Data[:m.Rows*m.Dim]), unsafe.SliceData(q[:m.Dim]), unsafe.SliceData(out[:m.Rows]), int32(m.Rows), int32(m.Dim), qq))
}

func addRows(sum []float64, m Matrix) {
	if ready() == 0 {
		addRowsGo(sum, m)
		return
	}
	kernelAddRows(unsafe.SliceData(sum[:m.Dim]), unsafe.SliceData(m.Data[:m.Rows*m.Dim]), int32(m.Rows), int32(m.Dim))
}

func adjacent(out []float64, m Matrix) (bad int) {
	if ready() == 0 {
		return adjacentGo(out, m)
	}
	return int(kernelAdjacent(unsafe.SliceData(m.Data[:m.Rows*m.Dim]), unsafe.SliceData(out[:m.Rows-1]), int32(m.Rows), int32(m.Dim)))
}

func normalize(m Matrix) {
	if ready() == 0 {
		normalizeGo(m)
		return
	}
	kernelNormalise(unsafe.SliceData(m.Data[:m.Rows*m.Dim]), int32(m.Rows), int32(m.Dim))
}

func quantize(codes []int8, steps []float32, m Matrix, stride int) {
	if ready() == 0 {
		quantizeGo(codes, steps, m, stride)
		return
	}
	kernelQuantise(unsafe.SliceData(m.Data[:m.Rows*m.Dim]), unsafe.SliceData(codes[:m.Rows*stride]), unsafe.SliceData(steps[:m.Rows]), int32(m.Rows), int32(m.Dim), int32(stride))
}

func scores8(out []float32, codes []int8, q []int16, steps []float32, step float32) {
	if ready() == 0 {
		scores8Go(out, codes, q, steps, step)
		return
	}
	kernelScores8(unsafe.SliceData(codes[:len(out)*len(q)]), unsafe.SliceData(q), unsafe.SliceData(steps[:len(out)]), unsafe.SliceData(out), int32(len(out)), int32(len(q)), step)
}

func best(best []float32, rows []int32, scores []float32, base int) {
	if ready() == 0 {
		bestGo(best, rows, scores, base)
		return
	}
	kernelBest(unsafe.SliceData(scores), int32(len(scores)), int32(base), unsafe.SliceData(best), unsafe.SliceData(rows[:len(best)]), int32(len(best)))
}
