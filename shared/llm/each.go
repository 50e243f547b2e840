package llm

import (
	"context"
	"sync"
)

// Each does work for n things, at most atATime at once. It calls done, never concurrently,
// with the number finished. After the first error of either, or the end of ctx, it starts
// no more work. It waits for the work already started, and returns the error.
func Each(ctx context.Context, n, atATime int, work func(i int) error, done func(finished int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	places := make(chan struct{}, atATime)
	var mu sync.Mutex
	var running sync.WaitGroup
	finished := 0
	for i := range n {
		places <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-places }()
			err := work(i)
			mu.Lock()
			defer mu.Unlock()
			if finished++; err == nil {
				err = done(finished)
			}
			if err != nil {
				stop(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}
