package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seam/shared/engine"
	"seam/shared/text"
)

// chunkOptions are the options of every command that cuts documents up.
type chunkOptions struct {
	Method    string   `default:"percentile" help:"How to find the boundaries: ${methods}."`
	Threshold *float64 `help:"The method's number: a percentile or a factor; default: the method's own."`
	Count     int      `help:"Exactly this many chunks, instead of a threshold."`
	MinTokens int      `help:"No chunk shorter than this, where the document is long enough."`
	MaxTokens int      `help:"No chunk longer than this; for fixed: the size (default ${fixedSize})."`
	Overlap   int      `help:"For fixed: how far a chunk reaches back into the one before."`
	Tokens    string   `default:"model" enum:"model,words,chars" help:"Unit of the lengths: model (the embedder's tokens), words or chars."`
	View      string   `default:"auto" enum:"auto,reading,content" help:"Which text of a PDF: reading or content; auto is content for notebook-* and fixed, else reading."`
	PageJoin  *string  `help:"Put this between the pages of the content view and strip nothing (default: one blank, both ends stripped)."`
	Embedder  string   `default:"lexical" enum:"lexical" help:"What makes the vectors: lexical compares words, offline."`
	Password  string   `help:"Password of encrypted PDFs."`
}

// settings checks the options before any file is read.
func (o chunkOptions) settings() (engine.Settings, error) {
	s := engine.Settings{Method: o.Method, Embedder: o.Embedder, Threshold: o.Threshold, Count: o.Count,
		MinTokens: o.MinTokens, MaxTokens: o.MaxTokens, Overlap: o.Overlap, Unit: o.Tokens, PageJoin: o.PageJoin}
	if o.View != "auto" {
		s.View = text.ViewName(o.View)
	}
	if err := s.Check(); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// methodNames lists the methods for the help text.
func methodNames() string {
	var names []string
	for _, m := range engine.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// document is a file that was read and cut up.
type document struct {
	*text.Document
	result *engine.Result
}

// chunkFile reads one file and cuts it up. Errors name the file.
func chunkFile(ctx context.Context, std IO, name string, o chunkOptions, s engine.Settings) (document, error) {
	doc, err := openDocument(ctx, std, name, o.Password)
	if err != nil {
		return document{}, err
	}
	meter := newMeter(ctx, std, name)
	r, err := engine.NewSession(doc).Chunk(ctx, s, engine.Hooks{Progress: meter.report})
	meter.clear()
	var bad *engine.SettingsError
	if errors.As(err, &bad) {
		return document{}, usageError{err}
	}
	if err != nil {
		return document{}, fmt.Errorf("%s: %w", name, err)
	}
	return document{doc, r}, nil
}

// chunkFiles reads and cuts up several files. With more than one, a file that
// cannot be read is reported and left out, so that it does not cost the work on
// the others; failed then says that the command has to end as failed.
func chunkFiles(ctx context.Context, std IO, names []string, o chunkOptions, s engine.Settings) (docs []document, failed error, err error) {
	for _, name := range names {
		d, err := chunkFile(ctx, std, name, o, s)
		var usage usageError
		switch {
		case err == nil:
			docs = append(docs, d)
		case len(names) == 1 || ctx.Err() != nil || errors.As(err, &usage):
			return nil, nil, err
		default:
			report(std, err)
			failed = errReported
		}
	}
	return docs, failed, nil
}
