package cut

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
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
	plan     *pipeline.Plan // the plan in the bundle; nil: the same plan as for all documents
	embedder string         // replaces auto; empty: no replacement
	cache    embed.Embedder // the embedder of that name, with the document's own vectors

	result *pipeline.Result // from the cache or the bundle; nil: the document still has to be cut
	made   search.Made      // from the cache; if Words is nil, it still has to be made
	seam   string           // version of the program
	told   bool             // notes that appear only during cutting were printed
}

// Lasting returns the lasting name of the document.
func (s *Cutting) Lasting() string { return s.from.In.Document }

// In returns the input of the document.
func (s *Cutting) In() files.Input { return s.from.In }

// Cut returns the document with its chunks.
func (s *Cutting) Cut(r *pipeline.Result) Document {
	return Document{Document: s.Document, Result: r, Lasting: s.Lasting(), Source: s.from.Source, Seam: s.seam}
}

// Begin makes a session of a document. A document from a bundle continues in its saved
// state, with all changes made by hand. The bundle's settings apply unless an option
// decides how to cut. Unless the command names an embedder, the bundle's embedder or its
// vectors are used.
func (c Cutter) Begin(o files.Opened) (*Cutting, error) {
	s := &Cutting{from: o, seam: c.Models.Seam}
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

// countable returns an error if the plan of a bundle counts tokens with a tokenizer file
// that is missing or is not a regular file.
func countable(name string, p pipeline.Plan) error {
	file, ok := strings.CutPrefix(p.Limits.Unit, token.Tokenizer)
	if !ok {
		return nil
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %s, the tokenizer it was cut with, is missing: set --tokens and --method", terminal.Shown(name), terminal.Shown(file))
	}
	return nil
}

// embedded replaces auto with the embedder of a bundle's document, or with a cache of the
// document's vectors.
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

// asItWas takes the chunks of a document from its bundle, for a search.
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

// vectorsOf reads the vectors of a bundle's document if they are needed.
func (c Cutter) vectorsOf(s *Cutting) error {
	cuts := s.plan == nil || !c.searched
	if o := s.from; cuts && c.planOf(s).Embeds() || c.dense || c.Vectors || c.Exported {
		return o.In.Bundle.Vectors(o.In.Item, o.Item)
	}
	return nil
}

// planOf returns the plan for one document.
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

// HooksOf returns the hooks with which the engine cuts one document.
func (c Cutter) HooksOf(s *Cutting) pipeline.Hooks {
	h := c.Models.Hooks()
	h.ChunksAlone = c.Alone
	kind, _ := pipeline.EmbedderOf(c.planOf(s).Embedder)
	// With an expensive embedder, a chunk's vector is computed from the vectors of its
	// sentences.
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
	name  string         // a name from pipeline.Embedders
	model embed.Embedder // nil if the model is not available here
}

// known opens the embedder that made the vectors of a bundle, if it is available here, for
// queries and for counting its tokens. It also registers a cache without vectors under
// name.
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

// maker returns the model that made the vectors of a bundle, or nil if it is not available
// here. It opens a hosted model only if there are queries to send and a way to connect.
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
				return unavailable{c.Model, err}, nil
			}
		}
		if model, err = m.remote(c.Plan.Embedder, &c.Model); err == nil {
			fmt.Fprintf(m.Std.Err, "seam: sending queries to %s at %s, the model of the bundle's vectors\n", c.Plan.Embedder, m.Proxy.Host)
		}
		return model, err
	}
	switch {
	case err == nil && model != nil && model.ID() == c.Model:
		return model, nil
	case kind.Name == builtin.Name || kind.Name == meaning.Name || kind.Name == pipeline.Static || kind.Name == pipeline.Encoder: // the model is missing or has changed
		fmt.Fprintf(m.Std.Err, "seam: %s, the model of the bundle's vectors, is not available: lengths in its tokens are estimates\n", c.Plan.Embedder)
	}
	return nil, nil
}

// unavailable is a hosted model that cannot be reached. Searches continue without it.
type unavailable struct {
	id  string
	err error
}

func (a unavailable) ID() string { return a.id }

// Counter returns the estimate that serves for hosted models.
func (a unavailable) Counter() token.Counter { return token.Estimate }

// Embed returns the reason why the model cannot be reached.
func (a unavailable) Embed(context.Context, []string, embed.Progress) (vector.Matrix, error) {
	return vector.Matrix{}, a.err
}

