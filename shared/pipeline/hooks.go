package pipeline

import (
	"time"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/token"
)

// Stages of the work, for progress, times and what was kept of an earlier run.
const (
	StageSentences  = "sentences"
	StageVectors    = "vectors"
	StageCurve      = "curve"
	StageBoundaries = "boundaries"
	StageChunks     = "chunks"
	StageIndex      = "index" // of package search
)

// Hooks are what long work needs of its surroundings. The zero value has none.
type Hooks struct {
	// Progress is told the stage and how far it is; its error ends the work.
	Progress func(stage string, done, total int) error
	// Now is a clock that only moves forward; without it nothing is timed.
	Now func() time.Duration
	// ChunksAlone leaves out the sentences where the method does not need them.
	ChunksAlone bool
	// Vectors also makes those of the sentences, and the sentences, where the method needs
	// none, and keeps them in the Result.
	Vectors bool
	// Made is told of each chunk of r, by its index, as soon as nothing can change it
	// any more: r has it, its header and the chunks before, and is not complete. Where
	// boundaries were made by hand that is in the end. Its error ends the work.
	Made func(r *Result, i int) error
	// Embedder opens an embedder that is no EmbedderKind with an Open; without it
	// there is none of these.
	Embedder func(name string) (embed.Embedder, error)
	// Counter returns the counter of a unit (token.Normal) other than model, words
	// and chars; without it there is none.
	Counter func(unit string) (token.Counter, error)
}

// Open returns the embedder of a name.
func (h Hooks) Open(name string) (embed.Embedder, error) {
	kind, ok := EmbedderOf(name)
	switch {
	case ok && kind.Open != nil:
		return kind.Open(), nil
	case h.Embedder == nil:
		return nil, badf("the embedder %s is not here", name)
	}
	return h.Embedder(name)
}

// counter returns the counter of a unit, nil for the embedder's own.
func (h Hooks) counter(unit string) (token.Counter, error) {
	if c := token.Lookup(unit); c != nil || unit == token.Model {
		return c, nil
	}
	if h.Counter == nil {
		return nil, badf("lengths in %s cannot be counted here", unit)
	}
	return h.Counter(unit)
}

// needs opens the counter of a plan, and the embedder if the method compares vectors
// or the counter is its own; else that is nil.
func (h Hooks) needs(p Plan, m chunk.Method) (embed.Embedder, token.Counter, error) {
	counter, err := h.counter(p.Limits.Unit)
	if err != nil || !m.Embeds && !h.Vectors && counter != nil {
		return nil, counter, err
	}
	model, err := h.Open(p.Embedder)
	if err == nil && counter == nil {
		counter = model.Counter()
	}
	return model, counter, err
}

func (h Hooks) report(stage string, done, total int) error {
	if h.Progress == nil {
		return nil
	}
	return h.Progress(stage, done, total)
}

// Stage is a progress hook of one stage.
func (h Hooks) Stage(name string) func(done, total int) error {
	return func(done, total int) error { return h.report(name, done, total) }
}

// stopwatch times stages into r.
type stopwatch struct {
	now func() time.Duration
	r   *Result
	at  time.Duration
}

func newStopwatch(now func() time.Duration, r *Result) *stopwatch {
	w := &stopwatch{now: now, r: r}
	if now != nil {
		w.at = now()
	}
	return w
}

func (w *stopwatch) lap(stage string) {
	if w.now != nil {
		now := w.now()
		w.r.Milliseconds[stage] = float64((now - w.at).Microseconds()) / 1000
		w.at = now
	}
}
