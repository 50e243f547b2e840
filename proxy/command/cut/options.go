package cut

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/breakpoint"
	"seam/shared/bundle"
	"seam/shared/chunk"
	"seam/shared/embed/lexical"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/vector"
)

// ChunkOptions are the options of every command that cuts documents up.
type ChunkOptions struct {
	Method          string   `placeholder:"METHOD" help:"How to find the boundaries: ${methods} (default: the first)."`
	Threshold       *float64 `help:"Setting of the method: coarseness for semantic (default 1; higher means fewer chunks), otherwise a percentile or a factor (default: depends on the method)."`
	Count           Positive `help:"Number of chunks, instead of a threshold; for methods with a curve."`
	MinTokens       *int     `help:"Minimum length of a chunk, if the document is long enough (default: ${leastTokens} for semantic, none for others)."`
	MaxTokens       Positive `help:"Maximum length of a chunk (default: ${mostTokens} for semantic, ${size} for recursive and fixed, ${clusterSize} for cluster, none for others)."`
	Overlap         int      `help:"Maximum overlap with the chunk before: in units for fixed, in whole sentences for others (recursive: or words)."`
	Tokens          string   `placeholder:"UNIT" help:"Unit of lengths: model (the embedder's tokens; default), words, chars, cl100k or o200k (OpenAI's tokens), or tokenizer:FILE (a Hugging Face tokenizer.json)."`
	Headers         bool     `help:"Add a header to each chunk: the document's title and sections. Lengths and --max-tokens then include it."`
	View            string   `default:"auto" enum:"auto,reading,content" help:"Text of a PDF: reading or content; auto: content for notebook-* and fixed, otherwise reading."`
	PageJoin        *string  `help:"Text to put between pages of the content view, without trimming the pages (default: one space, ends trimmed)."`
	Password        string   `help:"Password of encrypted PDFs."`
	EmbedderOptions `group:"Vectors, and hosted models:"`
}

// Plan checks the options. Commands call it before they read a file.
func (o ChunkOptions) Plan() (pipeline.Plan, error) {
	s := pipeline.Settings{Method: o.Method, Embedder: o.Embedder, Setting: o.Threshold, Count: int(o.Count),
		MinTokens: o.MinTokens, MaxTokens: int(o.MaxTokens), Overlap: o.Overlap, Unit: o.Tokens, Headers: o.Headers, PageJoin: o.PageJoin}
	if o.View != "auto" {
		s.View = text.ViewName(o.View)
	}
	if names := pipeline.Methods(); o.Method != "" && !slices.ContainsFunc(names, func(m chunk.Method) bool { return m.Name == o.Method }) {
		if near := nearest(o.Method, names); near != "" {
			return pipeline.Plan{}, terminal.Usagef("unknown method %q: did you mean %s? Methods: %s", o.Method, near, MethodNames())
		}
	}
	if o.Threshold != nil && o.Count != 0 {
		return pipeline.Plan{}, terminal.Usagef("--threshold and --count both say where to cut: give one of them")
	}
	p, err := pipeline.NewPlan(s)
	if err != nil {
		return p, terminal.UsageError{Err: err}
	}
	return p, o.Check(p)
}

// Decisions returns the given flags that decide how to cut. If there are none, a document
// of a bundle is cut with the bundle's settings.
func (o ChunkOptions) Decisions() (flags []string) {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"--method", o.Method != ""}, {"--threshold", o.Threshold != nil}, {"--count", o.Count != 0}, {"--min-tokens", o.MinTokens != nil},
		{"--max-tokens", o.MaxTokens != 0}, {"--overlap", o.Overlap != 0}, {"--tokens", o.Tokens != ""}, {"--headers", o.Headers},
		{"--view", o.View != "" && o.View != "auto"}, {"--page-join", o.PageJoin != nil},
	} {
		if f.given {
			flags = append(flags, f.name)
		}
	}
	return flags
}

