package topic

import (
	"math"

	"seam/shared/vector"
)

// band holds the values of all short segments before their price. at(b)[l] is the value of
// the l+1 sentences that end with sentence b.
type band struct {
	width int
	f     []float32
}

func newBand(width, n int) band { return band{width, make([]float32, n*width)} }

func (e band) at(b int) []float32 { return e.f[b*e.width : b*e.width+min(e.width, b+1)] }

// evidence holds the values of segments before their price.
type evidence struct {
	band                 // of up to window sentences
	cohesion        band // the part that comes from vectors, E
	mean, deviation float64
	rows            vector.Matrix      // of length 1
	squares         []float64          // for each row, its product with itself
	long            map[[2]int]float64 // results of alone for more than window sentences
	words           *repetition
}

// reportEvery is the number of sentences between two calls of a progress hook.
const reportEvery = 256

// dividedRound is the number of sentences divided among processors at once.
const dividedRound = 4 * reportEvery

// rows returns the vectors with length 1.
func (in *Input) rows() vector.Matrix {
	if !in.Owned {
		return vector.Normalized(in.Vectors)
	}
	vector.Normalize(in.Vectors)
	return in.Vectors
}

// gather computes the evidence. Its errors are those of in.Progress.
func gather(in *Input) (*evidence, error) {
	n := len(in.Sentences)
	width := min(window, n)
	e := &evidence{band: newBand(width, n), cohesion: newBand(width, n), rows: in.rows(), squares: make([]float64, n), long: map[[2]int]float64{}}
	for i := range e.squares {
		e.squares[i] = vector.Dot(e.rows.Row(i), e.rows.Row(i))
	}
	weight := lexical
	if in.OwnWords {
		weight = ownLexical
	}
	var err error
	vector.Parallel(func() {
		if e.mean, e.deviation, err = e.cohesion.similarities(in, e.rows); err == nil {
			e.cohesion.centre(n, e.mean, e.deviation)
		}
	}, func() {
		e.words = newRepetition(number(in.Sentences), weight)
		e.words.band(e.band)
	})
	if err != nil {
		return nil, err
	}
	if err := in.report(1, 0); err != nil {
		return nil, err
	}
	for i, f := range e.cohesion.f {
		e.f[i] = f + e.f[i]
	}
	return e, nil
}

// joined returns the values of the segments between places, including those of more than
// window sentences. [b][k] is for the segment from places[b-1-k] to places[b], as long as
// it has at most longest sentences. Its errors are those of in.Progress.
func (e *evidence) joined(in *Input, places []int) ([][]float64, error) {
	out := make([][]float64, len(places))
	sums := vector.New(len(places), e.rows.Dim) // [i] sums the rows from places[i-1] to places[i]
	single := make([]float64, len(places))      // [i] sums the products of those rows with themselves
	for i := 1; i < len(places); i++ {
		for row := places[i-1]; row < places[i]; row++ {
			single[i] += e.squares[row]
			for j, x := range e.rows.Row(row) {
				sums.Row(i)[j] += x
			}
		}
	}
	for done := 1; done < len(places); done += joinedRound {
		if err := in.report(2, places[done]); err != nil {
			return nil, err
		}
		vector.Divide(min(joinedRound, len(places)-done), joinedPart, func(from, to int) {
			sum, count := make([]float64, e.rows.Dim), e.words.tally()
			for b := done + from; b < done+to; b++ {
				out[b] = e.before(places, b, sums, single, sum, count)
			}
		})
	}
	return out, nil
}

// Places that joined handles between two calls of a progress hook, and places per task of a
// processor.
const (
	joinedRound = 4 * joinedPart
	joinedPart  = 256
)

// before computes joined for one place. sum and count are scratch memory.
func (e *evidence) before(places []int, b int, sums vector.Matrix, single, sum []float64, count *tally) (row []float64) {
	clear(sum)
	own := 0.0
	for a := b - 1; a >= 0 && (places[b]-places[a] <= longest || a == b-1); a-- {
		length := places[b] - places[a]
		if length <= e.width {
			row = append(row, float64(e.at(places[b] - 1)[length-1]))
			if places[b] <= e.width { // and so are all others
				continue
			}
		}
		own += single[a+1]
		count.add(places[a], places[a+1])
		if length <= e.width {
			for j, x := range sums.Row(a + 1) {
				sum[j] += float64(x)
			}
			continue
		}
		square := 0.0
		for j, x := range sums.Row(a + 1) {
			sum[j] += float64(x)
			square += float64(sum[j] * sum[j])
		}
		row = append(row, e.alike(square-own, length)+count.worth())
	}
	count.clear()
	return row
}

