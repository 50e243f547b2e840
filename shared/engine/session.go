package engine

import (
	"context"
	"maps"
	"strings"
	"time"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/embed"
	"seam/shared/embed/lexical"
	"seam/shared/embed/remote"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Hooks are what long work needs of its surroundings. The zero value has none.
type Hooks struct {
	// Progress is told the stage ("sentences", "embeddings", "curve",
	// "chunks", "index") and how far it is; its error ends the work.
	Progress func(stage string, done, total int) error
	// Now is a clock that only moves forward; without it nothing is timed.
	Now func() time.Duration
	// ChunksAlone leaves out the sentences where the method does not need them.
	ChunksAlone bool
	// Embedder returns the embedder of a name other than lexical; without it there
	// is none.
	Embedder func(name string) (embed.Embedder, error)
	// Counter returns the counter of a unit (token.Normal) other than model, words
	// and chars; without it there is none.
	Counter func(unit string) (token.Counter, error)
}

func (h Hooks) embedder(set Settings) (embed.Embedder, error) {
	name := set.embedder()
	switch {
	case name == lexical.Name:
		return &lexical.Embedder{}, nil
	case h.Embedder == nil:
		return nil, badf("the embedder %s is not here", name)
	}
	return h.Embedder(name)
}

// counter returns the counter of a unit, nil for the embedder's own.
func (h Hooks) counter(unit string) (token.Counter, error) {
	name, err := token.Normal(unit)
	switch c := token.Lookup(name); {
	case err != nil:
		return nil, badf("%v", err)
	case c != nil || name == token.Model:
		return c, nil
	case h.Counter == nil:
		return nil, badf("lengths in %s cannot be counted here", name)
	}
	return h.Counter(name)
}

func (h Hooks) report(stage string, done, total int) error {
	if h.Progress == nil {
		return nil
	}
	return h.Progress(stage, done, total)
}

// stage is a progress hook of one stage.
func (h Hooks) stage(name string) func(done, total int) error {
	return func(done, total int) error { return h.report(name, done, total) }
}

// Stages are the parts of chunking, for times and for what was cached.
const (
	StageSentences  = "sentences"
	StageEmbeddings = "embeddings"
	StageCurve      = "curve"
	StageChunks     = "chunks"
)

// Result is a document cut up.
type Result struct {
	View         text.ViewName
	Text         *text.View
	Method       Method
	Embedder     string // its name
	Sentences    []text.Span
	Vectors      vector.Matrix // of the sentences, where Settings.keeps or the method needs them
	Similarities []float64     // between neighbours; nil for methods without embeddings
	Found        breakpoint.Result
	Chunks       []chunk.Chunk
	Edits        Edits              // what was done by hand
	Headers      []string           // of the chunks, with Settings.Headers
	Embedded     int                // sentences that a vector was made of
	Reused       int                // sentences that had one
	Milliseconds map[string]float64 // by stage; empty without a clock
	Cached       []string           // stages that an earlier call had done

	model embed.Embedder // nil where none was needed
	plain []chunk.Chunk  // as the method alone has made them
}

// Session is one document and what was computed of it: changing the method, a
// threshold or a limit computes only what depends on that.
type Session struct {
	Document *text.Document

	sentences map[sentenceKey][]text.Span
	curves    map[curveKey]curve
	memos     map[memoKey]*chunk.Memo
	unknown   map[text.ViewName]*Unknown
	found     map[curveKey]chunk.Semantic
	edits     map[text.ViewName]*edit.Overlay
	old       map[curveKey]curve // of the document that was replaced
}

type memoKey struct {
	view text.ViewName
	unit string
}

type sentenceKey struct {
	view     text.ViewName
	notebook bool
}

type curveKey struct {
	sentenceKey
	embedder string
}

// curve is what follows from the vectors of sentences.
type curve struct {
	similarities []float64
	vectors      vector.Matrix // none where they are too many to be kept
	texts        []string      // of the sentences, where there are vectors
}

// NewSession begins with a document and nothing computed.
func NewSession(d *text.Document) *Session {
	return &Session{Document: d, sentences: map[sentenceKey][]text.Span{}, curves: map[curveKey]curve{}, memos: map[memoKey]*chunk.Memo{}, unknown: map[text.ViewName]*Unknown{},
		found: map[curveKey]chunk.Semantic{}, edits: map[text.ViewName]*edit.Overlay{}, old: map[curveKey]curve{}}
}

// stopwatch times stages into r.
type stopwatch struct {
	now func() time.Duration
	r   *Result
	at  time.Duration
}

func (w *stopwatch) lap(stage string) {
	if w.now != nil {
		now := w.now()
		w.r.Milliseconds[stage] = float64((now - w.at).Microseconds()) / 1000
		w.at = now
	}
}

// Chunk cuts the document with the given settings.
func (s *Session) Chunk(ctx context.Context, set Settings, hooks Hooks) (*Result, error) {
	s, r, err := s.begin(set)
	if err != nil {
		return nil, err
	}
	counter, err := hooks.counter(set.Unit)
	if err != nil {
		return nil, err
	}
	var model embed.Embedder
	if r.Method.NeedsEmbeddings || counter == nil {
		if model, err = hooks.embedder(set); err != nil {
			return nil, err
		}
	}
	if counter == nil {
		counter = model.Counter()
	}
	watch := &stopwatch{now: hooks.Now, r: r}
	if watch.now != nil {
		watch.at = watch.now()
	}
	r.model = model
	if r.Method.sentences || !hooks.ChunksAlone {
		if err := s.split(r, watch, hooks); err != nil {
			return nil, err
		}
	}
	if r.Method.NeedsEmbeddings {
		if err := s.embed(ctx, r, model, set.keeps() || r.Method.vectors, watch, hooks); err != nil {
			return nil, err
		}
	}
	inner := s.roomForHeaders(r, set, counter)
	if err := s.cut(r, inner, counter, watch, hooks); err != nil {
		return r, err
	}
	if set.MaxTokens == 0 {
		inner.MaxTokens = 0 // hands go beyond the method's own size
	}
	if err := s.byHand(r, inner, counter, hooks); err != nil {
		return r, err
	}
	return r, s.addHeaders(r, set, counter, hooks)
}

// begin checks the settings and makes an empty result of them, with the session
// that it is to be computed in.
func (s *Session) begin(set Settings) (*Session, *Result, error) {
	if err := set.Check(); err != nil {
		return nil, nil, err
	}
	m, err := lookup(set.Method)
	if err != nil {
		return nil, nil, err
	}
	r := &Result{View: set.viewOf(m), Method: m, Embedder: set.embedder(), Milliseconds: map[string]float64{}}
	r.Text = s.Document.View(r.View)
	if set.PageJoin != nil {
		joined := text.JoinPages(s.Document.Pages, *set.PageJoin, false)
		r.Text = &joined
		s = NewSession(s.Document) // nothing cached belongs to this text
	}
	return s, r, nil
}

// Quote says what Chunk with the same settings would send to a proxy, and sends
// nothing: zeros for an embedder that is not hosted.
func (s *Session) Quote(ctx context.Context, set Settings, hooks Hooks) (remote.Quote, error) {
	s, r, err := s.begin(set)
	if err != nil {
		return remote.Quote{}, err
	}
	free := 0.0
	none := remote.Quote{Dollars: &free}
	if !set.Hosted() || !r.Method.NeedsEmbeddings {
		return none, nil
	}
	model, err := hooks.embedder(set)
	if err != nil {
		return remote.Quote{}, err
	}
	hosted, ok := model.(interface {
		Quote(ctx context.Context, texts []string) (remote.Quote, error)
	})
	if !ok {
		return none, nil
	}
	if err := s.split(r, &stopwatch{}, hooks); err != nil {
		return remote.Quote{}, err
	}
	if _, ok := s.curves[curveKey{sentenceKey{r.View, r.Method.notebook}, model.ID()}]; ok {
		none.Texts = len(r.Sentences)
		return none, nil
	}
	return hosted.Quote(ctx, r.sentences())
}

// forgetHosted lets go of what came from a proxy.
func (s *Session) forgetHosted() {
	for _, curves := range []map[curveKey]curve{s.curves, s.old} {
		maps.DeleteFunc(curves, func(k curveKey, _ curve) bool { return strings.HasPrefix(k.embedder, remote.Prefix) })
	}
}

// split finds the sentences.
func (s *Session) split(r *Result, watch *stopwatch, hooks Hooks) error {
	if err := hooks.report(StageSentences, 0, 1); err != nil {
		return err
	}
	key := sentenceKey{r.View, r.Method.notebook}
	spans, ok := s.sentences[key]
	switch {
	case ok:
		r.Cached = append(r.Cached, StageSentences)
	case key.notebook:
		spans = sentence.Notebook(r.Text.Text)
	default:
		var err error
		if spans, err = sentence.SplitProgress(r.Text.Text, hooks.stage(StageSentences)); err != nil {
			return err
		}
	}
	s.sentences[key] = spans
	r.Sentences = spans
	watch.lap(StageSentences)
	return hooks.report(StageSentences, 1, 1)
}

// embed computes the similarities of neighbouring sentences.
func (s *Session) embed(ctx context.Context, r *Result, model embed.Embedder, keep bool, watch *stopwatch, hooks Hooks) error {
	key := curveKey{sentenceKey{r.View, r.Method.notebook}, model.ID()}
	if c, ok := s.curves[key]; ok && (!keep || c.vectors.Rows == len(r.Sentences)) {
		r.Similarities, r.Reused = c.similarities, len(r.Sentences)
		if keep {
			r.Vectors = c.vectors
		}
		r.Cached = append(r.Cached, StageEmbeddings)
		watch.lap(StageEmbeddings)
		return nil
	}
	of := embed.For(model, embed.Sentences)
	if of == nil {
		return badf("%s has no vectors of sentences", model.ID())
	}
	texts, before := r.sentences(), s.Document
	known := rows{}
	if byText(model) {
		known = s.known(key.embedder)
	}
	vectors, fresh, err := known.embed(ctx, of, texts, hooks.stage(StageEmbeddings))
	if err != nil {
		return err
	}
	if s.Document != before {
		return errReplaced
	}
	r.Embedded, r.Reused = fresh, len(texts)-fresh
	r.Similarities = vector.Adjacent(vectors)
	if keep {
		r.Vectors = vectors
	}
	s.curves[key] = curve{r.Similarities, vectors, texts}
	delete(s.old, key)
	s.bound(key, keep)
	watch.lap(StageEmbeddings)
	return nil
}

// input is what a method of chunking may look at.
func (s *Session) input(r *Result) chunk.Input {
	in := chunk.Input{View: r.Text, Sentences: r.Sentences, Vectors: r.Vectors, Similarities: r.Similarities}
	if r.Method.notebook {
		in.Sentences = chunk.WithStops(r.Sentences)
	}
	if r.View == text.Reading {
		in.Sections = s.Document.Sections
	}
	return in
}

// sentences are the texts of the sentences.
func (r *Result) sentences() []string {
	texts := make([]string, len(r.Sentences))
	for i, span := range r.Sentences {
		texts[i] = span.Of(r.Text.Text)
	}
	return texts
}

// cut finds the boundaries and makes the chunks.
func (s *Session) cut(r *Result, set Settings, counter token.Counter, watch *stopwatch, hooks Hooks) error {
	chunker := r.Method.chunker
	if _, ok := chunker.(chunk.Semantic); ok {
		if err := hooks.report(StageCurve, 0, 1); err != nil {
			return err
		}
		t, err := s.topics(r, hooks)
		if err != nil {
			return err
		}
		t.Setting, t.Cut, t.Count = set.Threshold, set.Cut, set.Count
		r.Found, chunker = t.Find()
		watch.lap(StageCurve)
	}
	if t, ok := chunker.(chunk.Threshold); ok {
		if err := hooks.report(StageCurve, 0, 1); err != nil {
			return err
		}
		t.Setting, t.Cut, t.Count = set.Threshold, set.Cut, set.Count
		var found chunk.Broken
		var err error
		if r.Found, found, err = t.Find(r.Similarities); err != nil {
			return badf("%v", err)
		}
		chunker = found
		watch.lap(StageCurve)
	}
	limits := set.limits(r.Method, counter)
	limits.Memo = s.memo(r, counter)
	limits.Progress = hooks.stage(StageChunks)
	var err error
	r.Chunks, err = chunker.Chunk(s.input(r), limits)
	watch.lap(StageChunks)
	return err
}

func (s *Session) memo(r *Result, counter token.Counter) *chunk.Memo {
	key := memoKey{r.View, counter.Name() + " of " + r.Embedder}
	if s.memos[key] == nil {
		s.memos[key] = &chunk.Memo{}
	}
	return s.memos[key]
}
