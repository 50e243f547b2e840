//go:build !(js && kernel)

package vector

import (
	"runtime"
	"runtime/debug"
)

// most is more than any host has: what it has is known only where GOMEMLIMIT is set.
const most = 1 << 40

// free is how many bytes can be asked for.
func free() float64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	if runtime.GOOS == "js" {
		return max(0, 4<<30-64<<20-float64(s.Sys)) // which never shrinks
	}
	return max(0, min(most, float64(debug.SetMemoryLimit(-1)))-float64(s.Sys-s.HeapReleased))
}
