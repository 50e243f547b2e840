//go:build js && kernel

package vector

//go:wasmimport kernel pages
func pages() int32

// page is the growth step of WebAssembly memory. most is its maximum size, less a reserve
// for everything except matrices.
const (
	page = 64 << 10
	most = 4<<30 - 64<<20
)

// free returns the number of bytes that can be allocated. The memory never shrinks, and
// free parts of it may be fragmented, so all of it counts as used. (runtime.ReadMemStats
// gives the same result but makes the engine 5 kB larger.)
func free() float64 { return max(0, most-float64(pages())*page) }
