package limit

import (
	"fmt"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Rates limits tokens per minute, separately for each name. The tokens of a whole minute
// may be used at once; they become available again evenly. The zero value is ready. It is
// safe for concurrent use.
type Rates struct {
	mu   sync.Mutex
	used map[string]*rate
}

// rate is the number of tokens in use at a time.
type rate struct {
	tokens float64 // never below 0; above a minute's tokens if calls cost more than was taken
	at     time.Time
}

// manyRates is the number of rates at which all are forgotten.
const manyRates = 1000

// RateReservation is the tokens taken by a request. The caller must call Settle.
type RateReservation struct {
	rates  *Rates
	name   string
	tokens int64
}

// Reserve takes n of the perMinute tokens of a name. If they are not available, it returns a
// rate_limited error with the time to wait, which calls the name shown. A request for more
// than a minute's tokens waits until none are in use. If perMinute is 0, there is no limit.
func (r *Rates) Reserve(name, shown string, perMinute, n int64, now time.Time) (*RateReservation, error) {
	if perMinute <= 0 {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	u := r.of(name, perMinute, now)
	n = max(n, 0)
	if over := u.tokens - float64(perMinute-min(n, perMinute)); over > 0 {
		return nil, &protocol.Error{Code: protocol.RateLimited, Whose: protocol.Proxy,
			Message:    fmt.Sprintf("The %d tokens per minute of %s are used up: try again in a moment.", perMinute, shown),
			RetryAfter: time.Duration(over / float64(perMinute) * float64(time.Minute))}
	}
	u.tokens += float64(n)
	return &RateReservation{r, name, n}, nil
}

// of returns a name's rate as of now. The lock must be held.
func (r *Rates) of(name string, perMinute int64, now time.Time) *rate {
	if r.used == nil {
		r.used = map[string]*rate{}
	}
	u := r.used[name]
	if u == nil {
		if len(r.used) >= manyRates {
			r.used = map[string]*rate{} // names come from the configuration, so there are never that many
		}
		u = &rate{at: now}
		r.used[name] = u
	}
	if passed := now.Sub(u.at); passed > 0 {
		u.tokens = max(0, u.tokens-passed.Minutes()*float64(perMinute))
		u.at = now
	}
	return u
}

// Settle corrects the taken tokens to the used ones. It does nothing if t is nil.
func (t *RateReservation) Settle(used int64) {
	if t == nil {
		return
	}
	t.rates.mu.Lock()
	defer t.rates.mu.Unlock()
	if u := t.rates.used[t.name]; u != nil {
		u.tokens = max(0, u.tokens+float64(min(max(used, 0), most)-t.tokens))
	}
}
