package pipeline

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
	"seam/shared/digest"
)

// Step is the result of one setting of the method on a document.
type Step struct {
	Setting float64 `json:"setting"`
	Chunks  int     `json:"chunks"`
	Typical int     `json:"typical"` // median length of the chunks, in the unit of the Plan
	// Cuts identifies the boundaries. Settings with the same boundaries have the same Cuts.
	Cuts string `json:"cuts"`
}

// Steps returns the result of each setting, in order, with a Plan that Run has already
// followed. Errors are those of Run, or a setting that the method refuses.
func (s *Session) Steps(ctx context.Context, p Plan, settings []float64, hooks Hooks) ([]Step, error) {
	steps := make([]Step, 0, len(settings))
	for _, x := range settings {
		p.Criterion = chunk.Criterion{By: chunk.BySetting, Value: x}
		r, err := s.Run(ctx, p, hooks)
		if err != nil {
			return nil, err
		}
		steps = append(steps, Step{x, len(r.Chunks), r.Typical(), r.cuts()})
	}
	return steps, nil
}

// Remedy explains why a method made no cut, and which change would make one.
type Remedy struct {
	Why string `json:"why"` // without a full stop
	// Step is the nearest finer setting tried that cuts. For a long text it is one that
	// gives at least three chunks, if there is one. It is null if no setting cuts, for
	// example if all sentences are the same.
	Step *Step `json:"step"`
	// Count is for a method without a setting: the number of chunks to ask for instead,
	// with some 25 sentences each. It is 0 for other methods.
	Count int `json:"count"`
}

// sentencesPerChunk is the number of sentences with some 500 tokens together.
const sentencesPerChunk = 25

// Remedy returns a Remedy for a result with a single chunk. It returns nil for any other
// result, if the text has only one sentence, if one chunk was asked for, if there are
// edits, and if the method has no curve. The errors are those of Run.
func (s *Session) Remedy(ctx context.Context, r *Result, hooks Hooks) (*Remedy, error) {
	set := r.Method.Setting
	if len(r.Chunks) != 1 || len(r.Sentences) < 2 || r.Method.Curve == "" || r.Edits.Count > 0 || r.Plan.Criterion.By == chunk.ByCount {
		return nil, nil
	}
	if set == nil {
		return &Remedy{Why: r.Method.None, Count: min(len(r.Sentences), max(3, len(r.Sentences)/sentencesPerChunk))}, nil
	}
	at := r.Found.Setting
	remedy := &Remedy{Why: fmt.Sprintf(set.None, rounded(at))}
	minChunks := 2
	if len(r.Sentences) >= 2*sentencesPerChunk {
		minChunks = 3
	}
	for _, x := range finerThan(*set, at) {
		steps, err := s.Steps(ctx, r.Plan, []float64{x}, hooks)
		if err != nil {
			return nil, err
		}
		if steps[0].Chunks > 1 && remedy.Step == nil || steps[0].Chunks >= minChunks {
			remedy.Step = &steps[0]
		}
		if steps[0].Chunks >= minChunks {
			break
		}
	}
	return remedy, nil
}

// finerThan returns a few round settings that are finer than at, nearest first.
func finerThan(s breakpoint.Setting, at float64) (out []float64) {
	if s.Max == 100 { // a percentage
		for _, x := range []float64{5, 10, 25, 50, 75, 90, 95, 99} {
			if s.Finer && x > at {
				out = append(out, x)
			} else if !s.Finer && x < at {
				out = append([]float64{x}, out...)
			}
		}
		return out
	}
	for x := rounded(min(at, s.Max) / 2); x > max(s.Min, s.Step/2); x = rounded(x / 2) {
		out = append(out, x)
	}
	return append(out, s.Min)
}

// rounded rounds a setting for display.
func rounded(x float64) float64 { return math.Round(x*100) / 100 }

// Typical returns the median length of the chunks, or 0 without chunks. For an even number
// it is the mean of the middle two, rounded up.
func (r *Result) Typical() int {
	if len(r.Chunks) == 0 {
		return 0
	}
	lengths := make([]int, len(r.Chunks))
	for i, c := range r.Chunks {
		lengths[i] = c.Tokens
	}
	slices.Sort(lengths)
	middle := len(lengths) / 2
	if len(lengths)%2 == 1 {
		return lengths[middle]
	}
	return (lengths[middle-1] + lengths[middle] + 1) / 2
}

// cuts returns a string that identifies the start and end of every chunk.
func (r *Result) cuts() string {
	var b []byte
	for _, c := range r.Chunks {
		b = strconv.AppendInt(b, int64(c.Start), 10)
		b = strconv.AppendInt(append(b, '-'), int64(c.End), 10)
		b = append(b, ' ')
	}
	sum := digest.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
