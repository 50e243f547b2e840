package cut

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/embed/meaning"
	"seam/shared/embed/remote"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/token"
	"seam/shared/vector"
)

// Cutting is a document that is being cut up.
type Cutting struct {
	*pipeline.Session
	from     files.Opened
	plan     *pipeline.Plan // as the bundle has it; nil: that of all documents
	embedder string         // in the place of auto; empty: none
	cache    embed.Embedder // of that name, with the document's own vectors

	result *pipeline.Result // as it was kept, or as the bundle has it; nil: it is to be cut
	made   search.Made      // as it was kept; without Words it is to be made
	told   bool             // of what is only known while it is cut
}

// Begin makes a session of a document. One of a bundle goes on as it was: with what was
// done by hand, where no option decides how to cut with its settings, and, where no
// embedder is asked for, with the one that it was cut by, or its vectors.
func (c Cutter) Begin(o files.Opened) (*Cutting, error) {
	s := &Cutting{from: o}
	if o.Item == nil {
		s.Session = pipeline.NewSession(o.Document)
		return s, nil
	}
	var err error
	if s.Session, err = o.Item.Session(); err != nil {
		return nil, files.BundleError(o.In.Name, err)
	}
	made := o.Item.Chunking
	if made.Plan.Check() == nil && len(c.Options.Decisions()) == 0 {
		s.plan = &made.Plan
	}
	auto := c.Plan.Embedder == pipeline.Auto
	if auto && made.Model != "" {
		err = c.embedded(s)
	}
	switch {
	case err != nil || s.plan == nil:
	case auto && c.searched:
		err = c.asItWas(s)
	default:
		err = countable(o.In.Name, made.Plan)
	}
	return s, err
}

// countable refuses to cut by tokens of a file that is not here, or is none: it is the bundle
// that names it.
func countable(name string, p pipeline.Plan) error {
	file, ok := strings.CutPrefix(p.Limits.Unit, token.Tokenizer)
	if !ok {
		return nil
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s: it was cut by tokens of %s, which is not here: --tokens and --method say how to cut it", terminal.Shown(name), terminal.Shown(file))
	}
	return nil
}

// embedded puts what a document of a bundle was embedded by, or its vectors, in the place
// of auto.
func (c Cutter) embedded(s *Cutting) error {
	item := s.from.Item
	made := item.Chunking
	kind, _ := pipeline.EmbedderOf(made.Plan.Embedder)
	if kind.Name == lexical.Name {
		s.embedder = lexical.Name
		return nil
	}
	if err := c.vectorsOf(s); err != nil {
		return err
	}
	if model, err := c.Models.Embedder(builtin.Name); kind.Name == builtin.Name && err == nil && model.ID() == made.Model {
		s.embedder = builtin.Name
		s.Know(made.Model, item.Texts(), item.Vectors)
		return nil
	}
	s.embedder = pipeline.Bundled + made.Model
	model, err := c.Models.known(s.embedder, made)
	if err != nil {
		return err
	}
	own := bundle.NewCache(terminal.Shown(s.from.In.Name), made.Model, model)
	if err := own.Add(item.Texts()[:item.Vectors.Rows], item.Vectors); err != nil {
		return err
	}
	s.cache = own.Embedder()
	return nil
}

// asItWas takes the chunks of a document as its bundle has them, which are going to be
// searched.
func (c Cutter) asItWas(s *Cutting) error {
	item, in := s.from.Item, s.from.In
	r, err := item.Result()
	if err != nil {
		return files.BundleError(in.Name, err)
	}
	r.Plan = s.Settle(c.planOf(s))
	s.result = r
	return nil
}

// vectorsOf reads the vectors of a document of a bundle, if they are needed.
func (c Cutter) vectorsOf(s *Cutting) error {
	cuts := s.plan == nil || !c.searched
	if o := s.from; cuts && c.planOf(s).Embeds() || c.dense || c.Vectors || c.Exported {
		return o.In.Bundle.Vectors(o.In.Item, o.Item)
	}
	return nil
}

// planOf is the plan for one document.
func (c Cutter) planOf(s *Cutting) pipeline.Plan {
	p := c.Plan
	if s.plan != nil {
		p = *s.plan
		p.Embedder = c.Plan.Embedder
	}
	if s.embedder != "" {
		p.Embedder = s.embedder
	}
	return p
}

// HooksOf are what the engine needs to cut one document.
func (c Cutter) HooksOf(s *Cutting) pipeline.Hooks {
	h := c.Models.Hooks()
	h.ChunksAlone = c.Alone
	kind, _ := pipeline.EmbedderOf(c.planOf(s).Embedder)
	// Of what is dear a chunk's vector is made of those of its sentences.
	h.Vectors = c.Vectors || c.searched && kind.Name == pipeline.Bundled || c.Exported && kind.Dear && kind.Name != pipeline.Precomputed
	if s.cache != nil {
		h.Embedder = func(name string) (embed.Embedder, error) {
			if name == s.embedder {
				return s.cache, nil
			}
			return c.Models.Embedder(name)
		}
	}
	return h
}

// madeBy is the embedder that made the vectors of a bundle.
type madeBy struct {
	name  string         // of pipeline.Embedders
	model embed.Embedder // nil: it is not here
}

