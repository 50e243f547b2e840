package cut

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/bundle"
)

// Bundle writes the documents of inputs as a bundle, in their order. In memory it holds
// only the documents in progress and the packed list of those already written.
func (c Cutter) Bundle(to io.Writer, inputs []files.Input) (failed, err error) {
	buffered := bufio.NewWriterSize(to, terminal.FlushSize)
	w, err := bundle.NewWriter(buffered)
	if err != nil {
		return nil, err
	}
	made, written := make([]*bundle.Item, len(inputs)), 0
	var mu sync.Mutex
	found := make([]bool, len(c.Enriched))
	c.Then = func(i int) error {
		it := made[i]
		made[i] = nil
		written++
		return w.Add(it)
	}
	failed, err = c.Each(inputs, func(ctx context.Context, std terminal.IO, i int, s *Cutting) error {
		r, err := c.Cut(ctx, std, s, nil)
		if err != nil {
			return err
		}
		model, err := c.HooksOf(s).Open(r.Plan.Embedder)
		if err != nil {
			return hosted.Named(s.Session, err)
		}
		made[i] = bundle.ItemOf(s.Session, r, s.from.Source, c.Models.Origin(r.Plan.Embedder), model.ID())
		if name := s.Lasting(); name != s.Document.Name {
			made[i].Source.Document = name
		}
		if s.from.Item != nil {
			made[i].Tags, made[i].Questions, made[i].Statements = s.from.Item.Tags, s.from.Item.Questions, s.from.Item.Statements
		}
		mu.Lock()
		defer mu.Unlock()
		made[i].Statements = append(made[i].Statements, statements(c.Enriched, found, r)...)
		return nil
	})
	switch {
	case err != nil:
		return failed, err
	case written == 0 && failed != nil:
		return nil, failed // each failure is already reported; nothing is written
	}
	reportUnmatched(c.Std, found)
	return failed, errors.Join(w.Close(), buffered.Flush())
}
