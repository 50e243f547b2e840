package pipeline

import (
	"context"
	"encoding/hex"
	"slices"
	"strconv"

	"seam/shared/chunk"
	"seam/shared/digest"
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
	sum := digest.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
