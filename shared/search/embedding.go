package search

import (
	"context"
	"errors"

	"seam/shared/embed"
	"seam/shared/embed/lexical"
	"seam/shared/pipeline"
	"seam/shared/vector"
)

// embedderOf returns the name of the embedder for comparing the chunks of a result. It is
// the result's own, or lexical if that one is dear and has no vectors for the result.
func embedderOf(r *pipeline.Result, hooks pipeline.Hooks) (string, error) {
	name := r.Plan.Embedder
	kind, _ := pipeline.EmbedderOf(name)
	switch {
	case !kind.Dear || r.Vectors.Rows > 0:
		return name, nil
	case kind.Hosted: // it has no vectors of chunks, whether it can be reached or not
		return lexical.Name, nil
	}
	model, err := hooks.Open(name)
	if err != nil {
		return "", err
	}
	if roled, ok := model.(embed.Roled); ok && roled.As(embed.Chunks) != nil {
		return name, nil
	}
	return lexical.Name, nil
}

// headedTexts returns the texts of the chunks for embedding.
func headedTexts(results []*pipeline.Result) (texts []string) {
	for _, r := range results {
		for i := range r.Chunks {
			texts = append(texts, r.Headed(i))
		}
	}
	return texts
}

// dear returns vectors made elsewhere, or the means of the sentence vectors.
func dear(ctx context.Context, model embed.Embedder, texts []string, results []*pipeline.Result, progress embed.Progress) (vector.Matrix, error) {
	if roled, ok := model.(embed.Roled); ok && roled.As(embed.Chunks) != nil {
		vectors, err := roled.As(embed.Chunks).Embed(ctx, texts, progress)
		if !errors.Is(err, embed.ErrNone) {
			return vectors, err
		}
	}
	return means(results)
}
