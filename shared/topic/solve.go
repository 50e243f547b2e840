package topic

import (
	"math"
	"slices"

	"seam/shared/vector"
)

// solver finds the best divisions of n sentences.
type solver struct {
	*evidence
	n     int
	unit  float64   // the price of a segment at granularity 1
	bonus []float64 // [i] is the value of a segment for beginning with sentence i; 0 for the first
	room  run       // scratch memory of free
}

const never = -1e18

// granularity returns the granularity of a level: 2^(level/4). It computes the quarters
// with square roots.
func granularity(level int) float64 {
	quarters := [perOctave]float64{1, math.Sqrt(math.Sqrt2), math.Sqrt2, math.Sqrt2 * math.Sqrt(math.Sqrt2)}
	level += levels
	return math.Ldexp(quarters[level%perOctave], level/perOctave-levels/perOctave)
}

// strengths returns the curve of Topics. Its errors are those of in.Progress.
func (s *solver) strengths(in *Input) ([]float64, error) {
	curve := make([]float64, s.n-1)
	for i := range curve {
		curve[i] = math.Inf(-1)
	}
	mark := func(cuts []int, level int) {
		for _, c := range cuts {
			curve[c-1] = max(curve[c-1], float64(level)/perOctave)
		}
	}
	cuts := s.seen(s.free(0, s.n, s.unit).cuts(nil), nil, s.unit)
	j, err := s.join(in, cuts)
	if err != nil {
		return nil, err
	}
	cuts = j.best(s.unit)
	mark(cuts, 0)
	for level := 1; level <= levels; level++ {
		mark(j.best(granularity(level)*s.unit), level)
	}
	for level := -1; level >= -levels; level-- {
		if err := in.report(phases-1, s.n); err != nil {
			return nil, err
		}
		price := granularity(level) * s.unit
		cuts = s.seen(s.within(cuts, price), cuts, price)
		mark(cuts, level)
	}
	s.rest(curve, cuts)
	return curve, nil
}

// run holds the values of the best divisions of some sentences.
type run struct {
	from int
	best []float64 // [i] is for the first i sentences
	back []int32   // [i] is the start of the last segment in that division
}

// cuts appends the starts of segments except the first, ascending.
func (r run) cuts(to []int) []int {
	before := len(to)
	for b := r.back[len(r.back)-1]; b > 0; b = r.back[b] {
		to = append(to, r.from+int(b))
	}
	slices.Reverse(to[before:])
	return to
}

// free divides the sentences from..to-1 at any place. Among equal divisions it takes the
// one with the shorter last segment. The run is valid until the next call.
func (s *solver) free(from, to int, price float64) run {
	if s.room.best == nil {
		s.room = run{0, make([]float64, s.n+1), make([]int32, s.n+1)}
	}
	r := run{from, s.room.best[:to-from+1], s.room.back[:to-from+1]}
	r.best[0], r.back[0] = 0, 0
	for b := 1; b <= to-from; b++ {
		best, back := never, 0
		row := s.at(from + b - 1)
		for l, f := range row[:min(b, len(row))] {
			a := b - 1 - l
			v := r.best[a] + float64(f)
			if a > 0 {
				v += s.bonus[from+a]
			}
			if v > best {
				best, back = v, a
			}
		}
		r.best[b], r.back[b] = best-price, int32(back)
	}
	return r
}

// between calls f for each range between cuts.
func (s *solver) between(cuts []int, f func(from, to int)) {
	from := 0
	for _, c := range cuts {
		f(from, c)
		from = c
	}
	f(from, s.n)
}

// within keeps cuts and divides the ranges between them further.
func (s *solver) within(cuts []int, price float64) []int {
	var out []int
	s.between(cuts, func(from, to int) {
		if from > 0 {
			out = append(out, from)
		}
		if to-from > 1 {
			out = s.free(from, to, price).cuts(out)
		}
	})
	return out
}