// alike returns E of a segment with the given number of sentences. sum is the sum of
// x_i·x_j over i≠j.
func (e *evidence) alike(sum float64, sentences int) float64 {
	l := float64(sentences)
	return (sum - float64(l*(l-1))*e.mean) / float64(l*e.deviation)
}

// alone returns E of the sentences from..to-1. It must not be called concurrently.
func (e *evidence) alone(from, to int) float64 {
	if to-from <= e.width {
		return float64(e.cohesion.at(to - 1)[to-from-1])
	}
	if known, ok := e.long[[2]int{from, to}]; ok {
		return known
	}
	sum := make([]float64, e.rows.Dim)
	vector.AddRows(sum, e.rows.Part(from, to))
	single, square := 0.0, 0.0
	for _, x := range e.squares[from:to] {
		single += x
	}
	for _, x := range sum {
		square += float64(x * x)
	}
	known := e.alike(square-single, to-from)
	e.long[[2]int{from, to}] = known
	return known
}

// similarities fills e with the sums of x_i·x_j over the pairs of each segment. It returns
// the mean and standard deviation of x_i·x_j for sentences at most near apart.
func (e band) similarities(in *Input, m vector.Matrix) (mean, deviation float64, err error) {
	n := m.Rows
	sums := make([]float64, n) // [a] sums the pairs of a..b
	dots := make([]float32, min(n, dividedRound)*e.width)
	var total, squares float64
	for b := range n {
		if b%reportEvery == 0 {
			if err := in.report(0, b); err != nil {
				return 0, 0, err
			}
		}
		if b%dividedRound == 0 { // unlike the sums, products do not depend on each other
			vector.Divide(min(dividedRound, n-b), reportEvery/8, func(from, to int) {
				for i := from; i < to; i++ {
					dotsBefore(dots[i*e.width:(i+1)*e.width], m, b+i, len(e.at(b+i))-1)
				}
			})
		}
		row := e.at(b)
		back := len(row) - 1
		products := dots[b%dividedRound*e.width:]
		with := 0.0
		for k := 1; k <= back; k++ {
			d := float64(products[k-1])
			if k <= near {
				total += d
				squares += float64(d * d)
			}
			with += d
			sums[b-k] += with
			row[k] = float32(sums[b-k])
		}
	}
	reach := min(near, n-1)
	pairs := float64(reach*n - reach*(reach+1)/2)
	mean = total / pairs
	return mean, max(math.Sqrt(max(squares/pairs-float64(mean*mean), 0)), leastDeviation), nil
}

// centre converts sums of similarities to E.
func (e band) centre(n int, mean, deviation float64) {
	for b := range n {
		for l, s := range e.at(b) {
			length := float64(l + 1)
			e.at(b)[l] = float32((2*float64(s) - float64(length*float64(l))*mean) / float64(length*deviation))
		}
	}
}

// dotsBefore writes the product of row b and row b-k to dst[k-1], for k from 1 to back.
func dotsBefore(dst []float32, m vector.Matrix, b, back int) {
	x := m.Row(b)
	k := 1
	for ; k+3 <= back; k += 4 {
		dst[k-1], dst[k], dst[k+1], dst[k+2] = vector.Dot4(x, m.Row(b-k), m.Row(b-k-1), m.Row(b-k-2), m.Row(b-k-3))
	}
	rest := [3][]float32{x, x, x} // the remaining rows in one more call
	for i := range back - k + 1 {
		rest[i] = m.Row(b - k - i)
	}
	if k <= back {
		var d [3]float32
		d[0], d[1], d[2], _ = vector.Dot4(x, rest[0], rest[1], rest[2], x)
		copy(dst[k-1:back], d[:])
	}
}
