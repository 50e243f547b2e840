package pipeline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
	"seam/shared/text"
)

// Steps must match separate runs, and leave the session unchanged.
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

// If a method cuts nothing, the Remedy must explain why, and its setting must cut.
func TestRemedy(t *testing.T) {
	var sb strings.Builder
	for _, topic := range []string{"The lathe turns the wood and the chisel cuts it %d times.", "A comet has a tail of gas that shines for %d nights.", "Bread dough rises in the warm bowl for %d hours."} {
		for i := range 20 {
			fmt.Fprintf(&sb, topic+" ", i)
		}
	}
	d := text.NewPlain(sb.String())
	for _, m := range chunk.Methods() {
		if m.Setting == nil {
			continue
		}
		s, coarsest := NewSession(d), m.Setting.Max
		switch {
		case m.Setting.Finer:
			coarsest = m.Setting.Min
		case m.Setting.Max != 100:
			coarsest = 1e6
		}
		set := Settings{Method: m.Name, Setting: &coarsest, MaxTokens: 100_000}
		r := chunked(t, s, set)
		if len(r.Chunks) != 1 {
			t.Fatalf("%s %g cuts", m.Name, coarsest)
		}
		remedy, err := s.Remedy(context.Background(), r, local)
		if err != nil || remedy == nil || remedy.Step == nil || remedy.Step.Chunks < 3 || strings.Contains(remedy.Why, "%!") {
			t.Fatalf("%s: %+v, %v", m.Name, remedy, err)
		}
		set.Setting = &remedy.Step.Setting
		if r := chunked(t, s, set); len(r.Chunks) < 2 || len(r.Chunks) != remedy.Step.Chunks {
			t.Errorf("%s: %s; %g is to give %d chunks, and gives %d", m.Name, remedy.Why, remedy.Step.Setting, remedy.Step.Chunks, len(r.Chunks))
		}
		if remedy, err := s.Remedy(context.Background(), chunked(t, s, set), local); remedy != nil || err != nil {
			t.Errorf("%s: a remedy for %d chunks: %+v, %v", m.Name, remedy.Step.Chunks, remedy, err)
		}
	}
}

// For a method without a setting, the Remedy must offer a number of chunks.
func TestRemedyWithoutSetting(t *testing.T) {
	s := NewSession(text.NewPlain(strings.Repeat("The lathe turns the wood. ", 60) + "A comet has a tail."))
	set := Settings{Method: "notebook-iqr"}
	r := chunked(t, s, set)
	r.Chunks = r.Chunks[:1] // like a text without outliers
	remedy, err := s.Remedy(context.Background(), r, local)
	if err != nil || remedy == nil || remedy.Step != nil || remedy.Why == "" || remedy.Count != 3 {
		t.Fatalf("%+v, %v", remedy, err)
	}
	set.Count = remedy.Count
	if r = chunked(t, s, set); len(r.Chunks) != remedy.Count {
		t.Errorf("%d chunks", len(r.Chunks))
	}
}

// If nothing helps, the Remedy must promise nothing.
func TestNoRemedy(t *testing.T) {
	for body, want := range map[string]bool{"One sentence.": false, "": false, strings.Repeat("The same sentence again. ", 12): true} {
		s := NewSession(text.NewPlain(body))
		r := chunked(t, s, Settings{Method: "stddev"})
		remedy, err := s.Remedy(context.Background(), r, local)
		if err != nil || (remedy != nil) != want {
			t.Fatalf("%.20q: %+v, %v", body, remedy, err)
		}
		if want && (remedy.Step != nil || remedy.Why != "no distance is 3 standard deviations above the mean") {
			t.Errorf("%.20q: %+v", body, remedy)
		}
	}
}
