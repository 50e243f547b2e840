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
	"sync"

	"seam/shared/pipeline"
	"seam/shared/read/pdf"
)

// filtered tells whether the one input is lines of JSON, each with a document: as --lines
// says, or, for stdin, as its first line shows, which then can be read again from the IO.
func (c chunkCommand) filtered(std IO) (bool, IO, error) {
	printed := slices.Contains([]string{"text", "jsonl"}, c.Format)
	if c.Lines == nil {
		if !printed || c.Manifest != "" || !slices.Equal(c.Files, []string{"-"}) {
			return false, std, nil
		}
		var before bytes.Buffer
		first, _ := newLineReader(io.TeeReader(std.In, &before)).line() // an error comes again where it is read
		std.In = io.MultiReader(&before, std.In)
		if _, err := parseLine(bytes.TrimPrefix(first, []byte("\ufeff"))); err != nil {
			return false, std, nil
		}
	}
	switch {
	case c.Lines != nil && !*c.Lines:
		return false, std, nil
	case len(c.Files) != 1:
		return false, std, usagef("--lines reads one file of lines, or - for stdin; here are %d", len(c.Files))
	case !printed:
		return false, std, usagef("--lines writes lines of JSON: leave out --format %s", c.Format)
	case c.Manifest != "":
		return false, std, usagef("--manifest is of files: lines that failed have their error among the chunks")
	case c.DryRun:
		return false, std, usagef("what is sent is not known before all lines are read: --dry-run goes with files")
	}
	return true, std, nil
}

// filter cuts up the documents of lines, several at once, and writes lines of chunks in the
// order of theirs.
type filter struct {
	cutter
	headed bool
	tried  int // lines
	failed int // of these have an error
}

// filterLines is Run for lines.
func (c chunkCommand) filterLines(ctx context.Context, std IO, b build, p pipeline.Plan) error {
	out, err := outputTo(c.Out, []input{{name: c.Files[0], rel: "lines"}}, ".jsonl")
	if err != nil {
		return err
	}
	if out.apart {
		return usagef("-o %s is a folder: the chunks of lines go into one file, or to stdout", shown(c.Out))
	}
	if name := c.Files[0]; name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", shown(name), reason(err))
		}
		defer f.Close()
		std.In = f
	}
	m, err := c.open(ctx, std, b, p)
	if err != nil {
		return retryHint(err)
	}
	defer m.close()
	f := filter{cutter: cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: p, models: m, alone: true}, headed: c.Headers}
	workers := runtime.GOMAXPROCS(0)
	if kind, _ := pipeline.EmbedderOf(p.Embedder); kind.Name == pipeline.Precomputed {
		workers = 1 // rows are of the first texts that ask for them
	} else if p.Hosted() {
		workers = 1 // it is asked for many texts at once as it is
		fmt.Fprintf(std.Err, "seam: the texts of all lines are sent to %s at %s; how many there will be is not known before\n", p.Embedder, m.proxy.host)
	}
	return retryHint(out.write(std, func(std IO) (failed, err error) {
		if err := f.run(std, workers); err != nil {
			return nil, err
		}
		if f.failed > 0 {
			fmt.Fprintf(std.Err, "seam: %d of %s have an error in the place of their chunks\n", f.failed, count(f.tried, "line"))
		}
		return nil, nil
	}))
}

// lineJob is the work on a line.
type lineJob struct {
	*job
	n    int // of the line
	line []byte
	bad  error // it could not be read as a line
}

// run reads, works and writes at once. No more lines are held than are in work, and ahead
// of the one whose turn it is; so many bytes of their chunks as a turn takes.
func (f *filter) run(std IO, workers int) error {
	ctx, cancel := context.WithCancel(f.ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	jobs, order, ended := make(chan *lineJob), make(chan *lineJob, workers+ahead), make(chan error, 1)
	go func() { ended <- readLines(ctx, std, jobs, order) }() // it may wait for a line when all else has ended
	for range workers {
		running.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case j := <-jobs:
					j.err = f.work(ctx, j.std(std), j)
					close(j.done)
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

// mostHeld is how many bytes of the chunks of a line are held before their turn.
const mostHeld = 8 << 20

// readLines makes the jobs of lines, until there are no more.
func readLines(ctx context.Context, std IO, jobs, order chan<- *lineJob) error {
	in, s := newLineReader(std.In), newScreen(std)
	for {
		line, err := in.next()
		if err != nil && !errors.Is(err, errLongLine) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		j := &lineJob{job: newJob(0, 1, s), n: in.n, line: line, bad: err}
		j.errs.label = fmt.Sprintf("line %d, ", in.n)
		j.out.limit(ctx, mostHeld)
		for _, to := range []chan<- *lineJob{order, jobs} {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case to <- j:
			}
		}
	}
}

// finish writes what is made of a line, whose turn it is.
func (f *filter) finish(ctx context.Context, std IO, j *lineJob) error {
	err := errors.Join(j.errs.take(std.Err), j.out.take(std.Out))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-j.done:
	}
	j.errs.screen.clear()
	f.tried++
	var failed *lineFailed
	if errors.As(j.err, &failed) {
		f.failed++
		return err
	}
	return errors.Join(err, j.err)
}

// lineFailed is an error that was written in the place of chunks.
type lineFailed struct{ error }

// work writes the chunks of a line, or its error.
func (f *filter) work(ctx context.Context, std IO, j *lineJob) error {
	line, err := docLine{}, j.bad
	if err == nil {
		line, err = parseLine(j.line)
		j.line = nil
	}
	if err == nil {
		err = f.chunks(ctx, std, line)
	}
	if err == nil || ctx.Err() != nil || ends(err) {
		return err
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

// errNoText is that of a document without chunks, so that every line has an answer.
var errNoText = errors.New("there is no text in this document")

func (f *filter) chunks(ctx context.Context, std IO, line docLine) error {
	if err := line.check(); err != nil {
		return err
	}
	in := input{name: line.path}
	var o opened
	var err error
	if line.text == nil {
		o, err = in.open(ctx, std, f.options.Password, f.models.kept)
	} else {
		in.name = cmp.Or(line.name, "-") // which is no title for headers
		o, err = in.openAs(ctx, std, &reading{password: f.options.Password, file: keptFile{b: line.text}})
	}
	if err != nil {
		return err
	}
	s, err := f.begin(o)
	if err != nil {
		return err
	}
	p := linePrinter{line: line, headed: f.headed, out: lines{w: std.Out}}
	_, err = f.cut(ctx, std, s, p.chunk)
	if err == nil && p.n == 0 {
		if o.source.Format == pdf.Name {
			return fmt.Errorf("%s: %w; if it is a scan, run it through text recognition (OCR) first", shown(in.name), errNoText)
		}
		return fmt.Errorf("%s: %w", shown(in.name), errNoText)
	}
	return errors.Join(err, p.out.flush())
}
