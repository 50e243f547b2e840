package cut

import (
	"context"
	"fmt"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/embed"
	"seam/shared/embed/precomputed"
	"seam/shared/embed/remote"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
)

// Index cuts files up and returns a searcher for their chunks.
func (c Cutter) Index(files []files.Input, mode index.Mode) (docs []Document, found *search.Searcher, failed error, err error) {
	c.searched, c.dense, c.Models.queries = true, mode != index.Keyword, true
	if c.entry, err = c.cutName(); err != nil {
		return nil, nil, nil, err
	}
	if docs, failed, err = c.files(files); err != nil {
		return nil, nil, nil, hosted.RetryHint(err)
	}
	results := make([]*pipeline.Result, len(docs))
	o := search.Options{Written: WrittenOf(c.Std, docs, c.Enriched)}
	for i, d := range docs {
		results[i], o.Made = d.Result, append(o.Made, d.made)
	}
	meter := terminal.NewMeter(c.Ctx, c.Std, "all files")
	defer meter.Clear()
	hooks := c.Models.Hooks()
	hooks.Progress = meter.Report
	if found, err = search.NewSearcher(results, o, hooks); err != nil {
		return nil, nil, nil, fmt.Errorf("index %d files: %w", len(files), err)
	}
	return docs, found, failed, nil
}

// PrepareQueries sends all queries to a hosted model at once and keeps the vectors. It also
// gives precomputed vectors the texts of the queries to which their rows belong.
func (m *Models) PrepareQueries(ctx context.Context, name string, queries []QueryLine) error {
	texts := make([]string, len(queries))
	for i, q := range queries {
		texts[i] = q.Query
	}
	if kind, _ := pipeline.EmbedderOf(name); !kind.Dear {
		return nil
	}
	model, err := m.Hooks().Open(name)
	if err != nil {
		return err
	}
	switch e := model.(type) {
	case *remote.Embedder:
		_, err := e.Queries().Embed(ctx, texts, nil)
		return err
	case *precomputed.Vectors:
		return e.Bind(embed.Queries, texts)
	}
	return nil
}
