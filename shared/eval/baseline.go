package eval

import (
	"fmt"
	"math"
	"slices"
)

// Baselines are the names of the trivial segmentations, in display order. A method that
// does not beat them has found nothing. equal and random know the number of segments, which
// methods do not.
var Baselines = []string{"none", "all", "equal", "random"}

// Baseline returns the boundaries of a trivial segmentation of n sentences: a single
// segment ("none"), one per sentence ("all"), the given number of equal length ("equal"),
// or the given number at random ("random"). The last depends on seed alone.
func Baseline(name string, n, segments int, seed uint64) ([]int, error) {
	inner := max(0, min(segments, n)-1)
	var out []int
	switch name {
	case "none":
	case "all":
		for i := range n - 1 {
			out = append(out, i)
		}
	case "equal":
		for i := range inner {
			out = append(out, int(math.RoundToEven(float64(n*(i+1))/float64(inner+1)))-1)
		}
		out = slices.Compact(out)
	case "random":
		out = sample(n-1, inner, seed)
	default:
		return nil, fmt.Errorf("unknown baseline %q: choose one of none, all, equal, random", name)
	}
	return out, nil
}

// sample draws k distinct numbers below n, sorted (Knuth's algorithm S).
func sample(n, k int, seed uint64) []int {
	var out []int
	for i := 0; i < n && k > 0; i++ {
		seed += 0x9e3779b97f4a7c15
		if mix(seed)%uint64(n-i) < uint64(k) {
			out = append(out, i)
			k--
		}
	}
	return out
}

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Seed derives a seed from a document's name (FNV-1a, 64 bits), so that its random
// segmentation does not depend on the other documents.
func Seed(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}
