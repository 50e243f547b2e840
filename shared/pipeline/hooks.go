package pipeline

import (
	"time"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/token"
)

// Stages of the work, used for progress, times and the list of cached stages.
const (
	StageSentences  = "sentences"
	StageVectors    = "vectors"
	StageCurve      = "curve"
	StageBoundaries = "boundaries"
	StageChunks     = "chunks"
	StageIndex      = "index" // used by package search
)

// Hooks connects long work to its surroundings. In the zero value all hooks are unset.
type Hooks struct {
	// Progress is called with the stage and how far it is. If it returns an error, the work
	// stops.
	Progress func(stage string, done, total int) error
	// Now is a monotonic clock. If it is nil, nothing is timed.
	Now func() time.Duration
	// ChunksAlone skips the sentences if the method does not need them.
	ChunksAlone bool
	// Vectors requests the sentences and their vectors even if the method needs none, and
	// keeps them in the Result.
	Vectors bool
	// Made is called with each chunk of r, by its index, once the chunk is final. At that
	// time r holds the chunk, its header and all chunks before it, but is not complete. If
	// boundaries were edited by hand, all calls come at the end. If Made returns an error,
	// the work stops.
	Made func(r *Result, i int) error
	// Embedder opens an embedder that has no EmbedderKind.Open. If it is nil, such
	// embedders are not available.
	Embedder func(name string) (embed.Embedder, error)
	// Counter returns the counter of a unit (token.Normal) other than model, words and
	// chars. If it is nil, such units are not available.
	Counter func(unit string) (token.Counter, error)
}

// Open returns the named embedder.
func (h Hooks) Open(name string) (embed.Embedder, error) {
	kind, ok := EmbedderOf(name)
	switch {
	case ok && kind.Open != nil:
		return kind.Open(), nil
	case h.Embedder == nil:
		return nil, badf("the embedder %s is not available", name)
	}
	return h.Embedder(name)
}

// counter returns the counter of a unit. It returns nil for the embedder's own unit.
func (h Hooks) counter(unit string) (token.Counter, error) {
	if c := token.Lookup(unit); c != nil || unit == token.Model {
		return c, nil
	}
	if h.Counter == nil {
		return nil, badf("lengths in %s cannot be counted here", unit)
	}
	return h.Counter(unit)
}

// needs opens the counter of a plan. It also opens the embedder if the method compares
// vectors or the counter is the embedder's own; otherwise the embedder is nil.
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

// Stage returns a progress hook for one stage.
func (h Hooks) Stage(name string) func(done, total int) error {
	return func(done, total int) error { return h.report(name, done, total) }
}

// stopwatch records the times of stages in r.
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
