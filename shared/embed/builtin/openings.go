package builtin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode"

	"seam/shared/embed"
	"seam/shared/vector"
)

// openings is the network of train/openings.py. It estimates how likely a section begins
// with a sentence, from the vectors, first words and lengths of the sentences around.
type openings struct {
	words         map[string]int
	project       [][]float32 // [unit][dimension of a vector]
	first, before [][]float32 // [word], for the sentence after the gap and the one before
	hidden        [][]float32
	hiddenBias    []float32
	out           []float32
	bias          float32
}

const (
	openingsMagic = "SEAMOPN1"
	nearby        = 3 // sentences on each side
	around        = 8
	scalars       = 8
	round         = 1024 // gaps between two calls of a progress hook
	part          = 64   // gaps per task of a processor
)

// readOpenings reads the output of train/openings.py for vectors of dim numbers.
func readOpenings(b []byte, dim int) (*openings, error) {
	damaged := func(what string) error { return fmt.Errorf("%w: its openings %s", ErrModel, what) }
	rest, ok := bytes.CutPrefix(b, []byte(openingsMagic))
	if !ok {
		return nil, damaged("do not begin with " + openingsMagic)
	}
	lines, left, err := counted(rest, "first words")
	if err != nil {
		return nil, err
	}
	o := &openings{words: map[string]int{}}
	for i, w := range strings.Split(string(lines), "\n") {
		o.words[w] = i + 1
	}
	for _, m := range []*[][]float32{&o.project, &o.first, &o.before, &o.hidden} {
		if *m, left = matrix(left); *m == nil {
			return nil, damaged("end too early")
		}
	}
	units := len(o.project)
	inputs := 7*units + scalars + len(o.first[0]) + len(o.before[0])
	switch {
	case len(o.project[0]) != dim || units%4 != 0 || len(o.hidden)%4 != 0:
		return nil, damaged(fmt.Sprintf("are of %d dimensions, not %d", len(o.project[0]), dim))
	case len(o.hidden[0]) != inputs || len(o.first) != len(o.words)+1 || len(o.before) != len(o.first):
		return nil, damaged("do not fit together")
	case len(left) != 4*(2*len(o.hidden)+1):
		return nil, damaged("have a wrong length")
	}
	o.hiddenBias, left = numbers(left, len(o.hidden))
	o.out, left = numbers(left, len(o.hidden))
	last, _ := numbers(left, 1)
	o.bias = last[0]
	return o, nil
}

// matrix reads rows, columns, a scale per row and 8-bit codes. It returns nil if b is too
// short.
func matrix(b []byte) ([][]float32, []byte) {
	if len(b) < 8 {
		return nil, b
	}
	rows, columns := uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[4:]))
	b = b[8:]
	if rows == 0 || columns == 0 || rows > uint64(len(b)) || columns > uint64(len(b)) || rows*(4+columns) > uint64(len(b)) {
		return nil, b
	}
	scales, codes := numbers(b, int(rows))
	m := make([][]float32, rows)
	for i := range m {
		m[i] = make([]float32, columns)
		for j := range m[i] {
			m[i][j] = scales[i] * float32(int8(codes[j]))
		}
		codes = codes[columns:]
	}
	return m, codes
}

// numbers reads n float32 numbers.
func numbers(b []byte, n int) ([]float32, []byte) {
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out, b[4*n:]
}

// firstWord returns the first run of letters and digits, unchanged.
func firstWord(s string) string {
	in := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	from := strings.IndexFunc(s, in)
	if from < 0 {
		return ""
	}
	s = s[from:]
	for i, r := range s {
		if !in(r) {
			return s[:i]
		}
	}
	return s
}

// times writes the product of a matrix and x to dst. The number of rows must be a multiple
// of four.
func times(dst []float32, m [][]float32, x []float32) {
	for i := 0; i < len(m); i += 4 {
		dst[i], dst[i+1], dst[i+2], dst[i+3] = vector.Dot4(x, m[i], m[i+1], m[i+2], m[i+3])
	}
}

// cosine returns the cosine of two sums of vectors, given their product and squared
// lengths. It returns 0 if one has length 0.
func cosine(ab, aa, bb float64) float32 {
	if !(aa > 1e-12 && bb > 1e-12) {
		return 0
	}
	return float32(ab / math.Sqrt(float64(aa*bb)))
}

func square(a []float32) float64 { return vector.Dot(a, a) }

// moving is the sum of the rows from..to-1, where both ends only increase.
type moving struct {
	m        vector.Matrix
	from, to int
	sum      []float32
}

func (w *moving) upTo(from, to int) {
	to = min(to, w.m.Rows)
	if w.to+1 == to && w.from+1 == from { // the usual case: both ends move by one
		sum, in, out := w.sum, w.m.Row(w.to)[:len(w.sum)], w.m.Row(w.from)[:len(w.sum)]
		for j := range sum {
			sum[j] = sum[j] + in[j] - out[j]
		}
		w.from, w.to = from, to
		return
	}
	for ; w.to < to; w.to++ {
		for j, x := range w.m.Row(w.to) {
			w.sum[j] += x
		}
	}
	for ; w.from < from; w.from++ {
		for j, x := range w.m.Row(w.from) {
			w.sum[j] -= x
		}
	}
}

// mean writes the mean of the rows from..to-1 of m, clipped to its rows, to dst.
func mean(dst []float32, m vector.Matrix, from, to int) {
	from, to = max(from, 0), min(to, m.Rows)
	clear(dst)
	for i := from; i < to; i++ {
		for j, x := range m.Row(i) {
			dst[j] += x
		}
	}
	for j := range dst {
		dst[j] /= float32(to - from)
	}
}

