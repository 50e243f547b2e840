package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/token"
	"seam/shared/vector"
)

// prepare makes a vector of each chunk, unless that is already done.
func (s *Searcher) prepare(ctx context.Context, hooks pipeline.Hooks) error {
	if s.spaces != nil || len(s.places) == 0 {
		return nil
	}
	of := map[string][]int{} // results by embedder
	var names []string
	for i, r := range s.results {
		if s.shelved[i] != nil && s.made[i].Embedder == "" {
			continue // found by words alone
		}
		name, err := embedderOf(r, hooks)
		if err != nil {
			return err
		}
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], i)
	}
	var spaces []*space
	for _, name := range names {
		space, err := s.embed(ctx, name, of[name], hooks)
		if err != nil {
			return err
		}
		space.known = s.knownTo(space.kind.Language, of[name])
		spaces = append(spaces, space)
	}
	s.spaces = spaces
	return nil
}

// knownTo returns the share of the chunks of some results that is in a language. If no
// language is given, it returns 1.
func (s *Searcher) knownTo(language string, of []int) float64 {
	known, all := 0, 0
	for _, i := range of {
		all += s.docs[i].Len()
		if language == "" || s.docs[i].Language() == language {
			known += s.docs[i].Len()
		}
	}
	return float64(known) / float64(max(1, all))
}

// Vectors returns a vector for each chunk of a result, as a Searcher uses them, and the
// name of their embedder. The matrix is empty if the embedder is lexical, which depends on
// the words of these chunks alone.
func Vectors(ctx context.Context, r *pipeline.Result, hooks pipeline.Hooks) (vector.Matrix, string, error) {
	name, err := embedderOf(r, hooks)
	if err != nil {
		return vector.Matrix{}, "", err
	}
	space, err := unread([]*pipeline.Result{r}).embed(ctx, name, []int{0}, hooks)
	if err != nil {
		return vector.Matrix{}, "", err
	}
	if space.fitted != nil {
		name = ""
	}
	return space.vectors, name, nil
}

// embed makes the vectors of the chunks of some results. It leaves out shelved results
// whose vectors are from another model.
func (s *Searcher) embed(ctx context.Context, name string, of []int, hooks pipeline.Hooks) (out *space, err error) {
	out = &space{name: name}
	out.kind, _ = pipeline.EmbedderOf(name)
	results := make([]*pipeline.Result, len(of))
	for i, source := range of {
		results[i] = s.results[source]
	}
	progress := hooks.Stage(pipeline.StageIndex)
	if out.kind.Hosted { // paid vectors are already there, so the model is not needed
		out.chunks = s.chunksOf(of)
		out.vectors, err = means(results)
		return out, err
	}
	model, err := hooks.Open(name)
	if err != nil {
		return nil, err
	}
	if out.kind.Dear {
		out.chunks = s.chunksOf(of)
		if out.kind.Hosted { // chunks are not sent as well
			out.vectors, err = means(results)
			return out, err
		}
		out.vectors, err = dear(ctx, model, headedTexts(results), results, progress)
		return out, err
	}
	if f, ok := model.(embed.Fitter); ok {
		if out.fitted, err = f.Fit(ctx, headedTexts(results), progress); err != nil {
			return nil, err
		}
		model = out.fitted
	}
	once := embed.ByText(model)
	if model = embed.For(model, embed.Chunks); model == nil {
		return nil, &pipeline.SettingsError{Reason: name + " has no vectors of chunks: search by keyword"}
	}
	if once && out.fitted == nil {
		err = s.embedOnce(ctx, out, of, model, progress)
	} else {
		out.chunks = s.chunksOf(of)
		out.vectors, err = model.Embed(ctx, headedTexts(results), progress)
	}
	if err == nil {
		err = s.embedWritten(ctx, out, model, progress)
	}
	return out, err
}

// chunksOf returns the chunks of some results as numbers among all chunks.
func (s *Searcher) chunksOf(of []int) (chunks []int) {
	wanted := make([]bool, len(s.results))
	for _, i := range of {
		wanted[i] = true
	}
	for i, p := range s.places {
		if wanted[p.source] {
			chunks = append(chunks, i)
		}
	}
	return chunks
}

