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

// Made is what a Searcher needs of one result, as long as it is not changed. Make makes it.
type Made struct {
	Words    *index.Document // nil: NewSearcher makes it
	Embedder string          // the ID of what made Vectors
	Vectors  vector.Matrix   // a row a chunk; empty: the Searcher makes them where it needs them
}

// Make makes of a result what a Searcher would: with it results are worked on at once, and
// what was made of them is kept. Vectors of chunks are made where dense is set, by an
// embedder that costs nothing and gives a text the same vector in any company; with others
// there are none in Made. Of hooks it needs the Embedder, for dense, and tells Progress.
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

// Known is what was made of a result before: the words as Encode of Made.Words gave them. The
// error is index.ErrEncoding.
func Known(r *pipeline.Result, words []byte, embedder string, vectors vector.Matrix) (Made, error) {
	d, err := index.Decode(words, sourceOf(r))
	return Made{d, embedder, vectors}, err
}

// plainEmbedder is the embedder of a result's chunks where Make is to ask it, else nil.
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

// sourceOf is what of a result is indexed.
func sourceOf(r *pipeline.Result) index.Source {
	s := index.Source{Title: r.Document.Title, Texts: make([]string, len(r.Chunks))}
	for i, c := range r.Chunks {
		s.Texts[i] = c.Of(r.Text.Text)
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
