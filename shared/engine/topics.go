package engine

import (
	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/topic"
)

// topics finds those of the text, once for each view and embedder.
func (s *Session) topics(r *Result, hooks Hooks) (chunk.Semantic, error) {
	key := curveKey{sentenceKey{r.View, r.Method.notebook}, r.model.ID()}
	if t, ok := s.found[key]; ok {
		return t, nil
	}
	texts := r.sentences()
	half := func(behind int) func(done, total int) error {
		return func(done, total int) error { return hooks.report(StageCurve, behind*total+done, 2*total) }
	}
	in := topic.Input{Sentences: texts, Vectors: r.Vectors, Layout: chunk.Layout(s.input(r)), Progress: half(1)}
	_, in.OwnWords = r.model.(embed.Fitter)
	if o, ok := r.model.(embed.Opener); ok {
		var err error
		if in.Prior, err = o.Openings(texts, r.Vectors, half(0)); err != nil {
			return chunk.Semantic{}, err
		}
	}
	found, err := topic.Find(in)
	if err != nil {
		return chunk.Semantic{}, err
	}
	s.found[key] = chunk.Semantic{Topics: found, Layout: in.Layout}
	return s.found[key], nil
}
