package files

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	"seam/proxy/command/terminal"
	"seam/shared/protocol"
)

// Batch is the same work on several files.
type Batch struct {
	Ctx    context.Context
	Std    terminal.IO
	Inputs []Input
	AtOnce int // 0: as many as there are processors

	Then  func(i int) error            // called for each finished file, in the order of the files; may be nil
	Fails func(i int, err error) error // the same for each failed file
}

// MaxAhead is the number of finished files that may wait for an earlier one.
const MaxAhead = 2

// Run does the work on each file, several at a time. Output appears in the order of the
// files, byte for byte as if they ran one after the other. The first file writes directly;
// the output of the others waits for their turn. If there are several files, one that fails
// is reported and left out, and the others go on. failed then makes the command exit with
// an error. err is an error that ends the whole work.
func (b Batch) Run(work func(ctx context.Context, std terminal.IO, i int) error) (failed, err error) {
	ctx, cancel := context.WithCancel(b.Ctx)
	workers := b.AtOnce
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	queue := make(chan *Job, workers+MaxAhead)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	defer close(queue)
	for range min(workers, len(b.Inputs)) {
		running.Go(func() {
			for j := range queue {
				if j.Err = b.Inputs[j.i].Err; j.Err == nil {
					j.Err = work(ctx, j.Std(b.Std), j.i)
				}
				close(j.Done)
			}
		})
	}
	s := terminal.NewScreen(b.Std)
	var jobs []*Job
	for i := range b.Inputs {
		for next := len(jobs); next < len(b.Inputs) && next < i+workers+MaxAhead; next++ {
			j := NewJob(next, len(b.Inputs), s)
			jobs = append(jobs, j)
			queue <- j
		}
		j := jobs[i]
		jobs[i] = nil
		err := errors.Join(j.Errs.Take(b.Std.Err), j.Out.Take(b.Std.Out))
		<-j.Done
		s.Clear()
		err = errors.Join(err, j.Err)
		if err == nil && b.Then != nil {
			if err := b.Then(i); err != nil {
				return failed, err
			}
		}
		if err == nil {
			continue
		}
		ended := b.Ctx.Err() != nil || Ends(err)
		if b.Fails != nil && !ended {
			if err := b.Fails(i, err); err != nil {
				return failed, err
			}
		}
		if len(b.Inputs) == 1 || ended {
			return failed, err
		}
		terminal.Report(b.Std, err)
		failed = terminal.ErrReported
	}
	return failed, nil
}

// Ends reports whether an error affects the whole work and not only one file.
func Ends(err error) bool {
	var usage terminal.UsageError
	var engine terminal.EngineError
	var told *protocol.Error
	return errors.As(err, &usage) || errors.As(err, &engine) || errors.As(err, &told) && told.Code != protocol.TooLarge || errors.Is(err, syscall.EPIPE) || errors.Is(err, terminal.ErrOutput)
}

// Job is the work on one file.
type Job struct {
	i         int
	Out, Errs terminal.Turn
	Done      chan struct{}
	Err       error // set when Done is closed
}

// NewJob returns the job of file i of so many. Its progress is shown on s.
func NewJob(i, of int, s *terminal.Screen) *Job {
	j := &Job{i: i, Done: make(chan struct{}), Out: terminal.Turn{Screen: s}, Errs: terminal.Turn{Screen: s}}
	if of > 1 {
		j.Errs.Label = fmt.Sprintf("file %d of %d, ", i+1, of)
	}
	return j
}

// Std returns the streams of the job, which write when it is the job's turn.
func (j *Job) Std(of terminal.IO) terminal.IO {
	return of.To(&j.Out, &j.Errs)
}
