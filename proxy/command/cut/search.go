package cut

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

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
	all, failed, err := c.readable(files, mode)
	if err != nil {
		return nil, nil, nil, err
	}
	docs = slices.DeleteFunc(all, func(d Document) bool { return d.Result == nil })
	if found, err = c.searcher(docs, WrittenOf(c.Std, docs, c.Enriched), "all files"); err != nil {
		return nil, nil, nil, fmt.Errorf("index %d files: %w", len(files), err)
	}
	return docs, found, failed, nil
}

// IndexEach cuts files up and returns a searcher for each. It is nil for a file that failed, and
// its document has no Result.
func (c Cutter) IndexEach(files []files.Input, mode index.Mode) (docs []Document, each []*search.Searcher, failed error, err error) {
	if docs, failed, err = c.readable(files, mode); err != nil {
		return nil, nil, nil, err
	}
	var read []Document
	var at []int
	for i, d := range docs {
		if d.Result != nil {
			read, at = append(read, d), append(at, i)
		}
	}
	each = make([]*search.Searcher, len(files))
	for n, written := range WrittenOf(c.Std, read, c.Enriched) {
		if each[at[n]], err = c.searcher(read[n:n+1], [][]search.Written{written}, read[n].Name); err != nil {
			return nil, nil, nil, fmt.Errorf("index %s: %w", terminal.Shown(read[n].Name), err)
		}
	}
	return docs, each, failed, nil
}

// Reading more than manyFiles files, mostly from the cache, makes many small objects that stay.
// The garbage collector then runs less often; its memory limit (see files.LimitMemory) still
// holds.
const manyFiles, percentForMany = 500, 400

// readable reads and cuts up files that are going to be searched. The document of a file that
// failed has no Result.
func (c Cutter) readable(inputs []files.Input, mode index.Mode) (docs []Document, failed error, err error) {
	c.searched, c.dense, c.Models.queries = true, mode != index.Keyword, true
	if c.entry, err = c.cutName(); err != nil {
		return nil, nil, err
	}
	if len(inputs) > manyFiles && os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(percentForMany))
	}
	docs = make([]Document, len(inputs))
	failed, err = c.Each(inputs, func(ctx context.Context, std terminal.IO, i int, s *Cutting) error {
		d, err := c.indexed(ctx, std, s)
		docs[i] = d
		return err
	})
	return docs, failed, hosted.RetryHint(err)
}

// searcher returns a searcher for documents, with the texts written about each. Progress is shown
// under a name.
func (c Cutter) searcher(docs []Document, written [][]search.Written, name string) (*search.Searcher, error) {
	results := make([]*pipeline.Result, len(docs))
	o := search.Options{Written: written}
	for i, d := range docs {
		results[i], o.Made = d.Result, append(o.Made, d.made)
	}
	meter := terminal.NewMeter(c.Ctx, c.Std, name)
	defer meter.Clear()
	hooks := c.Models.Hooks()
	hooks.Progress = meter.Report
	return search.NewSearcher(results, o, hooks)
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
