package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/text"
)

// chunkOptions are the options of every command that cuts documents up.
type chunkOptions struct {
	Method    string   `default:"semantic" help:"How to find the boundaries: ${methods}."`
	Threshold *float64 `help:"The method's number: for semantic the coarseness (1; more of it makes fewer chunks), else a percentile or a factor; default: the method's own."`
	Count     int      `help:"Exactly this many chunks, instead of a threshold; for methods with a curve."`
	MinTokens *int     `help:"No chunk shorter than this, where the document is long enough (default: ${leastTokens} for semantic, else none)."`
	MaxTokens int      `help:"No chunk longer than this. By default ${mostTokens} for semantic, ${size} for recursive and fixed, ${clusterSize} for cluster, else unbounded."`
	Overlap   int      `help:"How far at most a chunk reaches back into the one before: by as many units for fixed, by whole sentences (recursive: or words) for the others."`
	Tokens    string   `default:"model" help:"Unit of the lengths: model (the embedder's tokens), words, chars, cl100k or o200k (OpenAI's tokens), or tokenizer:FILE (a Hugging Face tokenizer.json)."`
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
	p, err := pipeline.NewPlan(s)
	if err != nil {
		return p, usageError{err}
	}
	return p, o.check(p)
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
}

// cutter reads and cuts up files with the same settings.
type cutter struct {
	ctx      context.Context
	std      IO
	options  chunkOptions
	plan     pipeline.Plan
	models   *models
	searched bool // the chunks are going to be searched
	alone    bool // nothing but the chunks is printed
}

// files reads and cuts up several files. With more than one, a file that cannot
// be read is reported and left out, so that it does not cost the work on the
// others; failed then says that the command has to end as failed. Nothing is sent
// before all are read, and it was said what that will cost.
func (c cutter) files(names []string) (docs []document, failed error, err error) {
	pass := func(err error) error {
		var usage usageError
		var told *protocol.Error
		sent := errors.As(err, &told) && told.Code != protocol.TooLarge // what is wrong is not this file
		if len(names) == 1 || c.ctx.Err() != nil || errors.As(err, &usage) || sent {
			return err
		}
		report(c.std, err)
		failed = errReported
		return nil
	}
	hooks := c.models.hooks()
	hooks.ChunksAlone = c.alone
	var open []*pipeline.Session
	var price quote
	for _, name := range names {
		doc, err := openDocument(c.ctx, c.std, name, c.options.Password)
		var s *pipeline.Session
		if err == nil {
			s = pipeline.NewSession(doc)
			err = price.add(c.ctx, s, c.plan, hooks)
		}
		if err == nil {
			open = append(open, s)
		} else if err = pass(err); err != nil {
			return nil, nil, err
		}
	}
	if price.print(c.std, c.models.proxy, c.options.DryRun); c.options.DryRun {
		return nil, nil, errDry
	}
	for _, s := range open {
		c.notice(s)
		r, err := c.cut(s, hooks)
		if err == nil {
			docs = append(docs, document{s.Document, r})
		} else if err = pass(err); err != nil {
			return nil, nil, err
		}
	}
	return docs, failed, nil
}

// notice says when the embedder does not know the language of a document.
func (c cutter) notice(s *pipeline.Session) {
	if !c.searched && !c.plan.Embeds() {
		return
	}
	if u := s.Unknown(c.plan); u != nil {
		fmt.Fprintf(c.std.Err, "seam: %s: %.0f %% of it seems to be in %s, and the built-in model knows English alone: --embedder lexical goes by the document's own words\n",
			s.Document.Name, 100*u.Share, u.Language)
	}
}

// cut cuts one document up. Errors name its file.
func (c cutter) cut(s *pipeline.Session, hooks pipeline.Hooks) (*pipeline.Result, error) {
	meter := newMeter(c.ctx, c.std, s.Document.Name)
	hooks.Progress = meter.report
	r, err := s.Run(c.ctx, c.plan, hooks)
	meter.clear()
	return r, named(s, err)
}

// named puts the name of a file before an error.
func named(s *pipeline.Session, err error) error {
	var bad *pipeline.SettingsError
	switch {
	case errors.As(err, &bad):
		return usageError{err}
	case err != nil:
		return fmt.Errorf("%s: %w", s.Document.Name, err)
	}
	return nil
}
