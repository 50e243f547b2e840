//go:build !(js && kernel)

package vector

import (
	"runtime"
	"runtime/debug"
)

// most is more than any host has. The real limit is known only if GOMEMLIMIT is set.
const most = 1 << 40

// free returns the number of bytes that can be allocated.
func free() float64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	if runtime.GOOS == "js" {
		return max(0, 4<<30-64<<20-float64(s.Sys)) // it never shrinks
	}
	return max(0, min(most, float64(debug.SetMemoryLimit(-1)))-float64(s.Sys-s.HeapReleased))
}
