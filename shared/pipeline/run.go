package pipeline

import (
	"context"
	"errors"
	"slices"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// run is a Plan on its way through the stages.
type run struct {
	*Session
	plan    Plan
	hooks   Hooks
	kind    EmbedderKind
	model   embed.Embedder // nil if not needed
	counter token.Counter
	r       *Result
	watch   *stopwatch
}

// Run cuts the document by the plan. For a plan made by NewPlan, errors come from the
// hooks, the embedder or an ended context.
func (s *Session) Run(ctx context.Context, p Plan, hooks Hooks) (*Result, error) {
	w, err := s.start(p, hooks)
	if err != nil {
		return nil, err
	}
	if w.model, w.counter, err = hooks.needs(w.plan, w.r.Method); err != nil {
		return nil, err
	}
	w.watch = newStopwatch(hooks.Now, w.r)
	if w.r.Method.Sentences != "" || !hooks.ChunksAlone || hooks.Vectors {
		if err := w.findSentences(); err != nil {
			return nil, err
		}
	}
	if w.r.Method.Embeds {
		if err := w.compare(ctx); err != nil {
			return nil, err
		}
	}
	seen, err := w.analyse(ctx)
	if err != nil {
		return nil, err
	}
	if w.r.Found, err = seen.Find(p.Criterion); err != nil {
		return nil, badf("%v", err)
	}
	if w.r.Method.Curve != "" {
		w.watch.lap(StageBoundaries)
	}
	if err := w.chunks(seen); err != nil || !hooks.Vectors || w.r.Method.Embeds {
		return w.r, err
	}
	return w.r, w.compare(ctx) // only for the caller; the chunks are already made
}

// start returns a run with an empty result.
func (s *Session) start(p Plan, hooks Hooks) (*run, error) {
	p = s.Settle(p)
	m, err := p.method()
	if err != nil {
		return nil, err
	}
	kind, _ := EmbedderOf(p.Embedder)
	r := &Result{Plan: p, Method: m, Document: s.Document, Text: s.view(p), Milliseconds: map[string]float64{}}
	return &run{Session: s, plan: p, hooks: hooks, kind: kind, r: r, watch: &stopwatch{}}, nil
}

// cached records that an earlier run has done a stage.
func (w *run) cached(stage string) { w.r.Cached = append(w.r.Cached, stage) }

func (w *run) findSentences() error {
	if err := w.hooks.report(StageSentences, 0, 1); err != nil {
		return err
	}
	key := w.plan.sentenceKey()
	spans, ok := w.sentences[key]
	switch {
	case ok:
		w.cached(StageSentences)
	case w.seen.of(w.plan) != nil:
		spans = w.seen.Sentences
		w.cached(StageSentences)
	case w.plan.rule() == chunk.Notebook:
		spans = sentence.Notebook(w.r.Text.Text)
	default:
		var err error
		if spans, err = sentence.SplitProgress(w.r.Text.Text, w.hooks.Stage(StageSentences)); err != nil {
			return err
		}
		spans = chunk.CodeLines(w.r.Text.Text, w.listings(), spans)
	}
	w.sentences[key] = spans
	w.r.Sentences = spans
	w.watch.lap(StageSentences)
	return w.hooks.report(StageSentences, 1, 1)
}

// errReplaced ends work on a version that was replaced while the work waited.
var errReplaced = errors.New("the document was replaced by another version in the meantime")

// compare computes the similarities of neighbouring sentences.
func (w *run) compare(ctx context.Context) error {
	r, key := w.r, w.plan.vectorKey(w.model.ID())
	r.embedder = w.model.ID()
	keep := w.kind.Dear || r.Method.Vectors || w.hooks.Vectors
	if c, ok := w.vectors[key]; ok && (!keep || c.vectors.Rows == len(r.Sentences)) {
		r.Similarities, r.Reused = c.similarities, len(r.Sentences)
		if keep {
			r.Vectors = c.vectors
		}
		w.cached(StageVectors)
		w.watch.lap(StageVectors)
		return nil
	}
	texts := r.texts()
	vectors, made, err := w.embed(ctx, texts)
	if err != nil {
		return err
	}
	if w.Document != r.Document {
		return errReplaced
	}
	r.Embedded, r.Reused = made, len(texts)-made
	r.Similarities = vector.Adjacent(vectors)
	if keep {
		r.Vectors = vectors
	}
	w.vectors[key] = compared{w.model.ID(), r.Similarities, vectors, texts}
	delete(w.before, w.model.ID())
	w.bound(key, keep)
	w.watch.lap(StageVectors)
	return nil
}

// embed computes the vectors of sentences. made is the number of vectors that were not
// cached.
func (w *run) embed(ctx context.Context, texts []string) (m vector.Matrix, made int, err error) {
	of := embed.For(w.model, embed.Sentences)
	if of == nil {
		return m, 0, badf("%s has no vectors of sentences", w.model.ID())
	}
	progress := w.hooks.Stage(StageVectors)
	if counted, ok := of.(embed.Counted); ok {
		return counted.EmbedCounted(ctx, texts, progress)
	}
	known := w.known(w.model.ID())
	for _, c := range known { // the same sentences; any embedder returns the same vectors
		if c.vectors.Rows == len(texts) && slices.Equal(c.texts, texts) {
			return c.vectors, 0, embed.Progress(progress).Report(len(texts), len(texts))
		}
	}
	if len(known) > 0 && embed.ByText(w.model) {
		cache := embed.NewLocal(of, mostCached)
		for _, c := range known {
			cache.Add(c.texts, c.vectors)
		}
		return cache.EmbedCounted(ctx, texts, progress)
	}
	m, err = of.Embed(ctx, texts, progress)
	return m, len(texts), err
}

// analyse does the part of the method's work that does not depend on criterion and limits.
func (w *run) analyse(ctx context.Context) (chunk.Analysis, error) {
	if w.r.Method.Curve != "" {
		if err := w.hooks.report(StageCurve, 0, 1); err != nil {
			return nil, err
		}
	}
	embedder := ""
	if w.r.Method.Embeds {
		embedder = w.model.ID()
	}
	key := w.plan.curveKey(embedder)
	seen, ok := w.curves[key]
	if ok && w.r.Method.Curve != "" {
		w.cached(StageCurve)
	}
	if !ok {
		a := w.seen.of(w.plan).analysis(w.r.Method, embedder, w.input(ctx))
		if a == nil {
			var err error
			in := w.input(ctx)
			if in.Owned = w.alone(); in.Owned {
				w.vectors[w.plan.vectorKey(embedder)] = compared{embedder: embedder, similarities: w.r.Similarities}
				w.r.Vectors = vector.Matrix{}
			}
			if a, err = w.r.Method.Chunker.Analyse(in, w.hooks.Stage(StageCurve)); err != nil {
				return nil, err
			}
		}
		seen = analysed{a, w.plan.vectorKey(embedder)}
		w.curves[key] = seen
	}
	if w.r.Method.Curve != "" {
		w.watch.lap(StageCurve)
	}
	return seen, nil
}

// alone reports whether only the method needs the vectors, which cost nothing to compute again.
func (w *run) alone() bool {
	return w.hooks.ChunksAlone && !w.hooks.Vectors && !w.kind.Dear && len(w.r.Vectors.Data) > 0
}

// listings returns the listings in the reading view.
func (w *run) listings() []text.Span {
	if w.plan.View != text.Reading {
		return nil
	}
	return w.Document.Listings()
}

// input returns the input of a method.
func (w *run) input(ctx context.Context) chunk.Input {
	in := chunk.Input{View: w.r.Text, Sentences: w.r.Sentences, Vectors: w.r.Vectors, Similarities: w.r.Similarities}
	if w.plan.View == text.Reading {
		in.Sections = w.Document.Sections
	}
	in.Listings = w.listings()
	if w.r.Method.Embeds {
		_, in.OwnWords = w.model.(embed.Fitter)
		in.Prior = w.openings(ctx, in)
	}
	return in
}

// openings returns a function that estimates how likely each sentence begins a section. It
// returns nil if no model has learned this. For a model that has not, it uses the built-in
// model, provided that knows the document's language.
func (w *run) openings(ctx context.Context, in chunk.Input) func(sentences []string, progress func(done, total int) error) ([]float64, error) {
	if o, ok := w.model.(embed.OpeningModel); ok {
		return func(sentences []string, progress func(done, total int) error) ([]float64, error) {
			return o.Openings(sentences, in.Vectors, progress)
		}
	}
	if in.OwnWords || w.Unknown(Plan{Embedder: Auto}) != nil {
		return nil
	}
	return func(sentences []string, progress func(done, total int) error) ([]float64, error) {
		model, err := w.hooks.Open(builtin.Name)
		o, ok := model.(embed.OpeningModel)
		if err != nil || !ok {
			return nil, err
		}
		half := func(behind int) func(done, total int) error {
			return func(done, total int) error {
				return embed.Progress(progress).Report(behind*total+done, 2*total)
			}
		}
		vectors, err := model.Embed(ctx, sentences, half(0))
		if err != nil {
			return nil, err
		}
		return o.Openings(sentences, vectors, half(1))
	}
}

// chunks makes the chunks within the limits, and applies edits.
func (w *run) chunks(seen chunk.Analysis) error {
	room := withoutHeaders(w.Document, w.plan, w.counter)
	limits := chunk.Limits{Min: room.Min, Max: room.Max, Overlap: room.Overlap, Counter: w.counter, Memo: w.memo(), Progress: w.hooks.Stage(StageChunks)}
	w.r.unit, w.r.memo, w.r.hand = w.counter.Name(), limits.Memo, byHand(w.plan, limits)
	early := w.hooks.Made != nil && !w.edited()
	if early {
		limits.Made = w.made
		if w.plan.Headers {
			w.r.Headers = []string{}
		}
	}
	plain, err := seen.Chunk(w.r.Found, limits)
	if err != nil {
		return err
	}
	w.watch.lap(StageChunks)
	if early {
		w.r.plain = plain
		return nil
	}
	w.r.Chunks = plain
	if err := w.hands.apply(w.r); err != nil {
		return err
	}
	if err := w.r.addHeaders(w.counter, w.hooks.Stage(StageChunks)); err != nil || w.hooks.Made == nil {
		return err
	}
	for i := range w.r.Chunks {
		if err := w.hooks.Made(w.r, i); err != nil {
			return err
		}
	}
	return nil
}

func (w *run) memo() *chunk.Memo {
	key := w.plan.lengthKey(w.counter)
	if w.lengths[key] == nil {
		w.lengths[key] = w.seen.of(w.plan).memo(w.counter, w.plan.Limits.Unit == token.Model, w.model)
	}
	return w.lengths[key]
}

// made adds a chunk from the method to the result and calls Hooks.Made.
func (w *run) made(c chunk.Chunk) error {
	r := w.r
	r.Chunks = append(r.Chunks, c)
	i := len(r.Chunks) - 1
	if w.plan.Headers {
		r.Headers = append(r.Headers, r.headerFor(&r.Chunks[i], w.plan.Limits.Max, w.counter))
	}
	return w.hooks.Made(r, i)
}

// edited reports whether boundaries of the text were changed by hand.
func (w *run) edited() bool {
	return w.hands[editedView(w.r.Document, w.plan.View)] != nil
}