// lengths returns ln(1 + bytes/5)/4 for each text.
func lengths(texts []string) []float32 {
	out := make([]float32, len(texts))
	for i, t := range texts {
		out[i] = float32(vector.Ln(1+float64(len(t))/5) / 4)
	}
	return out
}

// gaps holds the inputs for the odds of a text's gaps.
type gaps struct {
	*openings
	m         vector.Matrix
	projected vector.Matrix
	words     []int
	length    []float32
	squares   []float64    // squared length of each sentence's vector
	whole     []float32    // cosine of each sentence with the sum of all
	moved     [][3]float32 // cosines of the moving sums at each sentence
}

// gaps returns the gaps of texts, without the moving sums.
func (o *openings) gaps(texts []string, m vector.Matrix) (*gaps, error) {
	n := m.Rows
	projected, err := vector.Make(n, len(o.project))
	if err != nil {
		return nil, err
	}
	g := &gaps{openings: o, m: m, projected: projected, words: make([]int, n), length: lengths(texts),
		squares: make([]float64, n), whole: make([]float32, n), moved: make([][3]float32, n)}
	whole := moving{m: m, sum: make([]float32, m.Dim)}
	whole.upTo(0, n)
	ofWhole := square(whole.sum)
	vector.Divide(n, part, func(from, to int) {
		for i := from; i < to; i++ {
			row := m.Row(i)
			times(g.projected.Row(i), o.project, row)
			g.words[i] = o.words[firstWord(texts[i])]
			g.squares[i] = square(row)
			g.whole[i] = cosine(vector.Dot(row, whole.sum), g.squares[i], ofWhole)
		}
	})
	return g, nil
}

// odds returns the log odds of each gap. The errors are those of progress, and
// vector.ErrTooLarge.
func (o *openings) odds(texts []string, m vector.Matrix, progress embed.Progress) ([]float64, error) {
	n := m.Rows
	if n < 2 {
		return nil, nil
	}
	g, err := o.gaps(texts, m)
	if err != nil {
		return nil, err
	}
	out := make([]float64, n-1)
	move := g.mover()
	move(1, min(n, 1+round))
	for done := 1; done < n; done += round {
		if err := progress.Report(done, n); err != nil {
			return nil, err
		}
		end := min(n, done+round)
		vector.Parallel(func() { move(end, min(n, end+round)) }, func() {
			vector.Divide(end-done, part, func(from, to int) {
				g.odds(out[done+from-1:done+to-1], done+from)
			})
		})
	}
	return out, nil
}

// mover returns a function that fills moved for the sentences from..to-1. It must be called
// for consecutive ranges, because the sums carry over their rounding.
func (g *gaps) mover() func(from, to int) {
	window := func() *moving { return &moving{m: g.m, sum: make([]float32, g.m.Dim)} }
	near, nearBefore, far, farBefore := window(), window(), window(), window()
	return func(from, to int) {
		for c := from; c < to; c++ {
			near.upTo(c, c+nearby)
			nearBefore.upTo(c-nearby, c)
			far.upTo(c, c+around)
			farBefore.upTo(c-around, c)
			before := square(farBefore.sum)
			g.moved[c] = [3]float32{
				cosine(vector.Dot(near.sum, nearBefore.sum), square(near.sum), square(nearBefore.sum)),
				cosine(vector.Dot(far.sum, farBefore.sum), square(far.sum), before),
				cosine(vector.Dot(g.m.Row(c), farBefore.sum), g.squares[c], before),
			}
		}
	}
}

// odds writes to out the log odds of the gaps between sentence c and its neighbours.
func (g *gaps) odds(out []float64, c int) {
	n, units := g.m.Rows, len(g.project)
	z := make([]float32, len(g.hidden[0]))
	hidden, buffer := make([]float32, len(g.hidden)), make([]float32, units)
	for i := range out {
		copy(z, g.projected.Row(c))
		copy(z[units:], g.projected.Row(c-1))
		clear(z[2*units : 3*units])
		if c+1 < n {
			copy(z[2*units:], g.projected.Row(c+1))
		}
		for k, reach := range []int{nearby, around} {
			d := z[(3+k)*units : (4+k)*units]
			mean(d, g.projected, c, c+reach)
			mean(buffer, g.projected, c-reach, c)
			for j := range d {
				d[j] -= buffer[j]
				z[(5+k)*units+j] = max(d[j], -d[j])
			}
		}
		rest := z[7*units:]
		rest[0] = cosine(vector.Dot(g.m.Row(c), g.m.Row(c-1)), g.squares[c], g.squares[c-1])
		copy(rest[1:], g.moved[c][:])
		rest[4], rest[5] = g.whole[c], g.whole[c-1]
		rest[6], rest[7] = g.length[c], g.length[c-1]
		copy(rest[scalars:], g.first[g.words[c]])
		copy(rest[scalars+len(g.first[0]):], g.before[g.words[c-1]])
		times(hidden, g.openings.hidden, z)
		sum := g.bias
		for j, h := range hidden {
			sum += float32(g.out[j] * max(0, h+g.hiddenBias[j]))
		}
		out[i] = float64(sum)
		c++
	}
}

// Openings implements embed.OpeningModel. It returns nil for a model without openings.
func (m *Model) Openings(texts []string, vectors vector.Matrix, progress embed.Progress) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if vectors.Rows != len(texts) || vectors.Dim != m.Dim() || vectors.Check() != nil {
		return nil, fmt.Errorf("%d vectors of %d numbers for %d texts", vectors.Rows, vectors.Dim, len(texts))
	}
	if m.openings == nil {
		return nil, nil
	}
	return m.openings.odds(texts, vectors, progress)
}