// MethodNames lists the methods for the help text.
func MethodNames() string {
	var names []string
	for _, m := range pipeline.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// Document is a file that was read and cut up.
type Document struct {
	*text.Document
	Result  *pipeline.Result
	Lasting string        // the document's lasting name; see files.Input
	Source  bundle.Source // the file it was read from
	Seam    string        // version of the program
	made    search.Made   // set if the document is going to be searched

	statements []bundle.Statement // from the document's bundle
	saved      string             // day on which its file was written, for searched documents; may be empty
}

// Cutter reads and cuts up files with the same settings.
type Cutter struct {
	Ctx      context.Context
	Std      terminal.IO
	Options  ChunkOptions
	Plan     pipeline.Plan
	Models   *Models
	searched bool         // the chunks are going to be searched
	dense    bool         // also by their vectors
	entry    string       // name of the cache entry for a file cut this way; empty: not cached
	Alone    bool         // only the chunks are printed
	Vectors  bool         // the vectors of the sentences are also needed
	Exported bool         // the vectors of the chunks are also needed
	Compares bool         // a dry run goes on if nothing would be sent to a hosted model
	Enriched []WrittenRow // generated statements about the documents, in addition to those in their bundles

	Then  func(i int) error            // called for each finished file, in the order of the files; may be nil
	Fails func(i int, err error) error // the same for each failed file
}

// Each reads files, several at once, and calls use to cut them up and print to the given
// IO; see files.Batch. If texts are sent to a hosted model, Each first reads all files and
// prints the cost.
func (c Cutter) Each(inputs []files.Input, use func(ctx context.Context, std terminal.IO, i int, s *Cutting) error) (failed, err error) {
	b := files.Batch{Ctx: c.Ctx, Std: c.Std, Inputs: inputs, Then: c.Then, Fails: c.Fails}
	if kind, _ := pipeline.EmbedderOf(c.Plan.Embedder); kind.Name == pipeline.Precomputed {
		b.AtOnce = 1 // rows belong to texts in the order in which they are requested
	}
	if !c.Plan.Hosted() && (c.Compares || !c.Options.DryRun) {
		return b.Run(func(ctx context.Context, std terminal.IO, i int) error {
			s, err := c.session(ctx, std, inputs[i])
			if err != nil {
				return err
			}
			return use(ctx, std, i, s)
		})
	}
	b.Then = nil
	open, failed, err := c.quoted(b)
	if err != nil {
		return failed, err
	}
	b.Inputs, b.AtOnce = nil, 1 // a hosted model already gets many texts per request
	var at []int
	for i, s := range open {
		if s != nil {
			b.Inputs, at = append(b.Inputs, inputs[i]), append(at, i)
		}
	}
	if c.Then != nil {
		b.Then = func(i int) error { return c.Then(at[i]) }
	}
	if c.Fails != nil {
		b.Fails = func(i int, err error) error { return c.Fails(at[i], err) }
	}
	again, err := b.Run(func(ctx context.Context, std terminal.IO, i int) error {
		s := open[at[i]]
		open[at[i]] = nil // release the document once it is printed
		return use(ctx, std, at[i], s)
	})
	return errors.Join(failed, again), err
}

// session opens a document to cut up.
func (c Cutter) session(ctx context.Context, std terminal.IO, in files.Input) (*Cutting, error) {
	if !c.searched {
		o, err := in.Open(ctx, std, c.Options.Password, c.Models.Cached)
		if err != nil {
			return nil, err
		}
		return c.Begin(o)
	}
	f := c.Models.Cached.File(in)
	if s := c.recall(std, in, f); s != nil {
		return s, nil
	}
	o, err := in.OpenAs(ctx, std, &files.Reading{Password: c.Options.Password, Cached: c.Models.Cached, File: f, Text: c.entry == ""})
	if err != nil {
		return nil, err
	}
	return c.Begin(o)
}

// quoted opens all files and prints what will be sent. A file that failed is nil in open.
func (c Cutter) quoted(b files.Batch) (open []*Cutting, failed, err error) {
	var mu sync.Mutex
	var price hosted.Quote
	open = make([]*Cutting, len(b.Inputs))
	failed, err = b.Run(func(ctx context.Context, std terminal.IO, i int) error {
		s, err := c.session(ctx, std, b.Inputs[i])
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if err := price.Add(ctx, s.Session, c.planOf(s), c.HooksOf(s)); err != nil {
			return err
		}
		open[i] = s
		return nil
	})
	if err != nil {
		return nil, failed, err
	}
	if c.Compares && price.Missing == 0 {
		return open, failed, nil
	}
	if price.Print(c.Std, c.Models.Proxy, c.Options.DryRun); c.Options.DryRun {
		return nil, failed, errors.Join(failed, terminal.ErrDry)
	}
	return open, failed, nil
}

// indexed cuts a document up and computes the data for a search, unless both are cached.
func (c Cutter) indexed(ctx context.Context, std terminal.IO, s *Cutting) (Document, error) {
	r, made, err := s.result, s.made, error(nil)
	known := r != nil
	if known {
		c.notice(std, s)
	} else if r, err = c.Cut(ctx, std, s, nil); err != nil {
		return Document{}, err
	}
	more := !known || made.Words == nil || c.dense && made.Vectors.Rows == 0 && len(r.Chunks) > 0 && r.Plan.Embedder != lexical.Name
	if more {
		meter := terminal.NewMeter(ctx, std, s.Document.Name)
		hooks := c.HooksOf(s)
		hooks.Progress = meter.Report
		made, err = search.Make(ctx, r, c.dense, hooks)
		meter.Clear()
		if err != nil {
			return Document{}, hosted.Named(s.Session, err)
		}
	}
	switch f := s.from.File; {
	case s.told:
		c.Models.Cached.PutText(f, s.from.Source, s.Document)
	case more:
		c.keep(s, r, made)
	}
	files.HoldMemory(s.Document)
	if kind, _ := pipeline.EmbedderOf(r.Plan.Embedder); !kind.Dear {
		r.Vectors = vector.Matrix{} // of sentences; a search uses the vectors of chunks
	}
	d := s.Cut(r)
	d.made, d.saved = made, s.from.Saved()
	if s.from.Item != nil {
		d.statements = s.from.Item.Statements
	}
	return d, nil
}

// notice prints a note if the embedder does not know the language of a document, or if auto
// chose another embedder for that reason.
func (c Cutter) notice(std terminal.IO, s *Cutting) {
	p := c.planOf(s)
	if !c.searched && !c.Vectors && !c.Exported && !p.Embeds() {
		return
	}
	switch u := s.Unknown(p); {
	case u == nil:
	case p.Embedder == pipeline.Auto:
		in := "in " + u.Language
		if u.Share < mostly {
			in = fmt.Sprintf("%.0f %% of it in %s", 100*u.Share, u.Language)
		}
		fmt.Fprintf(std.Err, "seam: %s: %s, which the built-in model does not know: using lexical, fitted to its own words\n", terminal.Shown(s.Document.Name), in)
	default:
		fmt.Fprintf(std.Err, "seam: %s: %.0f %% of it seems to be in %s, but the built-in model knows only English: try --embedder lexical\n",
			terminal.Shown(s.Document.Name), 100*u.Share, u.Language)
	}
}

// mostly is the share of a text above which a notice gives the language without a
// percentage.
const mostly = .8

// whole is the length of a text, in bytes, up to which it may well be one chunk: some 500
// tokens, which a model takes in at once. The page has the same.
const whole = 2000

// Cut cuts a document up. It calls made, if not nil, for each chunk as soon as it is ready.
// If no option sets the method's number and its default cuts nothing in a long text, Cut
// takes the nearest number that cuts, as the page does, and says so. Errors name the file.
func (c Cutter) Cut(ctx context.Context, std terminal.IO, s *Cutting, made func(Document, int) error) (*pipeline.Result, error) {
	begun := time.Now()
	c.notice(std, s)
	plan := c.planOf(s)
	eases := c.eases(s, plan)
	r, err := c.run(ctx, std, s, plan, made, !eases)
	if err != nil {
		return r, hosted.Named(s.Session, err)
	}
	found, err := c.remedyOf(ctx, s, r)
	switch name := terminal.Shown(s.Document.Name); {
	case err != nil || found == nil:
	case eases && found.Step != nil:
		fmt.Fprintf(std.Err, "seam: %s: %s; cut with --threshold %g instead, into %d chunks. With --threshold %g it stays whole\n", name, found.Why, found.Step.Setting, found.Step.Chunks, r.Found.Setting)
		plan.Criterion = chunk.Criterion{By: chunk.BySetting, Value: found.Step.Setting}
	case eases && found.Count > 0:
		fmt.Fprintf(std.Err, "seam: %s: %s; cut with --count %d instead, at the lowest similarities\n", name, found.Why, found.Count)
		plan.Criterion = chunk.Criterion{By: chunk.ByCount, Value: float64(found.Count)}
	case found.Step != nil:
		fmt.Fprintf(std.Err, "seam: %s: not cut: %s; --threshold %g gives %d chunks\n", name, found.Why, found.Step.Setting, found.Step.Chunks)
	case found.Count > 0:
		fmt.Fprintf(std.Err, "seam: %s: not cut: %s; --count %d cuts at the lowest similarities\n", name, found.Why, found.Count)
	default:
		fmt.Fprintf(std.Err, "seam: %s: not cut: %s\n", name, found.Why)
	}
	s.told = s.told || found != nil
	if err == nil {
		printCount(std, s.Document.Name, r)
		if std.Verbose {
			fmt.Fprintf(std.Err, "seam: %s: %s, %d bytes; %s: %s, %s, in %s\n", terminal.Shown(s.Document.Name), s.from.Source.Format, s.from.Source.Size,
				r.Plan, terminal.Count(len(r.Sentences), "sentence"), terminal.Count(len(r.Chunks), "chunk"), time.Since(begun).Round(100*time.Microsecond))
		}
	}
	switch {
	case err != nil || !eases:
	case plan.Criterion != (chunk.Criterion{}):
		r, err = c.run(ctx, std, s, plan, made, true)
	case made != nil:
		for i := 0; err == nil && i < len(r.Chunks); i++ {
			err = made(s.Cut(r), i)
		}
	}
	return r, hosted.Named(s.Session, err)
}

// run runs plan. It calls made for each chunk if now is set.
func (c Cutter) run(ctx context.Context, std terminal.IO, s *Cutting, plan pipeline.Plan, made func(Document, int) error, now bool) (*pipeline.Result, error) {
	meter := terminal.NewMeter(ctx, std, s.Document.Name)
	defer meter.Clear()
	hooks := c.HooksOf(s)
	hooks.Progress = meter.Report
	if made != nil && now {
		hooks.Made = func(r *pipeline.Result, i int) error { return made(s.Cut(r), i) }
	}
	return s.Run(ctx, plan, hooks)
}

// eases reports whether another number may replace the method's default for a document: the
// text is long, and no option says how to cut it.
func (c Cutter) eases(s *Cutting, plan pipeline.Plan) bool {
	m, err := chunk.Lookup(plan.Method)
	return err == nil && m.Curve != "" && m.Curve != breakpoint.Strength && plan.Criterion == (chunk.Criterion{}) &&
		len(s.Document.View(text.ViewName(plan.View)).Text) > whole
}

// remedyOf explains why nothing was cut, and which option would cut it. It is nil for methods
// with a strength curve, where a short text may well be one topic.
func (c Cutter) remedyOf(ctx context.Context, s *Cutting, r *pipeline.Result) (*pipeline.Remedy, error) {
	if r.Method.Curve == breakpoint.Strength {
		return nil, nil
	}
	return s.Remedy(ctx, r, c.HooksOf(s))
}

// Begin parses the options and finds the files, before any work of the engine.
func (o ChunkOptions) Begin(std terminal.IO, folders files.FolderOptions, root files.RootOption, names []string) (pipeline.Plan, []files.Input, error) {
	p, err := o.Plan()
	if err != nil {
		return p, nil, err
	}
	if p.Embedder == lexical.Name {
		return p, nil, terminal.UsageError{Err: ErrLexical}
	}
	inputs, err := root.InputsOf(std, folders, names)
	return p, inputs, err
}
