package pipeline

import (
	"context"
	"errors"
	"slices"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Session is one document and what was computed of it: a Plan computes only what no
// earlier one has.
type Session struct {
	Document *text.Document // to change it call Replace

	joined    map[key]*text.View
	sentences map[key][]text.Span
	vectors   map[key]compared
	curves    map[key]analysed
	lengths   map[key]*chunk.Memo
	unknown   map[string]*Unknown // by the language that an embedder knows
	seen      *Seen               // of an earlier Session; nil: there was none
	hands     hands
	before    map[string][]compared // of the versions before, by the ID of their embedder
}

// analysed is what a method has seen in a text.
type analysed struct {
	chunk.Analysis
	vectors key // of those that it may hold
}

// compared is what follows from the vectors of sentences.
type compared struct {
	embedder     string // its ID
	similarities []float64
	vectors      vector.Matrix // none where they are too many to be kept
	texts        []string      // of the sentences, where there are vectors
}

func (c compared) bytes() int { return 4 * len(c.vectors.Data) }

// NewSession begins with a document and nothing computed.
func NewSession(d *text.Document) *Session {
	s := &Session{hands: hands{}, before: map[string][]compared{}}
	s.begin(d)
	return s
}

// begin forgets everything but what was done by hand.
func (s *Session) begin(d *text.Document) {
	s.Document = d
	s.joined = map[key]*text.View{}
	s.sentences = map[key][]text.Span{}
	s.vectors = map[key]compared{}
	s.curves = map[key]analysed{}
	s.lengths = map[key]*chunk.Memo{}
	s.unknown = map[string]*Unknown{}
	s.seen = nil
}

// view is the text of a plan.
func (s *Session) view(p Plan) *text.View {
	if !p.Join.Given {
		return s.Document.View(p.View)
	}
	key := p.textKey()
	if s.joined[key] == nil {
		s.joined[key] = p.Text(s.Document)
	}
	return s.joined[key]
}

// Unknown tells what the embedder of a plan does not know of the document's
// language: nil where that is little, or where the embedder is of no language. Of
// Auto it is what the built-in model does not know: why the embedder is another.
func (s *Session) Unknown(p Plan) *Unknown {
	kind, _ := EmbedderOf(p.Embedder)
	if kind.Language == "" {
		return nil
	}
	u, ok := s.unknown[kind.Language]
	if !ok {
		u = unknown(s.Document.View(text.Reading), kind.Language)
		s.unknown[kind.Language] = u
	}
	return u
}

// Settle makes the choices of a plan that need the document: which embedder Auto is,
// and a default minimum in characters. Whatever takes a plan follows what Settle makes
// of it.
func (s *Session) Settle(p Plan) Plan {
	foreign := (p.Embedder == Auto || p.Limits.English) && s.Unknown(Plan{Embedder: Auto}) != nil
	switch {
	case p.Embedder != Auto:
	case foreign:
		p.Embedder = lexical.Name
	default:
		p.Embedder = builtin.Name
	}
	if p.Limits.English && foreign {
		p.Limits.Min = max(1, int(float64(p.Limits.Min)*lettersPerCharacter(s.Document.View(p.View).Text)))
	}
	p.Limits.English = false
	return p
}

// run is a Plan on its way through the stages.
type run struct {
	*Session
	plan    Plan
	hooks   Hooks
	kind    EmbedderKind
	model   embed.Embedder // nil where none is needed
	counter token.Counter
	r       *Result
	watch   *stopwatch
}

// Run cuts the document up as the plan says. Of a plan that NewPlan has made the
// errors are those of hooks, of the embedder, and of a context that has ended.
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
	seen, err := w.analyse()
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
	return w.r, w.compare(ctx) // for nobody but the caller: the chunks are made
}

// start makes an empty result.
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

// cached notes that an earlier run has done a stage.
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
	}
	w.sentences[key] = spans
	w.r.Sentences = spans
	w.watch.lap(StageSentences)
	return w.hooks.report(StageSentences, 1, 1)
}

// errReplaced ends the work on a version that was replaced while it waited.
var errReplaced = errors.New("the document was replaced by another version meanwhile")

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