// ReportMissing prints, once for each embedder, that a search ran without its vectors.
func (m *Models) ReportMissing(found *search.Found) {
	for _, missing := range found.Missing {
		if name := m.Origin(missing.Embedder); !m.missing[name] {
			m.missing[name] = true
			fmt.Fprintf(m.Std.Err, "seam: searched texts embedded by %s by keyword only: %s\n", name, terminal.OneLine(missing.Err.Error()))
		}
	}
}

// cached opens the bundle named by --embedder cache:FILE.
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
		case c.Model == "" || c.Plan.Embedder == lexical.Name: // vectors fitted to one document's own words
			continue
		case all == nil:
			model, err := m.maker(c)
			if err != nil {
				return nil, err
			}
			all, first = bundle.NewCache(terminal.Shown(file), c.Model, model), c
			m.made[name] = madeBy{c.Plan.Embedder, model}
		case c.Model != first.Model:
			return nil, terminal.Usagef("%s holds vectors of %s and of %s, which cannot be compared: make a bundle for each", terminal.Shown(file), first.Model, c.Model)
		}
		if err := b.Vectors(i, it); err != nil {
			return nil, err
		}
		if err := all.Add(it.Texts(), it.Vectors); err != nil {
			return nil, err
		}
	}
	if all == nil {
		return nil, terminal.Usagef("%s has no reusable vectors (lexical vectors cannot be reused): leave out --embedder", terminal.Shown(file))
	}
	return all.Embedder(), nil
}

// Origin returns the name of the embedder that made the vectors of the named embedder. For
// a cache, this is the embedder that filled it; otherwise it is the name itself.
func (m *Models) Origin(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if by, ok := m.made[name]; ok {
		return by.name
	}
	return name
}

// ModeFor returns the mode in which the chunks can be searched. It is index.Keyword, with a
// note on stderr, if the vectors come from a bundle and no model is available to embed a
// query.
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
			return mode // several embedders: one of them is lexical
		}
	}
	if !ok || by.model != nil {
		return mode
	}
	m.mu.Lock()
	told := m.missing[name]
	m.missing[name] = true
	m.mu.Unlock()
	if told {
		return index.Keyword
	}
	why := "which is not available"
	if kind, _ := pipeline.EmbedderOf(by.name); kind.Hosted {
		why = "and embedding the query needs " + hosted.HowHosted
	}
	fmt.Fprintf(m.Std.Err, "seam: searching by keyword: the vectors are from %s, %s\n", by.name, why)
	return index.Keyword
}

// QuoteQueries prints, for a dry run, the queries that would be sent to hosted models for a
// search of documents in a mode, and returns the names of these models. docs is empty if their own
// texts must be sent first; then the embedder of the plan would get the queries, too. A method
// that compares no vectors has none of a hosted model, so no query is sent for its chunks.
func (m *Models) QuoteQueries(ctx context.Context, docs []Document, plan pipeline.Plan, mode index.Mode, queries []string) (sent []string, err error) {
	if mode == index.Keyword {
		return nil, nil
	}
	plans := []pipeline.Plan{plan}
	if len(docs) > 0 {
		plans = nil
	}
	for _, d := range docs {
		plans = append(plans, d.Result.Plan)
	}
	var names []string
	for _, p := range plans {
		if p.Embeds() && !slices.Contains(names, p.Embedder) {
			names = append(names, p.Embedder)
		}
	}
	for _, name := range names {
		model, from, err := m.hostedBy(name)
		if err != nil {
			return sent, err
		}
		if model == nil {
			continue
		}
		one, err := model.Queries().Quote(ctx, queries)
		if err != nil {
			return sent, err
		}
		var q hosted.Quote
		q.AddOne(from, one)
		q.PrintQueries(m.Std, m.Proxy)
		if one.Missing > 0 {
			sent = append(sent, from)
		}
	}
	return sent, nil
}

// hostedBy returns the hosted model behind the named embedder, and that model's name. It is nil
// if there is none, or if it is not available.
func (m *Models) hostedBy(name string) (*remote.Embedder, string, error) {
	m.mu.Lock()
	by, ok := m.made[name]
	m.mu.Unlock()
	if !ok {
		kind, _ := pipeline.EmbedderOf(name)
		if !kind.Hosted {
			return nil, "", nil
		}
		model, err := m.Embedder(name)
		if err != nil {
			return nil, "", err
		}
		by = madeBy{name, model}
	}
	model, _ := by.model.(*remote.Embedder)
	return model, by.name, nil
}
