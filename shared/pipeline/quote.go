package pipeline

import (
	"context"

	"seam/shared/embed/remote"
)

// Quote returns what Run with the same plan would send to a proxy. It sends nothing. For an
// embedder that is not hosted it returns zeros.
func (s *Session) Quote(ctx context.Context, p Plan, hooks Hooks) (remote.Quote, error) {
	w, err := s.start(p, hooks)
	if err != nil {
		return remote.Quote{}, err
	}
	free := 0.0
	none := remote.Quote{Dollars: &free}
	if !w.kind.Hosted || !w.r.Method.Embeds && !hooks.Vectors {
		return none, nil
	}
	model, err := hooks.Open(p.Embedder)
	if err != nil {
		return remote.Quote{}, err
	}
	hosted, ok := model.(interface {
		Quote(ctx context.Context, texts []string) (remote.Quote, error)
	})
	if !ok {
		return none, nil
	}
	if err := w.findSentences(); err != nil {
		return remote.Quote{}, err
	}
	if _, ok := s.vectors[p.vectorKey(model.ID())]; ok {
		none.Texts = len(w.r.Sentences)
		return none, nil
	}
	return hosted.Quote(ctx, w.r.texts())
}
