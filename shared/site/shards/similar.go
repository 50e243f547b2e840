package shards

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// vectors holds the vectors of an index's chunks.
type vectors struct {
	model   string
	encoder EncoderFiles
	first   []int // first part of each chunk, and the total at the end
	shards  []Piece
	mean    []float32
	axes    axes
	factors []float64
	codes   []byte
}

// largestVector is the maximum number of numbers in a vector.
const largestVector = 4096

// OpenMeaning opens the vectors of an index, by the name that BuildMeaning returned.
// Afterwards a Query with a Vector also uses meaning.
func (x *Index) OpenMeaning(entry string) error {
	b, err := x.read(entry)
	if err != nil {
		return err
	}
	u := &unpacker{b: b}
	if v := u.uint(); v != meaningVersion && u.err == nil {
		return fmt.Errorf("%s: the vectors have version %d, but this program reads version %d: rebuild the index with seam index --meaning", entry, v, meaningVersion)
	}
	v := &vectors{model: u.string(), encoder: EncoderFiles{Head: u.string()}}
	u.pieces(encoderFolder, "w") // for pages; this program has the encoder
	dim, axes := u.uint(), u.uint()
	v.first = []int{0}
	for i := range u.count() {
		n := u.uint()
		if n == 0 {
			u.fail("a chunk without a vector")
		}
		v.first = append(v.first, v.first[i]+n)
	}
	v.shards = u.pieces(x.prefix, "n")
	chunks, rows := len(v.first)-1, v.first[len(v.first)-1]
	switch {
	case u.err != nil:
	case dim == 0 || dim > largestVector || dim%8 != 0 || axes == 0 || axes > dim || axes%8 != 0:
		u.fail("the length of its vectors")
	case chunks != x.chunks() || len(v.shards) != (chunks+perShard-1)/perShard:
		u.fail("the number of its vectors")
	case len(u.b) != 4*dim+4+vectorBytes(rows, axes, dim):
		u.fail("its vectors")
	}
	if u.err != nil {
		return fmt.Errorf("%s: %w", entry, u.err)
	}
	for range dim {
		v.mean = append(v.mean, u.float())
	}
	v.axes = u.axes(dim, axes)
	step := float64(u.float())
	for _, code := range u.take(rows) {
		v.factors = append(v.factors, float64(float64(code)*step))
	}
	v.codes = u.b
	if u.err != nil {
		return fmt.Errorf("%s: %w", entry, u.err)
	}
	x.vectors = v
	return nil
}

func (u *unpacker) axes(dim, n int) axes {
	a := axes{dim: dim}
	for range n {
		a.steps = append(a.steps, u.float())
		for _, b := range u.take(dim / 2) {
			a.codes = append(a.codes, int8(b&15)-8, int8(b>>4)-8)
		}
	}
	return a
}

