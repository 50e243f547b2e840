package cache

import (
	"context"
	"testing"
)

// A call that began with another length of vectors is not shared with callers that know the
// new length.
func TestFlightOfAnotherLength(t *testing.T) {
	c := newCache(t, nil)
	before, now := &upstream{hold: make(chan struct{})}, &upstream{}
	landed := make(chan error, 2)
	ask := func(s Scope, u *upstream) {
		_, _, err := c.Vectors(context.Background(), s, []string{"a"}, u.fetch)
		landed <- err
	}
	go ask(scope, before)
	until(t, "the first call", func() bool { return before.count() == 1 })
	known := scope
	known.Length = 2
	go ask(known, now)
	until(t, "a call of its own", func() bool { return now.count() == 1 })
	close(before.hold)
	for range 2 {
		if err := <-landed; err != nil {
			t.Error(err)
		}
	}
}
