package pipeline

import (
	"context"
	"testing"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
)

// Steps are what Run makes, one by one, and leave the session as it was.
func TestStepsAreWhatRunMakes(t *testing.T) {
	d := article(t)
	s := NewSession(d)
	for _, m := range chunk.Methods() {
		if m.Setting == nil {
			continue
		}
		plan := plan(t, Settings{Method: m.Name})
		before := chunked(t, s, Settings{Method: m.Name})
		settings := []float64{m.Setting.Default, m.Setting.Max, max(m.Setting.Min, m.Setting.AtLeast)}
		steps, err := s.Steps(context.Background(), plan, settings, local)
		if err != nil || len(steps) != len(settings) {
			t.Fatalf("%s: %d steps, %v", m.Name, len(steps), err)
		}
		if steps[0].Chunks != len(before.Chunks) || steps[0].Typical != before.Typical() || steps[0].Cuts != before.cuts() {
			t.Errorf("%s: the default makes %+v, not %d chunks of %d", m.Name, steps[0], len(before.Chunks), before.Typical())
		}
		for i, x := range settings {
			if r := chunked(t, NewSession(d), Settings{Method: m.Name, Setting: &x}); len(r.Chunks) != steps[i].Chunks || r.cuts() != steps[i].Cuts {
				t.Errorf("%s %g: %+v, and by itself %d chunks", m.Name, x, steps[i], len(r.Chunks))
			}
		}
		if m.Curve == breakpoint.Strength && steps[1].Chunks >= steps[2].Chunks {
			t.Errorf("%s: %d chunks at the coarsest, %d at the finest", m.Name, steps[1].Chunks, steps[2].Chunks)
		}
	}
	if _, err := s.Steps(context.Background(), plan(t, Settings{}), []float64{-1}, local); err == nil {
		t.Error("a coarseness below nothing is no error")
	}
	if steps, err := s.Steps(context.Background(), plan(t, Settings{}), nil, local); err != nil || len(steps) != 0 {
		t.Errorf("of no settings: %v, %v", steps, err)
	}
}

func TestTypical(t *testing.T) {
	for want, lengths := range map[int][]int{0: nil, 7: {7}, 4: {1, 4, 900}, 5: {2, 4, 5, 10}} {
		r := &Result{}
		for _, n := range lengths {
			r.Chunks = append(r.Chunks, chunk.Chunk{Tokens: n})
		}
		if got := r.Typical(); got != want {
			t.Errorf("of %v: %d, want %d", lengths, got, want)
		}
	}
}
