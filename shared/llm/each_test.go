package llm

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
)

func TestEachDoesAllAFewAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 7
		begun, goOn := make(chan int, n), make(chan struct{})
		var finished []int
		var err error
		go func() {
			err = Each(t.Context(), n, 3, func(i int) error {
				begun <- i
				<-goOn
				return nil
			}, func(done int) error { finished = append(finished, done); return nil })
		}()
		synctest.Wait()
		if len(begun) != 3 {
			t.Errorf("%d are at work at once", len(begun))
		}
		close(goOn)
		synctest.Wait()
		close(begun)
		var all []int
		for i := range begun {
			all = append(all, i)
		}
		slices.Sort(all)
		if want := []int{0, 1, 2, 3, 4, 5, 6}; err != nil || !slices.Equal(all, want) || !slices.Equal(finished, []int{1, 2, 3, 4, 5, 6, 7}) {
			t.Errorf("%v, told %v, %v", all, finished, err)
		}
	})
}

func TestEachEndsWithTheFirstError(t *testing.T) {
	bad := errors.New("bad")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(bad)
	fine := func(int) error { return nil }
	for name, each := range map[string]func(count func(int) error) error{
		"work": func(count func(int) error) error {
			return Each(t.Context(), 9, 1, func(i int) error { return errors.Join(count(i), bad) }, fine)
		},
		"done": func(count func(int) error) error {
			return Each(t.Context(), 9, 1, count, func(int) error { return bad })
		},
		"context": func(count func(int) error) error { return Each(ctx, 9, 1, count, fine) },
	} {
		begun := 0
		if err := each(func(int) error { begun++; return nil }); !errors.Is(err, bad) || begun > 1 {
			t.Errorf("%s: %v after %d", name, err, begun)
		}
	}
}
