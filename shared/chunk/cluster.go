package chunk

import (
	"errors"
	"math"
	"slices"

	"seam/shared/breakpoint"
	"seam/shared/text"
	"seam/shared/vector"
)

// DefaultCluster is the default maximum of the method cluster, in units of Limits.Counter.
// It is Chroma's default.
const DefaultCluster = 400

// longestCluster bounds the sentences of a cluster, and with them the work.
const longestCluster = 128

// cluster chooses all boundaries at once. It maximizes the sum, over all pairs of sentences
// within a chunk, of their similarity less the mean similarity of the whole document. This
// is Chroma's ClusterSemanticChunker over whole sentences. Among equal sums, the longer
// last chunk wins. Time is proportional to sentences times sentences per chunk; memory is
// proportional to sentences. It needs Sentences and Vectors.
func cluster() Method {
	return Method{Name: "cluster", Label: "Cluster", View: text.Reading, Sentences: Sentenced, Embeds: true, Vectors: true, Max: DefaultCluster,
		Help:    "Chooses all boundaries at once so that the sentences of a chunk are as similar to each other as possible.",
		TakeMin: true, Overlap: true, Chunker: direct(clustered)}
}

func clusterWords() Words {
	return Words{Group: Meaning, Words: breakpoint.Words{Good: "chunks that each become one vector: their sentences belong together.",
		German: breakpoint.German{Label: "Gruppen",
			Help: "Wählt alle Grenzen zugleich, so dass die Sätze eines Abschnitts einander so ähnlich sind wie möglich.",
			Good: "Abschnitte, die je einen Vektor bekommen: Ihre Sätze gehören zusammen."}}}
}

func clustered(in Input, limits Limits) ([]Chunk, error) {
	if in.Vectors.Rows != len(in.Sentences) {
		return nil, errors.New("the method cluster needs a vector of every sentence")
	}
	limits = limits.within(DefaultCluster)
	d := divider{in: in, limits: limits}
	ends, err := d.ends()
	if err != nil {
		return nil, err
	}
	return atBoundaries(in, ends, limits)
}

// divider holds the state of the dynamic programme.
type divider struct {
	in     Input
	limits Limits
	before []int // units before each sentence, including the white space between them
	own    []int // units of each sentence
	unit   vector.Matrix
	mean   float64
}

// ends returns the best boundaries. The value of a cluster is an integer, in millionths, so
// the order of additions does not matter and every target decides the same way.
func (d *divider) ends() ([]boundary, error) {
	n := len(d.in.Sentences)
	if err := d.measure(); err != nil {
		return nil, err
	}
	best := make([]int64, n+1)  // best[i] is for the first i sentences
	from := make([]int, n+1)    // where the last cluster of the first i sentences begins
	worth := make([]int64, n+1) // worth[i] is for the sentences from i to the current one
	for end := 1; end <= n; end++ {
		if err := d.limits.report(end-1, n); err != nil {
			return nil, err
		}
		best[end] = math.MinInt64
		var row int64 // similarities of the last sentence to the earlier ones
		for i := end - 1; i >= 0 && (i == end-1 || d.fits(i, end)); i-- {
			if i < end-1 {
				row += d.similarity(i, end-1)
				worth[i] += row
			}
			if w := best[i] + worth[i]; w >= best[end] {
				best[end], from[end] = w, i
			}
		}
	}
	var out []boundary
	for end := from[n]; end > 0; end = from[end] {
		out = append(out, boundary{end - 1, Reason{Kind: ReasonCluster}})
	}
	slices.Reverse(out)
	return out, nil
}

// measure counts the sentences and finds the mean similarity of all pairs. It takes the dot
// product of the sum of all vectors with itself, less each vector's dot product with
// itself.
func (d *divider) measure() error {
	s, t := d.in.Sentences, d.in.View.Text
	d.before, d.own = make([]int, len(s)), make([]int, len(s))
	for i := range s {
		if err := d.limits.report(0, len(s)); err != nil {
			return err
		}
		d.own[i] = d.limits.Counter.Count(s[i].Of(t))
		if i+1 < len(s) {
			d.before[i+1] = d.before[i] + d.limits.Counter.Count(t[s[i].Start:s[i+1].Start])
		}
	}
	m := d.in.Vectors
	d.unit = vector.Matrix{Rows: m.Rows, Dim: m.Dim, Data: slices.Clone(m.Data)}
	vector.Normalize(d.unit)
	sum := make([]float64, m.Dim)
	pairs := 0.0
	for i := range d.unit.Rows {
		row := d.unit.Row(i)
		for k, x := range row {
			sum[k] += float64(x)
		}
		pairs -= vector.Dot(row, row)
	}
	for _, x := range sum {
		pairs += float64(x * x)
	}
	if n := float64(m.Rows); n > 1 {
		d.mean = pairs / (n * (n - 1))
	}
	return nil
}

// fits reports whether the sentences [i, end) may be one cluster. It adds up the lengths of
// the sentences. A cluster that turns out too long as a whole is divided later.
func (d *divider) fits(i, end int) bool {
	return end-i <= longestCluster && d.before[end-1]-d.before[i]+d.own[end-1] <= d.limits.Max
}

func (d *divider) similarity(a, b int) int64 {
	return int64(math.Floor(float64((vector.Dot(d.unit.Row(a), d.unit.Row(b))-d.mean)*1e6) + 0.5))
}