// seen removes cuts, weakest first, at which vectors and bonus show little change: less
// than witness times the price. Words alone are not enough evidence, because shuffled text
// repeats fewer of them than a text with one topic and so looks like many topics. It never
// removes those in stay.
func (s *solver) seen(cuts, stay []int, price float64) []int {
	change := func(i int) float64 {
		from, to := 0, s.n
		if i > 0 {
			from = cuts[i-1]
		}
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		_, stays := slices.BinarySearch(stay, cuts[i])
		if stays || to-from > longest || s.bonus[cuts[i]] >= price {
			return math.Inf(1)
		}
		return s.alone(from, cuts[i]) + s.alone(cuts[i], to) - s.alone(from, to) + s.bonus[cuts[i]]
	}
	changes := make([]float64, len(cuts))
	for i := range cuts {
		changes[i] = change(i)
	}
	for weak := true; weak; {
		weak = false
		for i := 0; i < len(cuts); i++ { // every cut that is weaker than its neighbours
			if changes[i] >= witness*price || i > 0 && changes[i-1] < changes[i] || i+1 < len(cuts) && changes[i+1] < changes[i] {
				continue
			}
			weak = true
			cuts, changes = slices.Delete(cuts, i, i+1), slices.Delete(changes, i, i+1)
			for k := max(0, i-1); k < min(i+1, len(cuts)); k++ {
				changes[k] = change(k)
			}
		}
	}
	return cuts
}

// joiner finds which places to keep.
type joiner struct {
	*solver
	places []int       // including 0 and n
	worth  [][]float64 // see evidence.joined
	left   []int       // indexes of the remaining places
}

func (s *solver) join(in *Input, cuts []int) (*joiner, error) {
	places := append(append([]int{0}, cuts...), s.n)
	left := make([]int, len(places))
	for i := range left {
		left[i] = i
	}
	worth, err := s.joined(in, places)
	return &joiner{s, places, worth, left}, err
}

// best keeps the best of the remaining places, and returns them.
func (j *joiner) best(price float64) []int {
	best, back := make([]float64, len(j.left)), make([]int, len(j.left))
	for b := 1; b < len(j.left); b++ {
		best[b] = never
		worth := j.worth[j.left[b]]
		for a := b - 1; a >= 0 && j.left[b]-j.left[a] <= len(worth); a-- {
			v := best[a] + worth[j.left[b]-j.left[a]-1] + j.bonus[j.places[j.left[a]]] - price
			if v > best[b] {
				best[b], back[b] = v, a
			}
		}
	}
	last := len(j.left) - 1
	left := []int{j.left[last]}
	var cuts []int
	for b := back[last]; b > 0; b = back[b] {
		left = append(left, j.left[b])
		cuts = append(cuts, j.places[j.left[b]])
	}
	left = append(left, 0)
	slices.Reverse(left)
	slices.Reverse(cuts)
	j.left = left
	return cuts
}

// rest gives the gaps that are never a boundary a value below the finest granularity's. The
// value decreases by one for each doubling of 1 + the cost of the boundary, in prices of a
// segment at granularity 1, and by at most 3.
func (s *solver) rest(curve []float64, cuts []int) {
	price := granularity(-levels) * s.unit
	s.between(cuts, func(from, to int) {
		left, right := s.free(from, to, price), s.backward(from, to, price)
		n := to - from
		for c := 1; c < n; c++ {
			lost := max(0, left.best[n]-(left.best[c]+right[c]+s.bonus[from+c]))
			curve[from+c-1] = -float64(levels)/perOctave - vector.Ln(min(8, 1.0625+lost/s.unit))/math.Ln2
		}
	})
}

// backward is free from the other end. [i] is the value of the sentences from+i..to-1.
func (s *solver) backward(from, to int, price float64) []float64 {
	n := to - from
	out := make([]float64, n+1)
	for a := n - 1; a > 0; a-- {
		out[a] = never
		for b := a + 1; b <= min(n, a+s.width); b++ {
			v := float64(s.at(from + b - 1)[b-1-a]) + out[b]
			if b < n {
				v += s.bonus[from+b]
			}
			out[a] = max(out[a], v)
		}
		out[a] -= price
	}
	return out
}
