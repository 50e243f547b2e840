//go:build !js

package vector

import "runtime"

// hostMemory is more than any host has: what it has is not to be known here.
const hostMemory = 1 << 40

// taken is what the program holds.
func taken(s *runtime.MemStats) float64 { return float64(s.Sys - s.HeapReleased) }
