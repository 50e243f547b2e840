package breakpoint

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// drops are similarities with a deep drop after sentences 2 and 5.
var drops = []float64{0.8, 0.7, 0.1, 0.75, 0.9, 0.2, 0.85}

func find(t *testing.T, name string, s []float64, x float64) Result {
	t.Helper()
	m, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Find(s, x)
	if err != nil {
		t.Fatalf("%s %v: %v", name, x, err)
	}
	return r
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }

// The expected thresholds are worked out by hand from the formulas in the package comment.
// NumPy's own values are in ../../data; see golden_test.go.
func TestMethods(t *testing.T) {
	for _, tt := range []struct {
		name       string
		x          float64
		threshold  float64
		boundaries []int
	}{
		// distances sorted: .1 .15 .2 .25 .3 .8 .9; position 6·0.8 = 4.8
		{"percentile", 80, 0.7, []int{2, 5}},
		{"percentile", 100, 0.9, nil},
		{"percentile", 0, 0.1, []int{0, 1, 2, 3, 5, 6}},
		{"stddev", 1, 2.7/7 + math.Sqrt(1.675/7-2.7*2.7/49), []int{2, 5}},
		{"iqr", 0.5, 2.7/7 + 0.5*(0.55-0.175), []int{2, 5}},
		{"notebook-percentile", 20, 0.3, []int{2, 5}},
		{"notebook-stddev", 1, 4.3/7 - math.Sqrt(1.675/7-2.7*2.7/49), []int{2, 5}},
		{"notebook-iqr", 0, 0.45 - 1.5*(0.825-0.45), nil},
	} {
		r := find(t, tt.name, drops, tt.x)
		if !near(r.Threshold, tt.threshold) || !reflect.DeepEqual(r.Boundaries, tt.boundaries) {
			t.Errorf("%s %v: threshold %v, boundaries %v; want %v, %v", tt.name, tt.x, r.Threshold, r.Boundaries, tt.threshold, tt.boundaries)
		}
	}
}

func TestGradientIsNumpys(t *testing.T) {
	got := gradient([]float64{1, 2, 4, 7, 11})
	if want := []float64{1, 1.5, 2.5, 3.5, 4}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Distances and gradients must match their formulas to the bit, element by element. Some
// targets compute eight elements at a time in assembly.
func TestElementsAreExact(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 1.0 / 3, 5e-324, -5e-324, 1e-17, math.Nextafter(1, 0), 0.7, -1e300, math.MaxFloat64, -math.MaxFloat64}
	bits := math.Float64bits
	for n := range 40 {
		s := make([]float64, n)
		for i := range s {
			s[i] = odd[(i*i+3*n)%len(odd)]
		}
		d := distances(s)
		for i := range s {
			if want := 1 - s[i]; bits(d[i]) != bits(want) {
				t.Errorf("the distance of %v is %v, want %v", s[i], d[i], want)
			}
		}
		for i, g := range gradient(d) {
			if i == 0 || i == n-1 {
				continue
			}
			if want := (d[i+1] - d[i-1]) / 2; bits(g) != bits(want) {
				t.Errorf("the gradient between %v and %v is %v, want %v", d[i-1], d[i+1], g, want)
			}
		}
	}
}

func TestPercentileIsNumpys(t *testing.T) {
	for _, tt := range []struct {
		v       []float64
		p, want float64
	}{
		{[]float64{.1, .2, .3, .4}, 95, .385},
		{[]float64{.4, .1, .3, .2}, 50, .25},
		{[]float64{7}, 33, 7},
		{[]float64{1, 2}, 100, 2},
		{[]float64{1, 2}, 0, 1},
		{nil, 50, math.NaN()},
	} {
		if got := Percentile(tt.v, tt.p); !near(got, tt.want) {
			t.Errorf("P%v of %v is %v, want %v", tt.p, tt.v, got, tt.want)
		}
	}
}

// Without gaps, or with only equal values, no method sets a boundary.
func TestNoBoundaryWithoutADifference(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	third := 1.0 / 3 // sums of thirds round
	for _, m := range Methods() {
		for _, s := range [][]float64{nil, {}, {0.3}, {0.3, 0.3}, {0.1, 0.1, 0.1, 0.1, 0.1}, slices.Repeat([]float64{third}, 1000), {nan}, {nan, 0}, {inf, 1}, {-inf, -1}} {
			for _, x := range []float64{0, 1, 50, 100} {
				if r := find(t, m.Name, s, x); len(r.Boundaries) != 0 || len(r.Curve) != len(s) || (len(s) == 0) != math.IsNaN(r.Threshold) {
					t.Errorf("%s %v of %v: %+v", m.Name, x, s, r)
				}
			}
		}
	}
}

// Two sentences have one gap, three have two. percentile breaks one gap of two, and never
// the only one.
func TestFewSentences(t *testing.T) {
	if r := find(t, "percentile", []float64{0.9, 0.1}, 95); !reflect.DeepEqual(r.Boundaries, []int{1}) {
		t.Errorf("three sentences: %+v", r)
	}
	for n := range 3 {
		if r := Largest([]float64{0.5}, n); len(r.Boundaries) != min(n, 1) {
			t.Errorf("%d breaks in one gap: %+v", n, r)
		}
		if r := Largest(nil, n); len(r.Boundaries) != 0 || !math.IsNaN(r.Threshold) {
			t.Errorf("%d breaks in no gap: %+v", n, r)
		}
	}
}