// embedOnce sets the chunks and the vectors of a space. It embeds only the results in memory
// that the model has not embedded before.
func (s *Searcher) embedOnce(ctx context.Context, out *space, of []int, model embed.Embedder, progress embed.Progress) error {
	has := func(i int) bool {
		m := &s.made[i]
		return m.Embedder == model.ID() && m.Vectors.Rows == len(s.results[i].Chunks)
	}
	of = slices.DeleteFunc(slices.Clone(of), func(i int) bool { return s.shelved[i] != nil && !has(i) })
	var fresh []*pipeline.Result
	for _, i := range of {
		if !has(i) {
			fresh = append(fresh, s.results[i])
		}
	}
	vectors, err := model.Embed(ctx, headedTexts(fresh), progress)
	if err != nil {
		return err
	}
	out.chunks, out.vectors = s.chunksOf(of), vector.Matrix{Dim: vectors.Dim}
	at := 0
	for _, i := range of {
		if !has(i) {
			n := len(s.results[i].Chunks)
			s.made[i].Embedder = model.ID()
			s.made[i].Vectors = vector.Matrix{Rows: n, Dim: vectors.Dim, Data: vectors.Data[at*vectors.Dim : (at+n)*vectors.Dim]}
			at += n
		}
		m := s.made[i].Vectors
		if m.Rows > 0 {
			out.vectors.Dim = m.Dim
		}
		out.vectors.Rows += m.Rows
	}
	out.vectors.Data = make([]float32, 0, out.vectors.Rows*out.vectors.Dim)
	for _, i := range of {
		out.vectors.Data = append(out.vectors.Data, s.made[i].Vectors.Data...)
	}
	return nil
}

// model returns the embedder for queries.
func (s *space) model(hooks pipeline.Hooks) (embed.Embedder, error) {
	if s.fitted != nil {
		return s.fitted, nil
	}
	all, err := hooks.Open(s.name)
	if err != nil {
		return nil, err
	}
	model := embed.For(all, embed.Queries)
	if model == nil {
		return nil, &pipeline.SettingsError{Reason: s.name + " has no vectors of queries: provide them, or search by keyword"}
	}
	return model, nil
}

// meaning holds the similarities of all chunks to a query.
type meaning struct {
	of      []float64      // see index.Query
	similar []float64      // cosines
	near    []bool         // similarity above the embedder's noise
	by      map[int]string // a text written about a chunk, if it is more similar than the chunk
}

func (m *meaning) isNear(chunk int) bool { return m.near[chunk] }

// meaning compares the chunks with a query. It returns nil if no embedder knows anything of
// the query. It asks only embedders with chunks that are allowed; a nil allowed means all.
// An embedder that cannot be asked is reported as missing, or as an error if nothing else
// can find chunks.
func (s *Searcher) meaning(ctx context.Context, asked *index.Asked, q Query, allowed func(chunk int) bool, hooks pipeline.Hooks) (*meaning, []Missing, error) {
	n := len(s.places)
	m := &meaning{make([]float64, n), make([]float64, n), make([]bool, n), map[int]string{}}
	some, answered := false, false
	var missing []Missing
	for _, sp := range s.spaces {
		if allowed != nil && !slices.ContainsFunc(sp.chunks, allowed) {
			continue
		}
		trust, err := sp.compare(ctx, asked, q.Text, m, hooks)
		switch {
		case err == nil:
			some, answered = some || trust > 0, true
		case ctx.Err() != nil || errors.Is(err, context.Canceled) || !sp.kind.Hosted && sp.kind.Name != pipeline.Bundled:
			return nil, nil, err
		default:
			missing = append(missing, Missing{sp.name, err, sp.chunks})
		}
	}
	switch {
	case q.Mode == index.Dense && !answered && len(missing) > 0:
		return nil, nil, missing[0].Err
	case !some:
		return nil, missing, nil
	case q.Mode == index.Dense && len(s.spaces) == 1:
		return &meaning{m.similar, m.similar, m.near, m.by}, missing, nil
	}
	return m, missing, nil
}

