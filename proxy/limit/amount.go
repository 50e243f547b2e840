// Package limit limits what callers may spend: budgets in tokens and money for a session,
// an address and a day.
package limit

import "math"

// Amount is a number of tokens and an amount of money.
type Amount struct {
	Tokens int64 // read and written by models
	Micros int64 // millionths of a US dollar
}

// unlimited represents a limit of 0. most is the highest cost accepted for one call: a
// higher report is not believed, and a thousand calls of that cost stay below unlimited.
const (
	unlimited = math.MaxInt64 / 4
	most      = 1 << 40
)

// limits returns a with 0 replaced by unlimited.
func (a Amount) limits() Amount {
	if a.Tokens <= 0 {
		a.Tokens = unlimited
	}
	if a.Micros <= 0 {
		a.Micros = unlimited
	}
	return a.atMost(Amount{unlimited, unlimited})
}

// plus and minus saturate instead of overflowing.
func (a Amount) plus(b Amount) Amount {
	return Amount{add(a.Tokens, b.Tokens), add(a.Micros, b.Micros)}
}

func (a Amount) minus(b Amount) Amount {
	return a.plus(Amount{-max(b.Tokens, -math.MaxInt64), -max(b.Micros, -math.MaxInt64)})
}

func add(a, b int64) int64 {
	switch sum := a + b; {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}

// times returns a multiplied by n, at most unlimited.
func (a Amount) times(n int64) Amount {
	return Amount{min(a.Tokens, unlimited/n) * n, min(a.Micros, unlimited/n) * n}
}

// believed limits each number to the range from 0 to most.
func (a Amount) believed() Amount { return a.atLeast(Amount{}).atMost(Amount{most, most}) }

// within reports whether neither number exceeds the limit's.
func (a Amount) within(limit Amount) bool {
	return a.Tokens <= limit.Tokens && a.Micros <= limit.Micros
}

// atLeast returns the larger of each number.
func (a Amount) atLeast(b Amount) Amount {
	return Amount{max(a.Tokens, b.Tokens), max(a.Micros, b.Micros)}
}

// atMost returns the smaller of each number.
func (a Amount) atMost(b Amount) Amount {
	return Amount{min(a.Tokens, b.Tokens), min(a.Micros, b.Micros)}
}

// block returns the amount written in advance: a hundredth of the limit, at most a million
// tokens and a dollar. A crash may lose that much.
func (a Amount) block() Amount { return Amount{min(a.Tokens/100, 1e6), min(a.Micros/100, 1e6)} }

// blocks rounds a positive shortage up to at least a block of the limit.
func (a Amount) blocks(limit Amount) Amount {
	block := limit.block()
	if a.Tokens > 0 {
		a.Tokens = max(a.Tokens, block.Tokens)
	}
	if a.Micros > 0 {
		a.Micros = max(a.Micros, block.Micros)
	}
	return a
}

// without returns how much of a to keep if need is needed. If a has more than a block above
// need, it keeps half a block above, otherwise all of a.
func (a Amount) without(need, block Amount) Amount {
	if a.Tokens > add(need.Tokens, block.Tokens) {
		a.Tokens = need.Tokens + block.Tokens/2
	}
	if a.Micros > add(need.Micros, block.Micros) {
		a.Micros = need.Micros + block.Micros/2
	}
	return a
}
