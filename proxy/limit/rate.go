package limit

import (
	"fmt"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Rates bound tokens a minute, of each name for itself. A whole minute's may be used
// at once; they come back evenly. The zero value is ready. It is safe for concurrent
// use.
type Rates struct {
	mu   sync.Mutex
	used map[string]*rate
}

// rate is what is used of a minute's tokens, as of a time.
type rate struct {
	tokens float64 // below 0 never; above a minute's where calls cost more than was taken
	at     time.Time
}

// manyRates is how many there may be until all are forgotten.
const manyRates = 1000

// Taken is what a request took of a rate. Settle has to be called.
type Taken struct {
	rates  *Rates
	name   string
	tokens int64
}

// Take takes n tokens of the perMinute of a name, whose shown name is for the error:
// rate_limited, with when to come back. A request of more than a minute's tokens waits
// until none are used. Where perMinute is 0 there is no limit.
func (r *Rates) Take(name, shown string, perMinute, n int64, now time.Time) (*Taken, error) {
	if perMinute <= 0 {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	u := r.of(name, perMinute, now)
	n = max(n, 0)
	if over := u.tokens - float64(perMinute-min(n, perMinute)); over > 0 {
		return nil, &protocol.Error{Code: protocol.RateLimited, Whose: protocol.Proxy,
			Message:    fmt.Sprintf("The %d tokens a minute of %s are used up: try again in a moment.", perMinute, shown),
			RetryAfter: time.Duration(over / float64(perMinute) * float64(time.Minute))}
	}
	u.tokens += float64(n)
	return &Taken{r, name, n}, nil
}

// of is a name's rate as of now, with the lock held.
func (r *Rates) of(name string, perMinute int64, now time.Time) *rate {
	if r.used == nil {
		r.used = map[string]*rate{}
	}
	u := r.used[name]
	if u == nil {
		if len(r.used) >= manyRates {
			r.used = map[string]*rate{} // names come from the configuration: there are never as many
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

// Settle corrects what was taken to what was used. Of nothing taken it does nothing.
func (t *Taken) Settle(used int64) {
	if t == nil {
		return
	}
	t.rates.mu.Lock()
	defer t.rates.mu.Unlock()
	if u := t.rates.used[t.name]; u != nil {
		u.tokens = max(0, u.tokens+float64(min(max(used, 0), most)-t.tokens))
	}
}
