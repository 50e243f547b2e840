package eval

import (
	"cmp"
	"slices"
	"sort"

	"seam/shared/text"
)

// Segmentation measures how well boundaries agree with a reference. Boundary i is the end
// of a segment after sentence i, from 0. The end of the text is not a boundary.
type Segmentation struct {
	Segments, Found int     // of the reference and of the result: boundaries + 1
	Pk, WindowDiff  float64 // errors, 0 to 1; 0 is agreement
	F1, F1Near      float64 // 0 to 1; 1 is agreement; F1Near allows a boundary to be one sentence off
}

// Segment compares the boundaries found in a text of n sentences with ref. Neither needs to
// be sorted, and repeated boundaries count once. A boundary outside 0..n-2 changes no
// label. It still counts in F1 and, if it is in ref, in Window.
func Segment(n int, ref, found []int) Segmentation {
	ref, found = distinct(ref), distinct(found)
	s := Segmentation{Segments: len(ref) + 1, Found: len(found) + 1, F1: BoundaryF1(ref, found, 0), F1Near: BoundaryF1(ref, found, 1)}
	s.Pk, s.WindowDiff = pkWindowDiff(n, ref, found)
	return s
}

// distinct returns a sorted copy without repetitions.
func distinct[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// Window returns the distance k between the sentences that Pk and WindowDiff compare. It is
// half a mean segment of the reference, n/(2·segments), rounded with halves to even, and at
// least 2. Source: segeval, the window size of its pk and window_diff.
func Window(n, segments int) int {
	if n <= 0 || segments <= 0 {
		return 2
	}
	k, rest := n/(2*segments), n%(2*segments)
	if rest > segments || rest == segments && k%2 == 1 {
		k++
	}
	return max(2, k)
}

// pkWindowDiff returns the errors of Beeferman, Berger and Lafferty (1999) and of Pevzner
// and Hearst (2002), as computed by segeval. For i from 0 to n-k-1, Pk is the share of i
// where the two disagree on whether i and i+k lie in one segment. WindowDiff is the share
// where the number of boundaries between i and i+k differs. Both are 0 if the text is no
// longer than k.
func pkWindowDiff(n int, ref, found []int) (pk, windowDiff float64) {
	k := Window(n, len(ref)+1)
	if n <= k {
		return 0, 0
	}
	a, b := labels(n, ref), labels(n, found)
	apart, unequal := 0, 0
	for i := range n - k {
		inRef, inFound := a[i+k]-a[i], b[i+k]-b[i]
		if (inRef == 0) != (inFound == 0) {
			apart++
		}
		if inRef != inFound {
			unequal++
		}
	}
	return float64(apart) / float64(n-k), float64(unequal) / float64(n-k)
}

// labels returns the segment number of each of n sentences.
func labels(n int, bounds []int) []int {
	out := make([]int, n)
	for _, b := range bounds {
		if b >= 0 && b < n-1 {
			out[b+1]++
		}
	}
	for i := 1; i < n; i++ {
		out[i] += out[i-1]
	}
	return out
}

// BoundaryF1 returns 2·hits / (boundaries of both), or 1 if neither has any. In ascending
// order, each boundary of ref takes the nearest free one of found at most off sentences
// away. Among two at the same distance it takes the lower.
func BoundaryF1(ref, found []int, off int) float64 {
	ref, left := distinct(ref), distinct(found)
	all, hits := len(ref)+len(left), 0
	if all == 0 {
		return 1
	}
	for _, r := range ref {
		best := -1
		for i := sort.SearchInts(left, r-off); i < len(left) && left[i] <= r+off; i++ {
			if best < 0 || abs(left[i]-r) < abs(left[best]-r) {
				best = i
			}
		}
		if best >= 0 {
			left = slices.Delete(left, best, best+1)
			hits++
		}
	}
	return float64(2*hits) / float64(all)
}

func abs(x int) int { return max(x, -x) }

// Bounds returns the boundaries between ascending sentences for chunks that begin at the
// bytes starts. A start moves to the nearest start of a sentence; among two it takes the
// earlier. A start in the white space before a sentence belongs to that sentence. The start
// of the first sentence is not a boundary.
func Bounds(sentences []text.Span, starts []int) []int {
	var out []int
	for _, x := range starts {
		j := sort.Search(len(sentences), func(i int) bool { return sentences[i].Start >= x })
		switch {
		case j < len(sentences) && (j == 0 || x >= sentences[j-1].End): // at its start, or in the white space before
		case j == len(sentences) || x-sentences[j-1].Start <= sentences[j].Start-x:
			j--
		}
		if j > 0 {
			out = append(out, j-1)
		}
	}
	return distinct(out)
}
