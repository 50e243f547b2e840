package admission

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pace limits how often each caller may do something. The zero value is ready. It is safe
// for concurrent use.
type Pace struct {
	mu      sync.Mutex
	callers map[Caller]*rate.Limiter
}

// manyPaced is the number of callers at which idle ones are forgotten.
const manyPaced = 10_000

// Allow counts one event, of at most perMinute and a third of that in a burst. If the limit
// is reached, it returns how long to wait.
func (p *Pace) Allow(c Caller, perMinute int, now time.Time) (wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	every, burst := rate.Limit(float64(perMinute)/60), max(1, perMinute/3)
	l := p.callers[c]
	if l == nil {
		if p.callers == nil || len(p.callers) >= manyPaced {
			p.forget(now)
		}
		l = rate.NewLimiter(every, burst)
		p.callers[c] = l
	}
	if l.Limit() != every {
		l.SetLimitAt(now, every)
		l.SetBurstAt(now, burst)
	}
	if l.AllowN(now, 1) {
		return 0, true
	}
	return time.Duration((1 - l.TokensAt(now)) / float64(every) * float64(time.Second)), false
}

// forget drops callers that have their full burst again, or all callers if none has: a
// flood of addresses must not use unlimited memory.
func (p *Pace) forget(now time.Time) {
	busy := map[Caller]*rate.Limiter{}
	for c, l := range p.callers {
		if l.TokensAt(now) < float64(l.Burst()) {
			busy[c] = l
		}
	}
	if len(busy) >= manyPaced {
		busy = map[Caller]*rate.Limiter{}
	}
	p.callers = busy
}
