package cut

import (
	"encoding/json"
	"fmt"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/embed/builtin"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/token"
	"seam/shared/vector"
)

// cutName returns the name of the cache entry for a file cut with the plan, or "" if the
// result is not cached. Results of hosted models are not, because their vectors are cached
// by sentence text. Nor are results that depend on other files, which may change.
func (c Cutter) cutName() (string, error) {
	p := c.Plan
	kind, _ := pipeline.EmbedderOf(p.Embedder)
	if c.Models.Cached == nil || !c.searched || kind.Dear || c.Options.DryRun || strings.HasPrefix(p.Limits.Unit, token.Tokenizer) {
		return "", nil
	}
	name := p.Embedder
	if name == pipeline.Auto {
		name = builtin.Name // auto may choose lexical; the version of the methods covers it
	}
	model, err := c.Models.Hooks().Open(name)
	if err != nil {
		return "", err
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("name a plan: %w", err)
	}
	return files.DigestOf(pipeline.Version, string(plan), model.ID()), nil
}

// recall loads a cut file from the cache. It returns nil if there is no entry.
func (c Cutter) recall(std terminal.IO, in files.Input, f files.CachedFile) *Cutting {
	if f.Group == "" || c.entry == "" {
		return nil
	}
	var s *Cutting
	it := c.Models.Cached.Load(f, c.entry, func(it *bundle.Item) bool {
		session := pipeline.NewSession(it.Document)
		r, err := it.Result()
		if err != nil || session.Settle(c.Plan) != r.Plan {
			return false
		}
		s = &Cutting{Session: session, result: r, seam: c.Models.Seam}
		model := ""
		if it.Chunking.Searched != nil {
			model = it.Chunking.Searched.Model
		}
		s.made, err = search.Known(r, it.Index, model, it.OfChunks)
		return err == nil
	})
	if it == nil {
		return nil
	}
	files.LimitMemory(it.Source.Size)
	it.Document.Name = terminal.Called(in.Name)
	files.PrintNotes(std, in.Name, it.Document, it.Source)
	s.from = files.Opened{Document: it.Document, Source: it.Source, In: in, File: f}
	return s
}

// keep caches a cut document, with the search data of its chunks.
func (c Cutter) keep(s *Cutting, r *pipeline.Result, m search.Made) {
	if c.entry == "" || s.from.File.Group == "" {
		return
	}
	it := bundle.ItemOf(s.Session, r, s.from.Source, r.Plan.Embedder, "")
	it.Vectors, it.Chunking.Dimensions = vector.Matrix{}, 0 // a search does not use the vectors of sentences
	if m.Vectors.Rows > 0 {
		it.OfChunks, it.Chunking.Searched = m.Vectors, &bundle.Searched{Model: m.Embedder, Dimensions: m.Vectors.Dim}
	}
	it.Index = m.Words.Encode()
	c.Models.Cached.Put(s.from.File, c.entry, it)
}
