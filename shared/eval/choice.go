package eval

import (
	"math"
	"slices"
)

// Choice says whether scores of the same questions single out one setting.
type Choice struct {
	// Wins reports whether the first setting is better than each other one in at least nine
	// tenths of the samples.
	Wins bool
	// Needed is about how many questions like these would single out the first setting. It
	// is 0 if it wins, if fewer than four questions were asked, or if a setting has
	// the same mean as the first one or needs more than a million.
	Needed int
}

const (
	// enoughShare is the share of samples in which a winner is better than all others.
	enoughShare = 0.9
	// fewestQuestions is the least number of questions that can single out a setting: with
	// fewer, even an advantage in each of them has a chance of more than a tenth in two
	// equal settings.
	fewestQuestions = 4
	// normalQuantile is the quantile of the normal distribution for enoughShare.
	normalQuantile = 1.2816
)

// Choose compares the first setting with the others. scores has a row per setting, and in
// each a score per question. It draws 4,000 samples of the questions with replacement, the
// same for all settings. Needed assumes that differences of means are normally distributed.
func Choose(scores [][]float64, first int) Choice {
	var out Choice
	n := len(scores[first])
	if len(scores) < 2 || n < fewestQuestions {
		return out // with so few questions, how scores vary is unknown
	}
	draw := draws(1)
	sums := make([]float64, len(scores))
	ahead := 0
	for range rounds {
		clear(sums)
		for range n {
			q := draw.below(n)
			for i, s := range scores {
				sums[i] += s[q]
			}
		}
		better := true
		for i, sum := range sums {
			if i != first && sum > sums[first]-1e-9 {
				better = false
			}
		}
		if better {
			ahead++
		}
	}
	if out.Wins = float64(ahead) >= enoughShare*rounds; out.Wins {
		return out
	}
	for i, s := range scores {
		if i == first {
			continue
		}
		d := make([]float64, n)
		for q := range d {
			d[q] = scores[first][q] - s[q]
		}
		mean, spread := Mean(d), normalQuantile*Deviation(d)
		if mean < 1e-9 || spread > 1000*mean {
			out.Needed = 0
			return out
		}
		ratio := spread / mean
		out.Needed = max(out.Needed, int(math.Ceil(ratio*ratio)))
	}
	out.Needed = roundUp(max(out.Needed, n+1))
	return out
}

// roundUp rounds a number up to two digits.
func roundUp(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// ShareInterval is Bootstrap for scores from 0 to 1. If all scores are equal, samples do not
// vary, and the interval allows for questions with other scores: it is as wide as the exact
// interval of a proportion of which none, or all, was seen. Source: Clopper and Pearson, The
// use of confidence or fiducial limits (1934).
func ShareInterval(v []float64) Interval {
	out := Bootstrap(v)
	if len(v) < 2 || slices.Max(v)-slices.Min(v) > 1e-9 {
		return out
	}
	q := root(0.025, len(v))
	out.Low, out.High = out.Mean*q, 1-(1-out.Mean)*q
	return out
}

// root returns the nth root of x, which is between 0 and 1. It multiplies only, because
// math.Pow differs between processors.
func root(x float64, n int) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		mid := (low + high) / 2
		power := 1.0
		for range n {
			power *= mid
		}
		if power < x {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
