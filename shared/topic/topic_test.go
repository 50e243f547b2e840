package topic

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"seam/shared/vector"
)

// text returns the sentences of several topics in turn, each with its own words and
// direction: lengths[k] sentences of topic k.
func text(seed int64, noise float64, lengths ...int) Input {
	r := rand.New(rand.NewSource(seed))
	const dim = 24
	var in Input
	var rows [][]float32
	for k, n := range lengths {
		direction := make([]float64, dim)
		for j := range direction {
			direction[j] = r.NormFloat64()
		}
		for range n {
			row := make([]float32, dim)
			for j := range row {
				row[j] = float32(direction[j] + noise*r.NormFloat64())
			}
			rows = append(rows, row)
			var words []string
			for range 8 {
				words = append(words, fmt.Sprintf("w%dof%d", r.Intn(30), k))
			}
			in.Sentences = append(in.Sentences, strings.Join(append(words, "the", "and"), " "))
		}
	}
	in.Vectors = vector.New(len(rows), dim)
	for i, row := range rows {
		copy(in.Vectors.Row(i), row)
	}
	return in
}

func find(t *testing.T, in Input) *Topics {
	t.Helper()
	found, err := Find(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Curve) != max(0, len(in.Sentences)-1) {
		t.Fatalf("a curve of %d values for %d sentences", len(found.Curve), len(in.Sentences))
	}
	return found
}

func TestTopicsAreFound(t *testing.T) {
	for _, lengths := range [][]int{{8, 12}, {5, 5, 5, 5}, {3, 30, 7}, {40, 40}, {1, 20, 20}, {90, 30}, {20, 150, 20}} {
		var want []int
		n := 0
		for _, l := range lengths[:len(lengths)-1] {
			n += l
			want = append(want, n-1)
		}
		if lengths[0] == 1 { // a single sentence is hardly a topic
			want = want[1:]
		}
		if got := find(t, text(1, 0.8, lengths...)).Boundaries(Default); !slices.Equal(got, want) {
			t.Errorf("topics of %v sentences: boundaries %v, want %v", lengths, got, want)
		}
	}
}

func TestOneTopicIsNotDivided(t *testing.T) {
	for _, n := range []int{2, 3, 10, 60, 200} {
		in := text(int64(n), 1, n)
		if got := find(t, in).Boundaries(Default); len(got) > 1 {
			t.Errorf("%d sentences of one topic: boundaries %v", n, got)
		}
		for i := range in.Sentences {
			in.Sentences[i] = "The same again."
			copy(in.Vectors.Row(i), in.Vectors.Row(0))
		}
		if got := find(t, in).Boundaries(Default); len(got) > 0 {
			t.Errorf("%d equal sentences: boundaries %v", n, got)
		}
	}
}

// A larger granularity must never add a boundary to those of a smaller one.
func TestGranularitiesAreNested(t *testing.T) {
	for seed := range int64(30) {
		r := rand.New(rand.NewSource(seed))
		var lengths []int
		for range 1 + r.Intn(8) {
			lengths = append(lengths, 1+r.Intn(25))
		}
		in := text(seed, 1+3*r.Float64(), lengths...)
		found := find(t, in)
		finer := found.Boundaries(0)
		if !slices.Equal(finer, found.Boundaries(Finest)) {
			t.Fatalf("seed %d: below the finest granularity there are %d boundaries, %d at it", seed, len(finer), len(found.Boundaries(Finest)))
		}
		for g := 0.05; g < 20; g *= 1.07 {
			coarser := found.Boundaries(g)
			for _, b := range coarser {
				if !slices.Contains(finer, b) {
					t.Fatalf("seed %d: boundary %d at %g and not just below", seed, b, g)
				}
			}
			finer = coarser
		}
		for level := -levels; level <= levels; level++ {
			if got, want := found.Boundaries(granularity(level)), found.At(float64(level)/perOctave); !slices.Equal(got, want) {
				t.Fatalf("seed %d, level %d: %v by its granularity, %v by its logarithm", seed, level, got, want)
			}
		}
		for _, v := range found.Curve {
			if math.IsNaN(v) || v < -6 || v > 3 {
				t.Fatalf("seed %d: %g on the curve", seed, v)
			}
		}
		if again := find(t, in); !slices.Equal(again.Curve, found.Curve) {
			t.Fatalf("seed %d: another curve the second time", seed)
		}
	}
}

