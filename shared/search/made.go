package search

import (
	"context"
	"sort"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Made holds the data a Searcher needs for one result. It is valid as long as the result
// does not change. Create it with Make.
type Made struct {
	Words    *index.Document // if nil, NewSearcher creates it
	Embedder string          // ID of the embedder of Vectors
	Vectors  vector.Matrix   // one row per chunk; if empty, the Searcher creates them when needed
}

// Make prepares the data that a Searcher would need for a result, so that it can be done
// early and saved. If dense is set it makes vectors of chunks, but only with an embedder
// that is free and for which a vector does not depend on other texts. With other embedders
// Made has no vectors. Make uses hooks.Embedder, if dense is set, and hooks.Progress.
func Make(ctx context.Context, r *pipeline.Result, dense bool, hooks pipeline.Hooks) (m Made, err error) {
	progress := hooks.Stage(pipeline.StageIndex)
	if m.Words, err = index.Analyse(sourceOf(r), progress); err != nil || !dense {
		return m, err
	}
	model, err := plainEmbedder(r, hooks)
	if err != nil || model == nil {
		return m, err
	}
	texts := make([]string, len(r.Chunks))
	for i := range texts {
		texts[i] = r.Headed(i)
	}
	m.Embedder = model.ID()
	m.Vectors, err = model.Embed(ctx, texts, progress)
	return m, err
}

// Known returns the Made of a result from saved data: the words as encoded by Encode of
// Made.Words. The error is index.ErrEncoding.
func Known(r *pipeline.Result, words []byte, embedder string, vectors vector.Matrix) (Made, error) {
	d, err := index.Decode(words, sourceOf(r))
	return Made{d, embedder, vectors}, err
}

// plainEmbedder returns the embedder of a result's chunks if Make may use it, otherwise
// nil.
func plainEmbedder(r *pipeline.Result, hooks pipeline.Hooks) (embed.Embedder, error) {
	if kind, _ := pipeline.EmbedderOf(r.Plan.Embedder); kind.Dear {
		return nil, nil
	}
	model, err := hooks.Open(r.Plan.Embedder)
	if err != nil || !embed.ByText(model) {
		return nil, err
	}
	return embed.For(model, embed.Chunks), nil
}

// sourceOf returns the texts of a result to index.
func sourceOf(r *pipeline.Result) index.Source {
	s := index.Source{Title: r.Document.Title, Texts: make([]string, len(r.Chunks))}
	if r.Text.Text != "" { // a shelved result has no texts
		for i, c := range r.Chunks {
			s.Texts[i] = c.Of(r.Text.Text)
		}
	}
	if r.Plan.View == text.Content {
		return s
	}
	for _, section := range r.Document.Sections {
		first := sort.Search(len(r.Chunks), func(i int) bool { return r.Chunks[i].End > section.Start })
		last := first + sort.Search(len(r.Chunks)-first, func(i int) bool { return r.Chunks[first+i].Start >= section.End })
		s.Sections = append(s.Sections, index.Section{Title: section.Title, First: first, Last: last})
	}
	return s
}
