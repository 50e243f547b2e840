// Package limit says how much a caller may still ask for: budgets in tokens and
// money for a session, an address and a day.
package limit

import "math"

// Amount is tokens and money.
type Amount struct {
	Tokens int64 // read and written by models
	Micros int64 // millionths of a US dollar
}

// unlimited stands for a limit of 0, and most is what one call can have cost: who
// says more is not believed, and a thousand of them do not make a sum of no limit.
const (
	unlimited = math.MaxInt64 / 4
	most      = 1 << 40
)

// limits returns a with 0 made unlimited.
func (a Amount) limits() Amount {
	if a.Tokens <= 0 {
		a.Tokens = unlimited
	}
	if a.Micros <= 0 {
		a.Micros = unlimited
	}
	return a.atMost(Amount{unlimited, unlimited})
}

// plus and minus stop at the ends of what a number holds.
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

// times returns a n times, at most unlimited.
func (a Amount) times(n int64) Amount {
	return Amount{min(a.Tokens, unlimited/n) * n, min(a.Micros, unlimited/n) * n}
}

// believed returns what a call may have cost: nothing below 0, nothing above most.
func (a Amount) believed() Amount { return a.atLeast(Amount{}).atMost(Amount{most, most}) }

// within reports whether neither number is above the limit's.
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

// block is what is written down in advance: a hundredth of the limit, at most a million
// tokens and a dollar. That much a crash may cost.
func (a Amount) block() Amount { return Amount{min(a.Tokens/100, 1e6), min(a.Micros/100, 1e6)} }

// blocks rounds what is short up to a block of the limit.
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

// without returns what to keep of a where need is needed: half a block more than that
// where there is more than a whole one, else all.
func (a Amount) without(need, block Amount) Amount {
	if a.Tokens > add(need.Tokens, block.Tokens) {
		a.Tokens = need.Tokens + block.Tokens/2
	}
	if a.Micros > add(need.Micros, block.Micros) {
		a.Micros = need.Micros + block.Micros/2
	}
	return a
}