// NaN counts as 0, an infinity as ±1.
func TestNoNumbers(t *testing.T) {
	odd := []float64{0.9, math.NaN(), 0.8, math.Inf(-1), 0.9, math.Inf(1)}
	plain := []float64{0.9, 0, 0.8, -1, 0.9, 1}
	for _, m := range Methods() {
		a, b := find(t, m.Name, odd, 1), find(t, m.Name, plain, 1)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v, want %+v", m.Name, a, b)
		}
		if a, b := m.At(odd, 0.5), m.At(plain, 0.5); !reflect.DeepEqual(a, b) {
			t.Errorf("%s at 0.5: %+v, want %+v", m.Name, a, b)
		}
	}
	if a, b := Largest(odd, 2), Largest(plain, 2); !reflect.DeepEqual(a, b) {
		t.Errorf("largest: %+v, want %+v", a, b)
	}
	if !math.IsNaN(odd[1]) {
		t.Error("the caller's similarities were changed")
	}
}

// A higher percentile never adds a boundary. For the notebook's percentile it never removes
// one.
func TestPercentilesAreMonotone(t *testing.T) {
	s := make([]float64, 200)
	for i := range s {
		s[i] = math.Mod(float64(i*i)*0.37, 1)
	}
	for name, grows := range map[string]bool{"percentile": false, "gradient": false, "notebook-percentile": true} {
		last := -1
		for x := 0.0; x <= 100; x += 2.5 {
			n := len(find(t, name, s, x).Boundaries)
			if last >= 0 && (n < last) == grows && n != last {
				t.Errorf("%s: %d boundaries before %v, %d at it", name, last, x, n)
			}
			last = n
		}
	}
}

// Moving the line and moving the slider must give the same result.
func TestAtIsTheInverseOfFind(t *testing.T) {
	for _, m := range Methods() {
		if m.Setting == nil {
			continue
		}
		for _, x := range []float64{5, 37.5, 60, 90} {
			if m.Setting.Max < 10 {
				x /= 20
			}
			byX := find(t, m.Name, drops, x)
			byCut := m.At(drops, byX.Threshold)
			if !reflect.DeepEqual(byX.Boundaries, byCut.Boundaries) || math.Abs(byCut.Setting-x) > 1e-9 {
				t.Errorf("%s %v: at %v it says %v and %v, not %v", m.Name, x, byX.Threshold, byCut.Setting, byCut.Boundaries, byX.Boundaries)
			}
		}
		if r := m.At(nil, 0.5); len(r.Boundaries) != 0 {
			t.Errorf("%s cuts nothing into %v", m.Name, r)
		}
		for _, cut := range []float64{-9, 9} {
			if r := m.At(drops, cut); math.IsNaN(r.Setting) || math.IsInf(r.Setting, 0) {
				t.Errorf("%s at %v is setting %v", m.Name, cut, r.Setting)
			}
		}
	}
}

func TestLargestIsExact(t *testing.T) {
	ties := []float64{0.5, 0.5, 0.5, 0.2, 0.5}
	for n := range 8 {
		r := Largest(ties, n)
		if want := min(n, len(ties)); len(r.Boundaries) != want {
			t.Errorf("%d boundaries for %d", len(r.Boundaries), n)
		}
		for i := 1; i < len(r.Boundaries); i++ {
			if r.Boundaries[i] <= r.Boundaries[i-1] {
				t.Errorf("%v does not ascend", r.Boundaries)
			}
		}
	}
	if got := Largest(ties, 2).Boundaries; !reflect.DeepEqual(got, []int{0, 3}) {
		t.Errorf("%v: not the largest, then the earliest", got)
	}
}

func TestSettingsOutOfRangeAreRefused(t *testing.T) {
	for name, x := range map[string]float64{"percentile": 100.1, "gradient": -1, "notebook-percentile": math.NaN(), "stddev": math.NaN()} {
		m, _ := Lookup(name)
		if _, err := m.Find(drops, x); err == nil {
			t.Errorf("%s takes %v", name, x)
		}
	}
	if _, err := Lookup("magic"); err == nil || !strings.Contains(err.Error(), "percentile, stddev, iqr") {
		t.Errorf("%v", err)
	}
}

func FuzzFind(f *testing.F) {
	number := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	f.Add(number(0.9, 0.1, 0.8), 95.0, 1)
	f.Add(number(math.NaN(), math.Inf(1), math.Copysign(0, -1), 5e-324, math.MaxFloat64), 50.0, 3)
	f.Add([]byte{}, math.NaN(), -1)
	f.Fuzz(func(t *testing.T, b []byte, x float64, n int) {
		s := make([]float64, len(b)/8)
		for i := range s {
			s[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		check := func(name string, r Result) {
			last := -1
			for _, at := range r.Boundaries {
				if at <= last || at >= len(s) {
					t.Fatalf("%s: boundaries %v of %d gaps", name, r.Boundaries, len(s))
				}
				last = at
			}
			if len(r.Curve) != len(s) || slices.ContainsFunc(r.Curve, math.IsNaN) {
				t.Fatalf("%s: curve %v of %v", name, r.Curve, s)
			}
		}
		for _, m := range Methods() {
			r, err := m.Find(s, x)
			if err != nil {
				continue
			}
			check(m.Name, r)
			check(m.Name, m.At(s, x))
		}
		r := Largest(s, n)
		check("count", r)
		if want := min(max(n, 0), len(s)); len(r.Boundaries) != want {
			t.Fatalf("%d boundaries for %d in %d gaps", len(r.Boundaries), n, len(s))
		}
	})
}

func BenchmarkPercentile20000(b *testing.B) {
	s := make([]float64, 20000)
	for i := range s {
		s[i] = math.Mod(float64(i)*0.61803398875, 1)
	}
	m, _ := Lookup("percentile")
	for b.Loop() {
		if _, err := m.Find(s, 95); err != nil {
			b.Fatal(err)
		}
	}
}