// The exact solution must match the best of all divisions of a short text.
func TestFreeIsTheBestOfAll(t *testing.T) {
	for seed := range int64(40) {
		in := text(seed, 2, 3, 4, 3)
		e, err := gather(&in)
		if err != nil {
			t.Fatal(err)
		}
		n := len(in.Sentences)
		s := &solver{evidence: e, n: n, unit: 1.7, bonus: make([]float64, n)}
		for i := 1; i < n; i++ {
			s.bonus[i] = math.Sin(float64(i) * float64(seed+1))
		}
		r := s.free(0, n, s.unit)
		best := math.Inf(-1)
		for set := range 1 << (n - 1) {
			sum, from := 0.0, 0
			for to := 1; to <= n; to++ {
				if to < n && set>>(to-1)&1 == 0 {
					continue
				}
				sum += float64(s.at(to - 1)[to-from-1]) + s.bonus[from] - s.unit
				from = to
			}
			best = max(best, sum)
		}
		if math.Abs(best-r.best[n]) > 1e-9 {
			t.Fatalf("seed %d: %g, the best of all is %g", seed, r.best[n], best)
		}
		if b := s.backward(0, n, s.unit); math.Abs(b[1]+float64(s.at(0)[0])-s.unit+s.bonus[1]-worthWith(s, r, n)) > 1e-9 {
			t.Fatalf("seed %d: backward differs from forward", seed)
		}
	}
}

// worthWith returns the highest value of divisions with a cut after the first sentence,
// using only forward runs.
func worthWith(s *solver, r run, n int) float64 {
	first := r.best[1] // saved before the next call of free, which reuses the memory
	return first + s.bonus[1] + s.free(1, n, s.unit).best[n-1]
}

// The band must match the formulas.
func TestEvidenceIsTheFormulas(t *testing.T) {
	in := text(7, 1.5, 20, 30, 40)
	in.Sentences[3] += " the the the of3 of3"
	e, err := gather(&in)
	if err != nil {
		t.Fatal(err)
	}
	words := number(in.Sentences)
	gain, cost := gains(words), costs(words, longest)
	n := len(in.Sentences)
	long, err := e.joined(&in, []int{0, 5, 80, n})
	if err != nil {
		t.Fatal(err)
	}
	check := func(a, b int, got float64) {
		t.Helper()
		sum, repeated, m := 0.0, 0.0, 0
		seen := map[int32]int{}
		for i := a; i <= b; i++ {
			for j := a; j <= b; j++ {
				if i != j {
					sum += vector.Dot(e.rows.Row(i), e.rows.Row(j))
				}
			}
			for _, w := range words.of(i) {
				repeated += gain[w][seen[w]]
				seen[w]++
				m++
			}
		}
		l := float64(b - a + 1)
		want := (sum-l*(l-1)*e.mean)/(l*e.deviation) + lexical*(repeated-cost[m])
		if math.Abs(got-want) > 1e-4*max(1, math.Abs(want)) {
			t.Fatalf("sentences %d to %d: %g, want %g", a, b, got, want)
		}
	}
	for b := range n {
		for l, f := range e.at(b) {
			check(b-l, b, float64(f))
		}
	}
	check(5, n-1, long[3][1])
	check(0, n-1, long[3][2])
	if got, want := e.alone(0, n), float64(e.cohesion.at(n - 1)[e.width-1]); math.IsNaN(got) || got == want {
		t.Errorf("E of all %g", got)
	}
}