// compare fills in the chunks of the space. It returns how far the embedder can be trusted,
// from 0 to 1.
func (s *space) compare(ctx context.Context, asked *index.Asked, query string, m *meaning, hooks pipeline.Hooks) (float64, error) {
	model, err := s.model(hooks)
	if err != nil {
		return 0, err
	}
	trust := 1.0
	if s.kind.Pieces { // it sees only letters of misspelt and unknown words
		query = asked.Corrected
		trust = s.known * understoodShare(model.Counter(), asked)
	} else if !embed.Knows(model, query) {
		return 0, nil
	}
	if trust == 0 || s.vectors.Rows == 0 {
		return 0, nil
	}
	v, err := model.Embed(ctx, []string{query}, nil)
	if err != nil {
		return 0, err
	}
	if v.Dim != s.vectors.Dim {
		return 0, fmt.Errorf("the vector of the query has %d numbers, those of the chunks have %d", v.Dim, s.vectors.Dim)
	}
	sum, squares := 0.0, 0.0
	for row, score := range s.scores(v.Row(0), m.by) { // all have length 1
		i, x := s.chunks[row], min(1, max(-1, float64(score)))
		m.similar[i], m.near[i] = x, x > s.kind.Noise
		sum += x
		squares += float64(x * x)
	}
	mean := sum / float64(s.vectors.Rows)
	deviation := math.Sqrt(squares/float64(s.vectors.Rows) - float64(mean*mean))
	if !(deviation > flattest) {
		return trust, nil
	}
	for _, i := range s.chunks {
		m.of[i] = trust * (m.similar[i] - mean) / deviation
	}
	return trust, nil
}

// flattest is the standard deviation at or below which similarities carry no information.
const flattest = 1e-6

// understoodShare returns the share of the query's meaningful words that a model of word
// pieces knows.
func understoodShare(pieces token.Counter, asked *index.Asked) float64 {
	known := 0.0
	for _, w := range asked.Words {
		worth := 1.0
		i := slices.IndexFunc(asked.Corrections, func(c index.Correction) bool { return c.Word == w })
		if i >= 0 {
			w, worth = asked.Corrections[i].Taken, .5 // the correction may be wrong
		}
		if understood(pieces, w) {
			known += worth
		}
	}
	return known / float64(max(1, len(asked.Words)))
}

// Limits on related words: their maximum number, their minimum similarity, and the maximum
// number of words in a corpus to search.
const (
	mostRelated  = 8
	leastRelated = .4
	vocabulary   = 50_000
)

// related returns a function that finds words of the chunks with nearly the same meaning as
// a word, by the vectors of words. It returns nil if the model is not one of words.
func (s *Searcher) related(ctx context.Context, hooks pipeline.Hooks) (func(word string) []index.Related, error) {
	i := slices.IndexFunc(s.spaces, func(sp *space) bool { return sp.kind.Pieces })
	if i < 0 || len(s.words.Forms()) > vocabulary {
		return nil, nil
	}
	model, err := s.spaces[i].model(hooks)
	if err != nil {
		return nil, err
	}
	return func(word string) (out []index.Related) {
		if !understood(model.Counter(), word) {
			return nil
		}
		if s.forms.Rows == 0 {
			s.forms, err = model.Embed(ctx, s.words.Forms(), nil)
		}
		m, failed := model.Embed(ctx, []string{word}, nil)
		if err != nil || failed != nil {
			return nil // the other words will do
		}
		for _, h := range vector.TopK(s.forms, m.Row(0), mostRelated) {
			if h.Score >= leastRelated {
				out = append(out, index.Related{Form: h.Row, Weight: h.Score})
			}
		}
		return out
	}, nil
}

// understood reports whether a model of word pieces knows a word of a query: as a whole, or
// by a piece of three letters. It sees other words only as letters.
func understood(pieces token.Counter, query string) bool {
	letter := func(r rune, _ int) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for _, s := range pieces.Spans(query) {
		piece, before, after := s.Of(query), query[:s.Start], query[s.End:]
		whole := !letter(utf8.DecodeLastRuneInString(before)) && !letter(utf8.DecodeRuneInString(after))
		if letter(utf8.DecodeRuneInString(piece)) && (whole || utf8.RuneCountInString(piece) > 2) {
			return true
		}
	}
	return false
}
