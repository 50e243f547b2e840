//go:build js && kernel

package vector

//go:wasmimport kernel pages
func pages() int32

// page is what a WebAssembly memory grows by, and most what it can grow to, less what all
// but matrices needs.
const (
	page = 64 << 10
	most = 4<<30 - 64<<20
)

// free is how many bytes can be asked for. The memory never shrinks, and what is free of
// what it has grown to may be in pieces: it counts as taken. (runtime.ReadMemStats says the
// same, and makes the engine 5 kB larger.)
func free() float64 { return max(0, most-float64(pages())*page) }
