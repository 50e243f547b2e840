package token

import "seam/shared/text"

// fitter is a Counter that knows a better way than Fit's.
type fitter interface{ Fit(t string, n int) int }

// eacher is a Counter that need not hold all its spans.
type eacher interface {
	Each(t string, yield func(text.Span) bool)
}

// Each calls yield with each of c.Spans(t) until it returns false, without
// holding all of them where c can.
func Each(c Counter, t string, yield func(text.Span) bool) {
	if e, ok := c.(eacher); ok {
		e.Each(t, yield)
		return
	}
	for _, s := range c.Spans(t) {
		if !yield(s) {
			return
		}
	}
}

// Fit returns the length in bytes of the longest beginning of t that has at most
// n units, on an edge of a rune; 0 where not even the first rune fits. Where a
// counter's units depend on what follows them it may be a few bytes short, never
// too long. It reads t no further than it has to.
func Fit(c Counter, t string, n int) int {
	if n <= 0 || t == "" {
		return 0
	}
	if f, ok := c.(fitter); ok {
		return f.Fit(t, n)
	}
	for window := 8*n + 64; ; window *= 2 {
		part := firstBytes(t, window)
		spans := c.Spans(part)
		if len(spans) <= n && len(part) < len(t) {
			continue
		}
		end := len(part)
		for k := n; ; k-- { // at the end of a window units may be others
			if k < len(spans) {
				end = spans[k].Start
			}
			if c.Count(part[:end]) <= n || k == 0 {
				return end
			}
		}
	}
}

// firstBytes returns at most n bytes of t, cut on an edge of a rune.
func firstBytes(t string, n int) string { return t[:text.Edge(t, n)] }
