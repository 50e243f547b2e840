package vector

import "runtime"

// hostMemory is what a WebAssembly memory can have, less what all but matrices needs.
const hostMemory = 4<<30 - 64<<20

// taken is all that the memory has grown to: it never shrinks, and what is free in it may
// be in pieces.
func taken(s *runtime.MemStats) float64 { return float64(s.Sys) }
