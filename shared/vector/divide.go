//go:build !js

package vector

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Divide calls work for the parts [from, to) of [0, n), each of size but the last, on as
// many at once as there are processors, and returns when all are done. Where there is
// one, as in a browser, the parts come in their order. What work makes of a part must
// not depend on the others: then the result is the same everywhere.
func Divide(n, size int, work func(from, to int)) {
	parts := (n + size - 1) / size
	workers := min(parts, runtime.GOMAXPROCS(0))
	if workers < 2 {
		for from := 0; from < n; from += size {
			work(from, min(from+size, n))
		}
		return
	}
	var next atomic.Int64
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for part := int(next.Add(1)) - 1; part < parts; part = int(next.Add(1)) - 1 {
				work(part*size, min(part*size+size, n))
			}
		})
	}
	running.Wait()
}

// Beside calls work that does not depend on each other: at once where there is more than one
// processor, else in its order. It returns when all is done.
func Beside(work ...func()) {
	if runtime.GOMAXPROCS(0) < 2 {
		for _, do := range work {
			do()
		}
		return
	}
	var running sync.WaitGroup
	for _, do := range work[1:] {
		running.Go(do)
	}
	work[0]()
	running.Wait()
}
