package token

import "seam/shared/text"

// fitter is a Counter with a faster method than the general Fit.
type fitter interface{ Fit(t string, n int) int }

// eacher is a Counter that can produce its spans one by one.
type eacher interface {
	Each(t string, yield func(text.Span) bool)
}

// Each calls yield with each of c.Spans(t) until it returns false. If c supports it, the
// spans are not all held in memory.
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

// Fit returns the length in bytes of the longest prefix of t with at most n units, on a
// rune boundary. It returns 0 if not even the first rune fits. If a counter's units depend
// on the following text, the result may be a few bytes too short, but never too long. Fit
// reads no more of t than necessary.
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
		for k := n; ; k-- { // at the end of a window, units may differ
			if k < len(spans) {
				end = spans[k].Start
			}
			if c.Count(part[:end]) <= n || k == 0 {
				return end
			}
		}
	}
}

// firstBytes returns at most n bytes of t, cut at a rune boundary.
func firstBytes(t string, n int) string { return t[:text.Edge(t, n)] }
