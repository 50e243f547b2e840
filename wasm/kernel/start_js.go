//go:build js && kernel

package kernel

import "unsafe"

//go:wasmimport kernel start
//go:noescape
func start(at *byte, size int32) int32

// Start makes the kernel do the work from now on, and reports whether this browser can run
// it. Without Start, Go does the work with the same results.
func Start() bool { return start(unsafe.SliceData(Program), int32(len(Program))) != 0 }
