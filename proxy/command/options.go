package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"seam/shared/breakpoint"
	"seam/shared/bundle"
	"seam/shared/chunk"
	"seam/shared/embed/lexical"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/vector"
)

// chunkOptions are the options of every command that cuts documents up.
type chunkOptions struct {
	Method    string   `placeholder:"METHOD" help:"How to find the boundaries: ${methods}. The first is the default."`
	Threshold *float64 `help:"The method's number: for semantic the coarseness (1; more of it makes fewer chunks), else a percentile or a factor; default: the method's own."`
	Count     int      `help:"Exactly this many chunks, instead of a threshold; for methods with a curve."`
	MinTokens *int     `help:"No chunk shorter than this, where the document is long enough (default: ${leastTokens} for semantic, else none)."`
	MaxTokens int      `help:"No chunk longer than this. By default ${mostTokens} for semantic, ${size} for recursive and fixed, ${clusterSize} for cluster, else unbounded."`
	Overlap   int      `help:"How far at most a chunk reaches back into the one before: by as many units for fixed, by whole sentences (recursive: or words) for the others."`
	Tokens    string   `placeholder:"UNIT" help:"Unit of the lengths: model (the embedder's tokens; the default), words, chars, cl100k or o200k (OpenAI's tokens), or tokenizer:FILE (a Hugging Face tokenizer.json)."`
	Headers   bool     `help:"Give each chunk a header: the document's title and its sections. Lengths and --max-tokens then count both together."`
	View      string   `default:"auto" enum:"auto,reading,content" help:"Which text of a PDF: reading or content; auto is content for notebook-* and fixed, else reading."`
	PageJoin  *string  `help:"Put this between the pages of the content view and strip nothing (default: one blank, both ends stripped)."`
	Password  string   `help:"Password of encrypted PDFs."`
	embedderOptions
}

// plan checks the options before any file is read.
func (o chunkOptions) plan() (pipeline.Plan, error) {
	s := pipeline.Settings{Method: o.Method, Embedder: o.Embedder, Setting: o.Threshold, Count: o.Count,
		MinTokens: o.MinTokens, MaxTokens: o.MaxTokens, Overlap: o.Overlap, Unit: o.Tokens, Headers: o.Headers, PageJoin: o.PageJoin}
	if o.View != "auto" {
		s.View = text.ViewName(o.View)
	}
	if names := pipeline.Methods(); o.Method != "" && !slices.ContainsFunc(names, func(m chunk.Method) bool { return m.Name == o.Method }) {
		if near := nearest(o.Method, names); near != "" {
			return pipeline.Plan{}, usagef("unknown method %q: did you mean %s? There are %s", o.Method, near, methodNames())
		}
	}
	p, err := pipeline.NewPlan(s)
	if err != nil {
		return p, usageError{err}
	}
	return p, o.check(p)
}

// decided reports whether an option says how to cut. Where none does, a document of a
// bundle is cut as it was.
func (o chunkOptions) decided() bool {
	return o.Method != "" || o.Threshold != nil || o.Count != 0 || o.MinTokens != nil || o.MaxTokens != 0 || o.Overlap != 0 ||
		o.Tokens != "" || o.Headers || o.View != "auto" || o.PageJoin != nil
}

