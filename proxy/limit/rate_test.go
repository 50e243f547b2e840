package limit

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"seam/shared/protocol"
)

// take takes tokens from a limit of a hundred per minute. It returns how long to wait, or 0
// if they are granted.
func take(t *testing.T, r *Rates, n int64, now time.Time) (*RateReservation, time.Duration) {
	t.Helper()
	taken, err := r.Reserve("g", "ci", 100, n, now)
	var e *protocol.Error
	if err != nil && (!errors.As(err, &e) || e.Code != protocol.RateLimited || e.RetryAfter <= 0) {
		t.Fatal(err)
	}
	if e == nil {
		return taken, 0
	}
	return nil, e.RetryAfter
}

func TestRates(t *testing.T) {
	var r Rates
	now := time.Date(2026, 11, 21, 23, 59, 50, 0, time.UTC)
	first, _ := take(t, &r, 60, now)
	for _, tt := range []struct {
		settle int64 // of the first one; -1: not now
		after  time.Duration
		n      int64
		wait   time.Duration
	}{
		{-1, 0, 41, 600 * time.Millisecond},
		{-1, 0, 40, 0},
		{-1, 30 * time.Second, 51, 600 * time.Millisecond},
		{-1, 0, 50, 0},
		{10, 0, 50, 0}, // 50 have become available
		{-1, 0, 1000, time.Minute},
		{-1, time.Minute, 1000, 0}, // more than a minute's: granted only if none are used
		{-1, 0, 1, 9*time.Minute + 600*time.Millisecond},
		{-1, 10 * time.Minute, 100, 0},
	} {
		if tt.settle >= 0 {
			first.Settle(tt.settle)
		}
		now = now.Add(tt.after)
		if _, wait := take(t, &r, tt.n, now); wait.Round(time.Millisecond) != tt.wait {
			t.Errorf("%d tokens: wait for %v, want %v", tt.n, wait, tt.wait)
		}
	}
	if _, err := r.Reserve("other", "", 100, 100, now); err != nil {
		t.Error(err)
	}
	if taken, err := r.Reserve("free", "", 0, math.MaxInt64, now); err != nil {
		t.Error(err)
	} else {
		taken.Settle(1)
	}
	for i := range 3 * manyRates {
		if _, err := r.Reserve(fmt.Sprint(i), "", 100, 1, now); err != nil || len(r.used) > manyRates {
			t.Fatalf("%d rates: %v", len(r.used), err)
		}
	}
}

// Over any time, usage is at most the tokens of its minutes, one minute's burst, and any
// cost above an estimate. A caller that waits as long as the error says is let in.
func TestRatesHold(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var r Rates
		start := time.Unix(1_700_000_000, 0)
		now, used, more := start, int64(0), int64(0)
		for range 200 {
			n := random.Int64N(100)
			taken, wait := take(t, &r, n, now)
			if wait > 0 {
				now = now.Add(wait + time.Microsecond)
				if taken, wait = take(t, &r, n, now); wait > 0 {
					t.Fatalf("refused after the wait, for %v more", wait)
				}
			}
			cost := random.Int64N(n + 20)
			taken.Settle(cost)
			used, more = used+cost, max(more, cost-n)
			if most := 100*now.Sub(start).Minutes() + 100 + float64(more); float64(used) > most+1 {
				t.Fatalf("%d tokens in %v", used, now.Sub(start))
			}
			now = now.Add(time.Duration(random.Int64N(int64(20 * time.Second))))
		}
	}
}
