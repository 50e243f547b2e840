package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
)

// Step is what a setting of the method makes of a document.
type Step struct {
	Setting float64 `json:"setting"`
	Chunks  int     `json:"chunks"`
	Typical int     `json:"typical"` // the median of their lengths, in the unit of the Plan
	// Cuts names where the chunks end: settings that make the same have the same.
	Cuts string `json:"cuts"`
}

// Steps tells what each of these settings would make of the document, by a Plan that
// Run has followed, in their order. The errors are those of Run, and of a setting that
// the method refuses.
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

// Remedy says why a method has cut nothing, and what would change that.
type Remedy struct {
	Why string `json:"why"` // without a full stop
	// Step is the nearest of some finer settings that cuts, of a long text into three
	// chunks or more if there is one; null where none cuts, as in a text whose sentences
	// are all alike.
	Step *Step `json:"step"`
	// Count is, of a method that has no setting, how many chunks may be asked for instead:
	// of some 25 sentences each; 0 of any other.
	Count int `json:"count"`
}

// sentencesPerChunk have some 500 tokens together.
const sentencesPerChunk = 25

// Remedy tells of a result in one chunk; nil for any other, for one that has no place
// to be cut or was to be one chunk, and where the method has no curve. The errors are those of Run.
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
	enough := 2
	if len(r.Sentences) >= 2*sentencesPerChunk {
		enough = 3
	}
	for _, x := range finerThan(*set, at) {
		steps, err := s.Steps(ctx, r.Plan, []float64{x}, hooks)
		if err != nil {
			return nil, err
		}
		if steps[0].Chunks > 1 && remedy.Step == nil || steps[0].Chunks >= enough {
			remedy.Step = &steps[0]
		}
		if steps[0].Chunks >= enough {
			break
		}
	}
	return remedy, nil
}

// finerThan are a few round settings that are finer than one, the nearest first.
func finerThan(s breakpoint.Setting, at float64) (out []float64) {
	if s.Max == 100 { // per cent
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

// rounded is a setting as people are told of it.
func rounded(x float64) float64 { return math.Round(x*100) / 100 }

// Typical is the median of the lengths of the chunks, 0 where there are none; of the
// two in the middle their mean, rounded up.
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

// cuts names where the chunks begin and end.
func (r *Result) cuts() string {
	var b []byte
	for _, c := range r.Chunks {
		b = strconv.AppendInt(b, int64(c.Start), 10)
		b = strconv.AppendInt(append(b, '-'), int64(c.End), 10)
		b = append(b, ' ')
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
