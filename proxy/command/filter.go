package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/export"
	"seam/shared/pipeline"
	"seam/shared/read/pdf"
)

// filtered reports whether the single input is lines of JSON, each with a document. That is
// set by --lines, or, for stdin, detected by its first line. The returned IO still has that
// line.
func (c chunkCommand) filtered(std terminal.IO) (bool, terminal.IO, error) {
	printed := slices.Contains([]string{"text", "jsonl"}, c.Format)
	if c.Lines == nil {
		if !printed || c.Manifest != "" || !slices.Equal(c.Files, []string{"-"}) {
			return false, std, nil
		}
		var before bytes.Buffer
		first, _ := newLineReader(io.TeeReader(std.In, &before)).line() // an error occurs again when the rest is read
		std.In = io.MultiReader(&before, std.In)
		if _, err := parseLine(bytes.TrimPrefix(first, []byte("\ufeff"))); err != nil {
			return false, std, nil
		}
	}
	switch {
	case c.Lines != nil && !*c.Lines:
		return false, std, nil
	case len(c.Files) != 1:
		return false, std, terminal.Usagef("--lines takes one file of lines, or - for stdin; got %d", len(c.Files))
	case !printed && !slices.Contains(lineFormats, c.Format):
		return false, std, terminal.Usagef("--lines does not work with --format %s: use jsonl, %s", c.Format, strings.Join(lineFormats, ", "))
	case std.Name != "":
		return false, std, terminal.Usagef(`--name does not work with --lines: give each line its own "name"`)
	case c.Manifest != "":
		return false, std, terminal.Usagef("--manifest does not work with --lines: failed lines carry their error in the output")
	case c.SettingsFile != "":
		return false, std, terminal.Usagef("--settings-file does not work with --lines: the documents are not files")
	case c.DryRun:
		return false, std, terminal.Usagef("--dry-run does not work with --lines: the amount is known only after reading all lines")
	}
	return true, std, nil
}

// lineFormats are the formats of --lines beside jsonl. Each line in them is whole.
var lineFormats = []string{"langchain", "qdrant", "chroma", "opensearch", "llamaindex", "lancedb", "weaviate", "pinecone"}

// filter cuts the documents of lines, several at a time, and writes their chunks in the
// order of the lines.
type filter struct {
	cut.Cutter
	offsets export.Unit
	form    *cut.Printer // of lineFormats; nil for jsonl
	tried   int          // number of lines
	failed  int          // lines with an error
}

// filterLines implements Run for lines.
func (c chunkCommand) filterLines(ctx context.Context, std terminal.IO, b terminal.Build, p pipeline.Plan) error {
	out, err := files.OutputTo(c.Out, []files.Input{{Name: c.Files[0], Rel: "lines"}}, ".jsonl")
	if err != nil {
		return err
	}
	if out.Apart {
		return terminal.Usagef("-o %s is a folder: --lines writes to one file, or to stdout", terminal.Shown(c.Out))
	}
	if name := c.Files[0]; name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", terminal.Shown(name), terminal.Reason(err))
		}
		defer f.Close()
		std.In = f
	}
	m, err := c.Open(ctx, std, b, p)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer m.Close()
	f := filter{Cutter: cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: p, Models: m, Alone: true, Exported: cut.Exports(c.Format)}, offsets: c.Offsets}
	if slices.Contains(lineFormats, c.Format) {
		f.form = &cut.Printer{Format: c.Format, Offsets: c.Offsets, Headed: c.Headers}
	}
	workers := runtime.GOMAXPROCS(0)
	if kind, _ := pipeline.EmbedderOf(p.Embedder); kind.Name == pipeline.Precomputed {
		workers = 1 // rows go to the texts in the order they ask
	} else if p.Hosted() {
		workers = 1 // each request already has many texts
		fmt.Fprintf(std.Err, "seam: sending the texts of all lines to %s at %s; their number is not known in advance\n", p.Embedder, m.Proxy.Host)
	}
	return hosted.RetryHint(out.Write(std, func(std terminal.IO) (failed, err error) {
		if err := f.run(std, workers); err != nil {
			return nil, err
		}
		if f.failed > 0 {
			have := "have"
			if f.tried == 1 {
				have = "has"
			}
			fmt.Fprintf(std.Err, "seam: %d of %s %s an error instead of chunks\n", f.failed, terminal.Count(f.tried, "line"), have)
			if f.form != nil {
				return terminal.ErrReported, nil
			}
		}
		return nil, nil
	}))
}

// lineJob is the work on a line.
type lineJob struct {
	*files.Job
	n    int // line number
	line []byte
	bad  error // the line could not be read
}

// run reads, cuts and writes concurrently. It holds the lines in progress and a few ahead
// of the next one to write. The chunks held per line are limited, see mostHeld.
func (f *filter) run(std terminal.IO, workers int) error {
	ctx, cancel := context.WithCancel(f.Ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	jobs, order, ended := make(chan *lineJob), make(chan *lineJob, workers+files.MaxAhead), make(chan error, 1)
	go func() { ended <- readLines(ctx, std, jobs, order) }() // may still wait for a line after everything else has ended
	for range workers {
		running.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case j := <-jobs:
					j.Err = f.work(ctx, j.Std(std), j)
					close(j.Done)
				}
			}
		})
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			for len(order) > 0 {
				if failed := f.finish(ctx, std, <-order); failed != nil {
					return failed
				}
			}
			return err
		case j := <-order:
			if err := f.finish(ctx, std, j); err != nil {
				return err
			}
		}
	}
}