// known opens what made the vectors of a bundle, where it is here, for queries and for
// its tokens, and puts a cache without vectors under a name of its own.
func (m *Models) known(name string, c bundle.Chunking) (embed.Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if by, ok := m.made[name]; ok {
		return by.model, nil
	}
	model, err := m.maker(c)
	if err != nil {
		return nil, err
	}
	m.made[name] = madeBy{c.Plan.Embedder, model}
	m.opened[name] = bundle.NewCache("the bundle", c.Model, model).Embedder()
	return model, nil
}

// maker is the model of a bundle's vectors, nil where it is not here. A hosted one is
// opened where queries are sent to it, and there is somebody to ask.
func (m *Models) maker(c bundle.Chunking) (embed.Embedder, error) {
	var model embed.Embedder
	var err error
	kind, _ := pipeline.EmbedderOf(c.Plan.Embedder)
	switch kind.Name {
	case builtin.Name, meaning.Name, pipeline.Static, pipeline.Encoder:
		model, err = m.find(c.Plan.Embedder)
	case remote.Prefix:
		if m.Dial == nil || !m.queries {
			return nil, nil
		}
		if m.Proxy == nil {
			if m.Proxy, err = m.Dial(); errors.As(err, &terminal.UsageError{}) || errors.Is(err, context.Canceled) {
				return nil, err
			} else if err != nil {
				return away{c.Model, err}, nil
			}
		}
		if model, err = m.find(c.Plan.Embedder); err == nil {
			fmt.Fprintf(m.Std.Err, "seam: queries are sent to %s at %s, which made the vectors of the bundle\n", c.Plan.Embedder, m.Proxy.Host)
		}
		return model, err
	}
	switch {
	case err == nil && model != nil && model.ID() == c.Model:
		return model, nil
	case kind.Name == builtin.Name || kind.Name == meaning.Name || kind.Name == pipeline.Static || kind.Name == pipeline.Encoder: // it has gone, or is another by now
		fmt.Fprintf(m.Std.Err, "seam: %s, which made the vectors of the bundle, is not here: where lengths are in its tokens they are estimated\n", c.Plan.Embedder)
	}
	return nil, nil
}

// away is a hosted model that cannot be reached: searches go on without it.
type away struct {
	id  string
	err error
}

func (a away) ID() string { return a.id }

// Counter is that of hosted models.
func (a away) Counter() token.Counter { return token.Estimate }

// Embed says why it is not there.
func (a away) Embed(context.Context, []string, embed.Progress) (vector.Matrix, error) {
	return vector.Matrix{}, a.err
}

// TellMissing says what a search did without, once.
func (m *Models) TellMissing(found *search.Found) {
	for _, missing := range found.Missing {
		if name := m.Origin(missing.Embedder); !m.missing[name] {
			m.missing[name] = true
			fmt.Fprintf(m.Std.Err, "seam: what %s has embedded was searched by words alone: %s\n", name, terminal.OneLine(missing.Err.Error()))
		}
	}
}

// cached opens the bundle of --embedder cache:FILE.
func (m *Models) cached(name string) (embed.Embedder, error) {
	file := strings.TrimPrefix(name, pipeline.Bundled)
	b, err := files.OpenBundle(file)
	if err != nil {
		return nil, err
	}
	var all *bundle.Cache
	var first bundle.Chunking
	for i := range b.Manifest.Documents {
		it, err := b.Item(i)
		if err != nil {
			return nil, err
		}
		switch c := it.Chunking; {
		case c.Model == "" || c.Plan.Embedder == lexical.Name: // those are of one document's own words
			continue
		case all == nil:
			model, err := m.maker(c)
			if err != nil {
				return nil, err
			}
			all, first = bundle.NewCache(terminal.Shown(file), c.Model, model), c
			m.made[name] = madeBy{c.Plan.Embedder, model}
		case c.Model != first.Model:
			return nil, terminal.Usagef("%s holds vectors by %s and by %s, which cannot be compared: make a bundle for each", terminal.Shown(file), first.Model, c.Model)
		}
		if err := b.Vectors(i, it); err != nil {
			return nil, err
		}
		if err := all.Add(it.Texts(), it.Vectors); err != nil {
			return nil, err
		}
	}
	if all == nil {
		return nil, terminal.Usagef("%s holds no vectors that could be used again: those of lexical are made anew, leave --embedder out", terminal.Shown(file))
	}
	return all.Embedder(), nil
}

// Origin is the name of the embedder behind one: of a cache what made its vectors.
func (m *Models) Origin(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if by, ok := m.made[name]; ok {
		return by.name
	}
	return name
}

// ModeFor is the mode in which chunks can be searched: keyword where their vectors are of
// a bundle, and there is nobody to make one of a query. It says so.
func (m *Models) ModeFor(ctx context.Context, docs []Document, mode index.Mode) index.Mode {
	if mode != index.Hybrid || len(docs) == 0 || ctx.Err() != nil {
		return mode
	}
	name := docs[0].Result.Plan.Embedder
	m.mu.Lock()
	by, ok := m.made[name]
	m.mu.Unlock()
	for _, d := range docs {
		if d.Result.Plan.Embedder != name {
			return mode // of several embedders: lexical
		}
	}
	if !ok || by.model != nil {
		return mode
	}
	why := "which is not here"
	if kind, _ := pipeline.EmbedderOf(by.name); kind.Hosted {
		why = "and the query would need " + hosted.HowHosted
	}
	fmt.Fprintf(m.Std.Err, "seam: searching by keyword: the vectors are by %s, %s\n", by.name, why)
	return index.Keyword
}
