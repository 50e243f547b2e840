package vector

import (
	"runtime"
	"sync"
	"testing"
)

// Every part must come once, with any number of processors.
func TestDivide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(processors)
		for _, n := range []int{0, 1, 9, 10, 11, 1000} {
			var mu sync.Mutex
			seen := make([]int, n)
			Divide(n, 10, func(from, to int) {
				mu.Lock()
				defer mu.Unlock()
				if from%10 != 0 || to-from > 10 || to <= from {
					t.Errorf("a part %d..%d of %d", from, to, n)
				}
				for i := from; i < to; i++ {
					seen[i]++
				}
			})
			for i, times := range seen {
				if times != 1 {
					t.Fatalf("%d of %d came %d times", i, n, times)
				}
			}
		}
	}
}

func TestBeside(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		var done [3]int
		Parallel(func() { done[0]++ }, func() { done[1]++ }, func() { done[2]++ })
		runtime.GOMAXPROCS(before)
		if done != [3]int{1, 1, 1} {
			t.Errorf("%d processors: called %v", procs, done)
		}
	}
}
