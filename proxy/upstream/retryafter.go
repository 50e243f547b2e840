package upstream

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter bounds the wait that a provider can impose on clients.
const maxRetryAfter = 24 * time.Hour

// retryAfter returns how long a provider asks to wait. It reads Retry-After in seconds or
// as a date, retry-after-ms, or the reset time of the exhausted limit.
func retryAfter(h http.Header, now time.Time) (wait time.Duration, known bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return bounded(ms, time.Millisecond), true
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 {
		return bounded(s, time.Second), true
	}
	if at, err := http.ParseTime(after); err == nil {
		return min(max(0, at.Sub(now)), maxRetryAfter), true
	}
	for _, of := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+of) != "0" {
			continue
		}
		if d, err := time.ParseDuration(h.Get("X-Ratelimit-Reset-" + of)); err == nil && d >= 0 {
			wait, known = max(wait, min(d, maxRetryAfter)), true
		}
	}
	return wait, known
}

func bounded(n float64, unit time.Duration) time.Duration {
	if n > float64(maxRetryAfter/unit) {
		return maxRetryAfter
	}
	return time.Duration(n * float64(unit))
}

// limitHeaders returns the headers of a response that concern limits.
func (p *Provider) limitHeaders(h http.Header) http.Header {
	kept := http.Header{}
	for name, values := range h {
		if len(values) > 0 && (strings.HasPrefix(name, "X-Ratelimit-") || strings.HasPrefix(name, "Retry-After")) {
			kept.Set(name, shorten(p.redact(values[0], false), 64))
		}
	}
	return kept
}