func TestUglyInput(t *testing.T) {
	for n := range 4 {
		in := Input{Sentences: make([]string, n), Vectors: vector.New(n, 3)}
		if b := find(t, in).Boundaries(Finest); n < 2 && len(b) > 0 {
			t.Errorf("%d empty sentences: %v", n, b)
		}
	}
	in := text(3, 1, 10, 10)
	for i := range in.Vectors.Data {
		switch i % 7 {
		case 0:
			in.Vectors.Data[i] = float32(math.NaN())
		case 1:
			in.Vectors.Data[i] = float32(math.Inf(1))
		}
	}
	in.Sentences[4] = "\x00\xff\xfe 漢字かな交じり文 ไทย 👩‍👩‍👧 " + strings.Repeat("x", 5000)
	find(t, in)
	one := Input{Sentences: []string{"a", "b"}, Vectors: vector.New(2, 0)}
	find(t, one)
	for _, bad := range []Input{
		{Sentences: []string{"a", "b"}},
		{Sentences: []string{"a", "b"}, Vectors: vector.New(2, 3), Prior: []float64{1, 2}},
		{Sentences: []string{"a", "b"}, Vectors: vector.New(2, 3), Layout: make([]Gap, 2)},
		{Sentences: []string{"a", "b"}, Vectors: vector.Matrix{Rows: 2, Dim: 3}},
	} {
		if _, err := Find(bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	stop := errors.New("stop")
	in = text(3, 1, 300, 300, 300)
	for calls := 0; ; calls++ { // stopped at each step
		left := calls
		in.Progress = func(done, total int) error {
			if left--; left < 0 {
				return stop
			}
			if done < 0 || done > total {
				t.Fatalf("%d of %d", done, total)
			}
			return nil
		}
		if _, err := Find(in); err == nil {
			if calls < 10 {
				t.Errorf("%d steps for 900 sentences", calls)
			}
			break
		} else if !errors.Is(err, stop) {
			t.Fatalf("stopped: %v", err)
		}
	}
}

func TestLayoutAndPrior(t *testing.T) {
	in := text(5, 1, 12, 12)
	for i := range in.Sentences { // so that no part is too short
		in.Sentences[i] += strings.Repeat(".", 150)
	}
	in.Layout = make([]Gap, 23)
	in.Layout[5].Heading = 2
	in.Layout[11].Inside = true
	got := find(t, in).Boundaries(Default)
	if !slices.Contains(got, 5) || slices.Contains(got, 11) {
		t.Errorf("with a heading after 5 and a table around 11: %v", got)
	}
	for i := range in.Layout {
		in.Layout[i] = Gap{Within: i != 12}
	}
	if got := find(t, in).Boundaries(Default); !slices.Equal(got, []int{11}) && !slices.Equal(got, []int{12}) {
		t.Errorf("with one paragraph's end: %v", got)
	}
	in.Layout = nil
	in.Prior = make([]float64, 23)
	in.Prior[3] = 40
	if got := find(t, in).Boundaries(Default); !slices.Contains(got, 3) {
		t.Errorf("a gap that must be one is none: %v", got)
	}
}

func TestEqualWordsHaveOneNumber(t *testing.T) {
	var many []string
	for i := range 5000 {
		many = append(many, fmt.Sprintf("n%d long%dword", i, i))
	}
	terms := number(append(many, many...))
	if len(terms.ids) != 20_000 || terms.ids[0] != terms.ids[10_000] || terms.ids[9999] != terms.ids[19_999] {
		t.Error("equal words have different numbers")
	}
}

func FuzzFind(f *testing.F) {
	f.Add("One. Two! Three? Four.", int64(1), 1.0)
	f.Fuzz(func(t *testing.T, s string, seed int64, g float64) {
		sentences := strings.SplitAfter(s, ".")
		if len(sentences) > 300 {
			return
		}
		r := rand.New(rand.NewSource(seed))
		in := Input{Sentences: sentences, Vectors: vector.New(len(sentences), 5)}
		for i := range in.Vectors.Data {
			in.Vectors.Data[i] = float32(r.NormFloat64())
		}
		if seed%2 == 0 {
			in.Layout = make([]Gap, len(sentences)-1)
			for i := range in.Layout {
				in.Layout[i] = Gap{Heading: r.Intn(3), Inside: r.Intn(4) == 0, Within: r.Intn(2) == 0}
			}
		}
		found, err := Find(in)
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		for _, b := range found.Boundaries(g) {
			if b <= last || b >= len(sentences)-1 {
				t.Fatalf("boundary %d after %d of %d sentences", b, last, len(sentences))
			}
			last = b
		}
	})
}
