package encoder

import "golang.org/x/sys/cpu"

// Features of the processor: 256-bit vectors, and 512-bit vectors with sums of products of
// bytes. Results match the Go functions to the bit.
var (
	has256 = cpu.X86.HasAVX2
	has512 = has256 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI
)

// The functions in kernel_amd64.s. Strides are in numbers. tile512 and bytes512 set a tile
// of 8 × 32. tile256 and bytes256 set a quarter of it, 4 × 16; the pointers are at its
// first column. k is the number of numbers in a row to sum, a multiple of 4 for bytes.

//go:noescape
func tile512(c *float32, strideC int, a *float32, strideA int, panel, bias *float32, k int)

//go:noescape
func tile256(c *float32, strideC int, a *float32, strideA int, panel, bias *float32, k int)

//go:noescape
func bytes512(c *float32, stride int, codes, panel *int8, k int, rowSteps, steps, bias *float32, extra *int32)

//go:noescape
func bytes256(c *float32, stride int, codes, panel *int8, k int, rowSteps, steps, bias *float32)

//go:noescape
func gelu256(x *float32, n int)

//go:noescape
func softmax256(x *float32, n int) float32

//go:noescape
func normalize256(x, y, weight, bias *float32, n int, count, epsilon float32)

//go:noescape
func largest256(x *float32, n int) float32

//go:noescape
func codes256(codes *int8, x *float32, n int, scale float32)

func tile(c []float32, strideC int, a []float32, strideA int, panel, bias []float32) {
	k := len(panel) / tileColumns
	c, a, bias = c[:(tileRows-1)*strideC+tileColumns], a[:(tileRows-1)*strideA+k], bias[:tileColumns]
	switch {
	case has512:
		tile512(&c[0], strideC, &a[0], strideA, &panel[0], &bias[0], k)
	case has256:
		for i := 0; i < tileRows; i += 4 {
			for j := 0; j < tileColumns; j += 16 {
				tile256(&c[i*strideC+j], strideC, &a[i*strideA], strideA, &panel[j], &bias[j], k)
			}
		}
	default:
		tileGo(c, strideC, a, strideA, panel, bias)
	}
}

func tile8(c []float32, stride int, codes, panel []int8, rowSteps, steps, bias []float32, extra []int32) {
	k := len(panel) / tileColumns
	c, codes, rowSteps = c[:(tileRows-1)*stride+tileColumns], codes[:tileRows*k], rowSteps[:tileRows]
	steps, bias = steps[:tileColumns], bias[:tileColumns]
	switch {
	case has512:
		bytes512(&c[0], stride, &codes[0], &panel[0], k, &rowSteps[0], &steps[0], &bias[0], &extra[:tileColumns][0])
	case has256:
		for i := 0; i < tileRows; i += 4 {
			for j := 0; j < tileColumns; j += 16 {
				bytes256(&c[i*stride+j], stride, &codes[i*k], &panel[j*quad], k, &rowSteps[i], &steps[j], &bias[j])
			}
		}
	default:
		tile8Go(c, stride, codes, panel, rowSteps, steps, bias)
	}
}

func normalize(x, y []float32, by *norm) {
	if !has256 {
		normalizeGo(x, y, by)
		return
	}
	n := len(x)
	normalize256(&x[0], &y[:n][0], &by.weight[:n][0], &by.bias[:n][0], n, float32(n), by.epsilon)
}

func softmax(x []float32) float32 {
	if !has256 {
		return softmaxGo(x)
	}
	return softmax256(&x[0], len(x))
}

func gelu(x []float32) {
	if !has256 {
		geluGo(x)
		return
	}
	gelu256(&x[0], len(x))
}

func quantize(codes []int8, x []float32) (step float32) {
	if !has256 {
		return quantizeGo(codes, x)
	}
	most := largest256(&x[0], len(x))
	if !(most >= 0x1p-100 && most <= 0x1p100) {
		clear(codes[:len(x)])
		return 0
	}
	codes256(&codes[:len(x)][0], &x[0], len(x), largest/most)
	return most / largest
}
