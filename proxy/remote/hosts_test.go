package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// If any host answers, it is found. Each host is asked at most once, and a host that did
// not answer comes last next time.
func TestHosts(t *testing.T) {
	for _, turns := range []bool{false, true} {
		for up := range 1 << 3 {
			h := NewHosts(3, turns)
			var asked []int
			ask := func(_ context.Context, host int) error {
				asked = append(asked, host)
				if up>>host&1 == 0 {
					return fmt.Errorf("host %d is %w", host, ErrUnavailable)
				}
				return nil
			}
			for range 9 {
				asked = nil
				if err := h.Ask(t.Context(), time.Minute, ask); (err == nil) != (up != 0) {
					t.Errorf("turns %t, hosts %03b: %v", turns, up, err)
				}
				all := slices.Clone(asked)
				slices.Sort(all)
				if len(slices.Compact(all)) != len(asked) || up != 0 && up>>asked[len(asked)-1]&1 == 0 {
					t.Errorf("turns %t, hosts %03b: %v are asked", turns, up, asked)
				}
			}
			if up != 0 && len(asked) != 1 {
				t.Errorf("turns %t, hosts %03b: at last %v are asked", turns, up, asked)
			}
		}
	}
	h, seen := NewHosts(3, true), map[int]int{}
	for range 30 {
		_ = h.Ask(t.Context(), time.Minute, func(_ context.Context, host int) error { seen[host]++; return nil })
	}
	if seen[0] != 10 || seen[1] != 10 || seen[2] != 10 {
		t.Errorf("turns are taken by %v", seen)
	}
}

// Asking ends with a final refusal or when the caller cancels, but not when a host is
// silent.
func TestHostsEnd(t *testing.T) {
	h := NewHosts(3, false)
	refused, asked := errors.New("refused"), 0
	if err := h.Ask(t.Context(), time.Minute, func(context.Context, int) error { asked++; return refused }); err != refused || asked != 1 {
		t.Errorf("%v of %d", err, asked)
	}
	asked = 0
	err := h.Ask(t.Context(), time.Millisecond, func(ctx context.Context, host int) error {
		if asked++; host < 2 {
			<-ctx.Done()
			return fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
		}
		return nil
	})
	if err != nil || asked != 3 {
		t.Errorf("%v of %d", err, asked)
	}
	ctx, cancel := context.WithCancel(t.Context())
	asked = 0
	err = h.Ask(ctx, time.Minute, func(context.Context, int) error { asked++; cancel(); return ErrUnavailable })
	if err == nil || asked != 1 {
		t.Errorf("%v of %d", err, asked)
	}
}
