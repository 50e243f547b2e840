package eval

import (
	"encoding/json"
	"math"
	"testing"
)

// For many values, the bootstrap must be close to the normal interval, mean ± 1.96 sd/√n.
func TestBootstrapIsNearTheNormalInterval(t *testing.T) {
	draw := draws(7)
	v := make([]float64, 400)
	for i := range v {
		v[i] = float64(draw.below(1<<30)) / (1 << 30)
	}
	got := Bootstrap(v)
	wide := 1.96 * Deviation(v) / math.Sqrt(float64(len(v)))
	if got.Mean != Mean(v) || math.Abs(got.Mean-got.Low-wide) > .1*wide || math.Abs(got.High-got.Mean-wide) > .1*wide {
		t.Errorf("%+v instead of %v ± %v", got, Mean(v), wide)
	}
	if again := Bootstrap(v); again != got {
		t.Errorf("%+v, then %+v", got, again)
	}
}

// Of a hundred experiments without a difference, about five have an interval without zero.
func TestNoDifferenceIsATie(t *testing.T) {
	draw := draws(3)
	ties := 0
	for range 100 {
		a, b := make([]float64, 60), make([]float64, 60)
		for i := range a {
			a[i], b[i] = float64(draw.below(1<<30))/(1<<30), float64(draw.below(1<<30))/(1<<30)
		}
		d, err := PairedBootstrap(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if d.IncludesZero() {
			ties++
		}
	}
	if ties < 88 || ties == 100 {
		t.Errorf("%d of 100 are ties", ties)
	}
}

// Known outputs from the generator's authors for the start 1234567, as the upper 32 bits.
func TestDraws(t *testing.T) {
	d := draws(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := d.below(1 << 32); got != int(want>>32) {
			t.Errorf("%d instead of %d", got, want>>32)
		}
	}
}

func TestPairedBootstrap(t *testing.T) {
	a, b := []float64{.9, .8, .7, .6, .9, .8}, []float64{.7, .6, .5, .4, .7, .6}
	if d, err := PairedBootstrap(a, b); err != nil || d.IncludesZero() || math.Abs(d.Mean-.2) > 1e-9 || math.Abs(d.Low-.2) > 1e-9 {
		t.Errorf("%+v, %v: each question is better by .2", d, err)
	}
	if d, _ := PairedBootstrap(b, a); d.IncludesZero() || d.High >= 0 {
		t.Errorf("%+v", d)
	}
	if d, _ := PairedBootstrap(a, a); !d.IncludesZero() {
		t.Errorf("%+v", d)
	}
	if _, err := PairedBootstrap(a, b[:2]); err == nil {
		t.Error("lists of different lengths were paired")
	}
}

func TestIntervalOfTooFewIsNull(t *testing.T) {
	for _, v := range [][]float64{nil, {.5}} {
		got := Bootstrap(v)
		if !got.IncludesZero() || !math.IsNaN(got.Low) {
			t.Errorf("%v: %+v", v, got)
		}
		if b, err := json.Marshal(got); err != nil || string(b) != map[int]string{0: `{"mean":0,"low":null,"high":null}`, 1: `{"mean":0.5,"low":null,"high":null}`}[len(v)] {
			t.Errorf("%s, %v", b, err)
		}
	}
}