func (u *unpacker) float() float32 {
	b := u.take(4)
	if len(b) < 4 {
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if f != f || math.IsInf(float64(f), 0) {
		u.fail("a number")
		return 0
	}
	return f
}

// Model returns the ID of the encoder of the open vectors, or "" if none are open.
func (x *Index) Model() string {
	if x.vectors == nil {
		return ""
	}
	return x.vectors.model
}

// Parameters of the search by meaning.
const (
	ofMeaning   = 12. // weight of similarity if the query's words cover no chunk
	ofCovered   = 1.5 // the same if they cover a chunk fully
	mostNear    = 48  // maximum number of chunks found by meaning alone
	mostWeighed = 8   // number of chunks compared more precisely: the best of each of the best pages
	leastNear   = .3  // minimum similarity of a chunk found by meaning alone
	ofBest      = .6  // share of the best part in a chunk's similarity; the rest is the mean of all parts
)

// near holds the similarities of all chunks to the vector of a query.
type near struct {
	x          *Index
	query      []float32
	similarity []float64
	mean       float64
	deviation  float64
	weight     float64
}

// meaningOf returns the similarities for a query, or nil if meaning is not used.
func (x *Index) meaningOf(q Query, s *scores, found *Found) (*near, error) {
	if q.Vector == nil {
		return nil, nil
	}
	if x.vectors == nil {
		return nil, errNoVectors
	}
	v, err := q.Vector(found.Corrected(q.Text))
	if v == nil || err != nil {
		return nil, err
	}
	return x.near(v, x.coverage(s, found))
}

// near compares the chunks with a query by their codes. It returns nil if the result
// carries no information.
func (x *Index) near(query []float32, coverage float64) (*near, error) {
	v := x.vectors
	if len(query) != len(v.mean) {
		return nil, fmt.Errorf("the vector of the query has %d numbers, those of the chunks have %d", len(query), len(v.mean))
	}
	n := &near{x: x, query: query, similarity: v.byCodes(query)}
	total, squares := 0., 0.
	for _, s := range n.similarity {
		total += s
		squares += float64(s * s)
	}
	count := float64(max(1, len(n.similarity)))
	n.mean = total / count
	n.deviation = math.Sqrt(max(0, squares/count-float64(n.mean*n.mean)))
	if n.deviation == 0 {
		return nil, nil
	}
	open := 1 - coverage
	n.weight = ofCovered + float64((ofMeaning-ofCovered)*float64(open*open))
	return n, nil
}

// byCodes estimates the similarity of each chunk to a query.
func (v *vectors) byCodes(query []float32) []float64 {
	base, wide := 0., make([]float64, len(query))
	for k, q := range query {
		wide[k] = float64(q)
		base += float64(wide[k] * float64(v.mean[k]))
	}
	along := make([]float64, v.axes.count())
	v.axes.along(wide, along)
	bytes := len(along) / 4
	sums := make([][256]float64, bytes) // sums for four numbers, for all their possible codes
	for i := range sums {
		for codes := range 256 {
			s := 0.
			for k, a := range along[4*i : 4*i+4] {
				s += float64(a * float64(2*(codes>>(2*k)&3)-3))
			}
			sums[i][codes] = s
		}
	}
	out := make([]float64, len(v.first)-1)
	for c := range out {
		var t inParts
		for part := v.first[c]; part < v.first[c+1]; part++ {
			s := 0.
			for i, codes := range v.codes[part*bytes:][:bytes] {
				s += sums[i][codes]
			}
			t.add(base + float64(v.factors[part]*s))
		}
		out[c] = t.similarity()
	}
	return out
}

// inParts combines the similarities of a chunk's parts to a query.
type inParts struct {
	parts     int
	best, sum float64
}

func (t *inParts) add(similarity float64) {
	if t.parts == 0 || similarity > t.best {
		t.best = similarity
	}
	t.sum += similarity
	t.parts++
}

// similarity returns the similarity of the chunk.
func (t *inParts) similarity() float64 {
	return float64(ofBest*t.best) + float64((1-ofBest)*(t.sum/float64(t.parts)))
}

// score returns the contribution of meaning to a chunk's score.
func (n *near) score(chunk int) float64 {
	return n.weight * ((n.similarity[chunk] - n.mean) / n.deviation)
}

// best returns the chunks most similar to the query, among those that are near enough and
// allowed.
func (n *near) best(allowed func(chunk int) bool) []int {
	list := make([]int, 0, len(n.similarity))
	for c := range n.similarity {
		if n.similarity[c] >= leastNear && allowed(c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		switch x, y := n.similarity[a], n.similarity[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return a - b
	})
	return list[:min(len(list), mostNear)]
}

// weigh computes the similarity of a chunk again from 8-bit numbers.
func (n *near) weigh(chunk int) error {
	v := n.x.vectors
	i, size := chunk/perShard, 4+len(v.mean)
	from := i * perShard
	rows, err := of(n.x, v.shards[i], func(u *unpacker) []byte {
		b := u.b
		if want := (v.first[min(from+perShard, len(v.first)-1)] - v.first[from]) * size; len(b) != want {
			u.fail("its vectors")
		}
		return b
	})
	if err != nil {
		return err
	}
	var t inParts
	for part := v.first[chunk]; part < v.first[chunk+1]; part++ {
		row := rows[(part-v.first[from])*size:][:size]
		s := 0.
		for k, code := range row[4:] {
			s += float64(float64(n.query[k]) * float64(int8(code)))
		}
		step := float64(math.Float32frombits(binary.LittleEndian.Uint32(row)))
		if s = float64(s * step); s != s || math.IsInf(s, 0) {
			return fmt.Errorf("the vector of chunk %d: %w", chunk, ErrDamaged)
		}
		t.add(s)
	}
	n.similarity[chunk] = t.similarity()
	return nil
}

// coverage returns how well the words of a query cover the chunk they cover best, from 0 to
// 1. It divides that chunk's score by the score of a chunk of usual length with all words
// at their maximum weight.
func (x *Index) coverage(s *scores, found *Found) float64 {
	most, best := 0., 0.
	for _, w := range found.words {
		most += w.rareness[0]
	}
	most += float64(len(found.Unknown)) * float64(rarity(x.chunks(), 0)) / 1000
	for _, c := range s.chunk.touched {
		best = max(best, s.chunk.score[c])
	}
	if most == 0 {
		return 0
	}
	return min(1, best/float64(most*(saturation+1)))
}

// Corrected returns a query with its misspelt words replaced.
func (f *Found) Corrected(query string) string {
	for _, c := range f.Corrections {
		if i := strings.Index(strings.ToLower(query), c.Word); i >= 0 && i+len(c.Word) <= len(query) {
			query = query[:i] + c.Taken + query[i+len(c.Word):]
		}
	}
	return query
}

var errNoVectors = errors.New("the index has no vectors")