// methodNames lists the methods for the help text.
func methodNames() string {
	var names []string
	for _, m := range pipeline.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// document is a file that was read and cut up.
type document struct {
	*text.Document
	result *pipeline.Result
	made   search.Made // where it is going to be searched

	statements []bundle.Statement // that its bundle has
}

// cutter reads and cuts up files with the same settings.
type cutter struct {
	ctx      context.Context
	std      IO
	options  chunkOptions
	plan     pipeline.Plan
	models   *models
	searched bool         // the chunks are going to be searched
	dense    bool         // by their vectors, too
	entry    string       // names what is kept of a file that was cut so; empty: nothing is
	alone    bool         // nothing but the chunks is printed
	vectors  bool         // the vectors of the sentences are needed, too
	exported bool         // those of the chunks are
	compares bool         // a dry run goes on where nothing would be sent to a hosted model
	enriched []writtenRow // what was written of the documents, beside what their bundles have

	then  func(i int) error            // called in the order of the files when one is done; nil: nothing
	fails func(i int, err error) error // the same where one fails
}

// each reads files, several at once, and has use cut them up and print to its IO, as
// batch.run has it. Where texts are sent, that is not before all files are read, and it
// was said what it will cost.
func (c cutter) each(inputs []input, use func(ctx context.Context, std IO, i int, s *cutting) error) (failed, err error) {
	b := batch{ctx: c.ctx, std: c.std, inputs: inputs, then: c.then, fails: c.fails}
	if kind, _ := pipeline.EmbedderOf(c.plan.Embedder); kind.Name == pipeline.Precomputed {
		b.atOnce = 1 // rows are of the first texts that ask for them
	}
	if !c.plan.Hosted() && (c.compares || !c.options.DryRun) {
		return b.run(func(ctx context.Context, std IO, i int) error {
			s, err := c.session(ctx, std, inputs[i])
			if err != nil {
				return err
			}
			return use(ctx, std, i, s)
		})
	}
	b.then = nil
	open, failed, err := c.quoted(b)
	if err != nil {
		return failed, err
	}
	b.inputs, b.atOnce = nil, 1 // a hosted model is asked for many texts at once as it is
	var at []int
	for i, s := range open {
		if s != nil {
			b.inputs, at = append(b.inputs, inputs[i]), append(at, i)
		}
	}
	if c.then != nil {
		b.then = func(i int) error { return c.then(at[i]) }
	}
	if c.fails != nil {
		b.fails = func(i int, err error) error { return c.fails(at[i], err) }
	}
	again, err := b.run(func(ctx context.Context, std IO, i int) error {
		s := open[at[i]]
		open[at[i]] = nil // what is printed need not stay
		return use(ctx, std, at[i], s)
	})
	return errors.Join(failed, again), err
}

// session opens a document, to be cut up.
func (c cutter) session(ctx context.Context, std IO, in input) (*cutting, error) {
	if !c.searched {
		o, err := in.open(ctx, std, c.options.Password, c.models.kept)
		if err != nil {
			return nil, err
		}
		return c.begin(o)
	}
	f := c.models.kept.file(in)
	if s := c.recall(std, in, f); s != nil {
		return s, nil
	}
	o, err := in.openAs(ctx, std, &reading{password: c.options.Password, kept: c.models.kept, file: f, text: c.entry == ""})
	if err != nil {
		return nil, err
	}
	return c.begin(o)
}

// quoted opens all files, nil for one that failed, and tells what will be sent.
func (c cutter) quoted(b batch) (open []*cutting, failed, err error) {
	var mu sync.Mutex
	var price quote
	open = make([]*cutting, len(b.inputs))
	failed, err = b.run(func(ctx context.Context, std IO, i int) error {
		s, err := c.session(ctx, std, b.inputs[i])
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if err := price.add(ctx, s.Session, c.planOf(s), c.hooksOf(s)); err != nil {
			return err
		}
		open[i] = s
		return nil
	})
	if err != nil {
		return nil, failed, err
	}
	if c.compares && price.Missing == 0 {
		return open, failed, nil
	}
	if price.print(c.std, c.models.proxy, c.options.DryRun); c.options.DryRun {
		return nil, failed, errDry
	}
	return open, failed, nil
}

// files reads and cuts up several files that are going to be searched, see each.
func (c cutter) files(inputs []input) (docs []document, failed error, err error) {
	all := make([]document, len(inputs))
	failed, err = c.each(inputs, func(ctx context.Context, std IO, i int, s *cutting) error {
		d, err := c.indexed(ctx, std, s)
		all[i] = d
		return err
	})
	for _, d := range all {
		if d.result != nil {
			docs = append(docs, d)
		}
	}
	return docs, failed, err
}

// indexed cuts one document up and makes of it what a search needs, as far as that was not
// kept.
func (c cutter) indexed(ctx context.Context, std IO, s *cutting) (document, error) {
	r, made, err := s.result, s.made, error(nil)
	known := r != nil
	if known {
		c.notice(std, s)
	} else if r, err = c.cut(ctx, std, s, nil); err != nil {
		return document{}, err
	}
	more := !known || made.Words == nil || c.dense && made.Vectors.Rows == 0 && len(r.Chunks) > 0 && r.Plan.Embedder != lexical.Name
	if more {
		meter := newMeter(ctx, std, s.Document.Name)
		hooks := c.hooksOf(s)
		hooks.Progress = meter.report
		made, err = search.Make(ctx, r, c.dense, hooks)
		meter.clear()
		if err != nil {
			return document{}, named(s.Session, err)
		}
	}
	switch f := s.from.file; {
	case s.told:
		c.models.kept.putText(f, s.from.source, s.Document)
	case more:
		c.keep(s, r, made)
	}
	holdMemory(s.Document)
	if kind, _ := pipeline.EmbedderOf(r.Plan.Embedder); !kind.Dear {
		r.Vectors = vector.Matrix{} // of sentences: a search has those of chunks
	}
	d := document{s.Document, r, made, nil}
	if s.from.item != nil {
		d.statements = s.from.item.Statements
	}
	return d, nil
}

// notice says when the embedder does not know the language of a document, or is
// another for that.
func (c cutter) notice(std IO, s *cutting) {
	p := c.planOf(s)
	if !c.searched && !c.vectors && !c.exported && !p.Embeds() {
		return
	}
	switch u := s.Unknown(p); {
	case u == nil:
	case p.Embedder == pipeline.Auto:
		in := "in " + u.Language
		if u.Share < mostly {
			in = fmt.Sprintf("%.0f %% of it in %s", 100*u.Share, u.Language)
		}
		fmt.Fprintf(std.Err, "seam: %s: %s, which the built-in model does not know: compared by its own words (lexical)\n", shown(s.Document.Name), in)
	default:
		fmt.Fprintf(std.Err, "seam: %s: %.0f %% of it seems to be in %s, and the built-in model knows English alone: --embedder lexical goes by the document's own words\n",
			shown(s.Document.Name), 100*u.Share, u.Language)
	}
}

// mostly is the share of a text from which on it is said to be in a language.
const mostly = .8

// cut cuts one document up, and tells made, if there is one, of the chunks as they are
// made. Errors name its file.
func (c cutter) cut(ctx context.Context, std IO, s *cutting, made func(document, int) error) (*pipeline.Result, error) {
	c.notice(std, s)
	meter := newMeter(ctx, std, s.Document.Name)
	hooks := c.hooksOf(s)
	hooks.Progress = meter.report
	if made != nil {
		hooks.Made = func(r *pipeline.Result, i int) error { return made(document{Document: s.Document, result: r}, i) }
	}
	r, err := s.Run(ctx, c.planOf(s), hooks)
	meter.clear()
	if err == nil {
		err = c.remedy(ctx, std, s, r)
	}
	return r, named(s.Session, err)
}

// remedy says why nothing is cut, and what would cut it. That a short text is one topic
// is nothing to speak of.
func (c cutter) remedy(ctx context.Context, std IO, s *cutting, r *pipeline.Result) error {
	if r.Method.Curve == breakpoint.Strength {
		return nil
	}
	found, err := s.Remedy(ctx, r, c.hooksOf(s))
	if err != nil || found == nil {
		return err
	}
	change := ""
	if step := found.Step; step != nil {
		change = fmt.Sprintf("; --threshold %g gives %d chunks", step.Setting, step.Chunks)
	} else if found.Count > 0 {
		change = fmt.Sprintf("; --count %d cuts at the deepest places", found.Count)
	}
	s.told = true
	fmt.Fprintf(std.Err, "seam: %s: nothing is cut: %s%s\n", shown(s.Document.Name), found.Why, change)
	return nil
}

// named puts the name of a file before an error.
func named(s *pipeline.Session, err error) error {
	var bad *pipeline.SettingsError
	switch {
	case errors.As(err, &bad):
		return usageError{err}
	case err != nil:
		return fmt.Errorf("%s: %w", shown(s.Document.Name), err)
	}
	return nil
}
