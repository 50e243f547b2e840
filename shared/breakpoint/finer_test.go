package breakpoint

import "testing"

// The page uses Finer to decide which way its knob turns.
func TestFinerGoesTheWayItSays(t *testing.T) {
	curve := []float64{.1, .5, .3, .9, .2, .7, .4, .8, .6, .35, .45}
	for _, m := range Methods() {
		if m.Setting == nil {
			continue
		}
		low, err := m.Find(curve, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		high, err := m.Find(curve, 1)
		if m.Setting.Max == 100 {
			low, _ = m.Find(curve, 20)
			high, err = m.Find(curve, 90)
		}
		if err != nil {
			t.Fatal(err)
		}
		if more := len(high.Boundaries) > len(low.Boundaries); more != m.Setting.Finer {
			t.Errorf("%s: %d boundaries, with more of its setting %d", m.Name, len(low.Boundaries), len(high.Boundaries))
		}
	}
}