// mostHeld is how many bytes of chunks are held for a line before its turn.
const mostHeld = 8 << 20

// readLines sends a job for each line until the input ends.
func readLines(ctx context.Context, std terminal.IO, jobs, order chan<- *lineJob) error {
	in, s := newLineReader(std.In), terminal.NewScreen(std)
	for {
		line, err := in.next()
		if err != nil && !errors.Is(err, errLongLine) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		j := &lineJob{Job: files.NewJob(0, 1, s), n: in.n, line: line, bad: err}
		j.Errs.Label = fmt.Sprintf("line %d, ", in.n)
		j.Out.Limit(ctx, mostHeld)
		for _, to := range []chan<- *lineJob{order, jobs} {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case to <- j:
			}
		}
	}
}

// finish writes the output of the next line.
func (f *filter) finish(ctx context.Context, std terminal.IO, j *lineJob) error {
	err := errors.Join(j.Errs.Take(std.Err), j.Out.Take(std.Out))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-j.Done:
	}
	j.Errs.Screen.Clear()
	f.tried++
	var failed *lineFailed
	if errors.As(j.Err, &failed) {
		f.failed++
		return err
	}
	return errors.Join(err, j.Err)
}

// lineFailed is an error that was written in place of a line's chunks.
type lineFailed struct{ error }

// work writes the chunks of a line, or its error.
func (f *filter) work(ctx context.Context, std terminal.IO, j *lineJob) error {
	line, err := docLine{}, j.bad
	if err == nil {
		line, err = parseLine(j.line)
		j.line = nil
	}
	if err == nil {
		err = f.chunks(ctx, std, line)
	}
	if err == nil || ctx.Err() != nil || files.Ends(err) {
		return err
	}
	if f.form != nil { // a loader takes every line for a chunk
		terminal.Report(std, fmt.Errorf("line %d: %w", j.n, err))
		return &lineFailed{err}
	}
	b, failed := lineError(line.id, j.n, err)
	if failed == nil {
		_, failed = std.Out.Write(b)
	}
	if failed != nil {
		return failed
	}
	return &lineFailed{err}
}

// errNoText is the error of a document without chunks. It gives every line at least one
// line of output.
var errNoText = errors.New("no text in this document")

func (f *filter) chunks(ctx context.Context, std terminal.IO, line docLine) error {
	if err := line.check(); err != nil {
		return err
	}
	in := files.Input{Name: line.path, Document: files.Lasting(line.path)}
	if f.form != nil {
		in.Document = line.idText()
	}
	var o files.Opened
	var err error
	if line.text == nil {
		o, err = in.Open(ctx, std, f.Options.Password, f.Models.Cached)
	} else {
		in.Name = cmp.Or(line.name, "-") // "-" is not used as a title in headers
		if line.name == "" && std.As == "" && files.Formats.Recognise("", line.text).Name == "text" {
			std.As = "text" // as it is, unlike a file
		}
		o, err = in.OpenAs(ctx, std, &files.Reading{Password: f.Options.Password, File: files.CachedFile{B: line.text}})
	}
	if err != nil {
		return err
	}
	s, err := f.Begin(o)
	if err != nil {
		return err
	}
	if f.form != nil {
		return f.export(ctx, std, s)
	}
	p := linePrinter{line: line, offsets: f.offsets, out: cut.Lines{W: std.Out}}
	_, err = f.Cut(ctx, std, s, p.chunk)
	if err == nil && p.of == nil {
		if o.Source.Format == pdf.Name {
			return fmt.Errorf("%s: %w; if it is a scan, run text recognition (OCR) on it first", terminal.Shown(in.Name), errNoText)
		}
		return fmt.Errorf("%s: %w", terminal.Shown(in.Name), errNoText)
	}
	if err != nil {
		return errors.Join(err, p.out.Flush())
	}
	return p.done()
}

// export writes the chunks of a document in the format.
func (f *filter) export(ctx context.Context, std terminal.IO, s *cut.Cutting) error {
	p := cut.DocPrinter{Printer: *f.form, Out: cut.Lines{W: std.Out}}
	r, err := f.Cut(ctx, std, s, p.Chunk)
	switch {
	case err != nil:
		return errors.Join(err, p.Stop())
	case len(r.Chunks) == 0:
		return fmt.Errorf("%s: %w", terminal.Shown(s.Document.Name), errNoText)
	case !f.Exported:
		_, err = p.End(s.Cut(r))
		return err
	}
	vectors, err := f.ChunkVectors(ctx, s, r)
	if err != nil {
		return err
	}
	err = p.Export(s.Cut(r), vectors)
	if p.Left > 0 {
		fmt.Fprintf(std.Err, "seam: %s: left out %s without a vector, which %s cannot hold\n", terminal.Shown(s.Document.Name), terminal.Count(p.Left, "chunk"), p.Format)
	}
	return err
}
