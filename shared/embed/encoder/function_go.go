//go:build !amd64 && !(js && kernel)

package encoder

func normalize(x, y []float32, by *norm) { normalizeGo(x, y, by) }

func softmax(x []float32) float32 { return softmaxGo(x) }

func gelu(x []float32) { geluGo(x) }
