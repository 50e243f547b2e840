//go:build !js

package vector

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Divide calls work for consecutive parts [from, to) of [0, n), each of the given size
// except the last, with as many calls in parallel as there are processors. It returns when
// all are done. With one processor, as in a browser, the parts come in order. The work on a
// part must not depend on other parts, so that the result is the same everywhere.
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

// Parallel calls independent functions, in parallel if there is more than one processor,
// otherwise in order. It returns when all are done.
func Parallel(work ...func()) {
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