// embed makes the vectors of sentences; made is for how many there was none.
func (w *run) embed(ctx context.Context, texts []string) (m vector.Matrix, made int, err error) {
	of := embed.For(w.model, embed.Sentences)
	if of == nil {
		return m, 0, badf("%s has no vectors of sentences", w.model.ID())
	}
	progress := w.hooks.Stage(StageVectors)
	counted, ok := of.(embed.Counted)
	known := w.known(w.model.ID())
	for _, c := range known { // the very same, of which any embedder makes the same
		if !ok && c.vectors.Rows == len(texts) && slices.Equal(c.texts, texts) {
			return c.vectors, 0, embed.Progress(progress).Report(len(texts), len(texts))
		}
	}
	if !ok && len(known) > 0 && embed.ByText(w.model) {
		cache := embed.NewLocal(of, mostCached)
		for _, c := range known {
			cache.Add(c.texts, c.vectors)
		}
		counted, ok = cache, true
	}
	if ok {
		return counted.EmbedCounted(ctx, texts, progress)
	}
	m, err = of.Embed(ctx, texts, progress)
	return m, len(texts), err
}

// known are the vectors of an embedder that are there, of other sentences of this text
// or of the version before.
func (s *Session) known(embedder string) []compared {
	known := s.before[embedder]
	for _, c := range s.vectors {
		if c.embedder == embedder {
			known = append(known[:len(known):len(known)], c)
		}
	}
	return known
}

// mostCached bounds the bytes of vectors that a session caches beside those it needs:
// 64 MB are 65,000 sentences of 256 numbers.
const mostCached = 64 << 20

// bound lets vectors go where there are too many: first all but those of key, then
// these, unless they are needed.
func (s *Session) bound(key key, needed bool) {
	size := 0
	for _, c := range s.vectors {
		size += c.bytes()
	}
	for _, list := range s.before {
		for _, c := range list {
			size += c.bytes()
		}
	}
	if size <= mostCached {
		return
	}
	clear(s.before)
	for k, c := range s.vectors {
		if k != key || !needed && c.bytes() > mostCached {
			s.vectors[k] = compared{embedder: c.embedder, similarities: c.similarities}
			s.forgetCurves(k)
		}
	}
}

// forgetCurves lets go of what methods have seen with these vectors.
func (s *Session) forgetCurves(vectors key) {
	for k, a := range s.curves {
		if a.vectors == vectors {
			delete(s.curves, k)
		}
	}
}

// analyse does what the method can do before it knows criterion and limits.
func (w *run) analyse() (chunk.Analysis, error) {
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
		a := w.seen.of(w.plan).analysis(w.r.Method, embedder, w.input())
		if a == nil {
			var err error
			if a, err = w.r.Method.Chunker.Analyse(w.input(), w.hooks.Stage(StageCurve)); err != nil {
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

// input is what a method may look at.
func (w *run) input() chunk.Input {
	in := chunk.Input{View: w.r.Text, Sentences: w.r.Sentences, Vectors: w.r.Vectors, Similarities: w.r.Similarities}
	if w.plan.View == text.Reading {
		in.Sections = w.Document.Sections
	}
	if w.r.Method.Embeds {
		_, in.OwnWords = w.model.(embed.Fitter)
		if o, ok := w.model.(embed.OpeningModel); ok {
			in.Prior = func(sentences []string, progress func(done, total int) error) ([]float64, error) {
				return o.Openings(sentences, in.Vectors, progress)
			}
		}
	}
	return in
}

// chunks makes them within the limits, and does what was done by hand.
func (w *run) chunks(seen chunk.Analysis) error {
	room := withoutHeaders(w.Document, w.plan, w.counter)
	limits := chunk.Limits{Min: room.Min, Max: room.Max, Overlap: room.Overlap, Counter: w.counter, Memo: w.memo(), Progress: w.hooks.Stage(StageChunks)}
	w.r.unit, w.r.memo = w.counter.Name(), limits.Memo
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
	if err := w.hands.apply(w.r, limits); err != nil {
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

// made takes a chunk over from the method, and tells of it.
func (w *run) made(c chunk.Chunk) error {
	r := w.r
	r.Chunks = append(r.Chunks, c)
	i := len(r.Chunks) - 1
	if w.plan.Headers {
		r.Headers = append(r.Headers, r.headerFor(&r.Chunks[i], w.plan.Limits.Max, w.counter))
	}
	return w.hooks.Made(r, i)
}

// edited reports whether boundaries of the text were made by hand.
func (w *run) edited() bool {
	return w.hands[editedView(w.r.Document, w.plan.View)] != nil
}
