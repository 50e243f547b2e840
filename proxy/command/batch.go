package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"seam/shared/protocol"
)

// batch is the same work on several files.
type batch struct {
	ctx    context.Context
	std    IO
	inputs []input
	atOnce int // 0: as many as there are processors

	then  func(i int) error            // called in the order of the files when the work on one is done; nil: nothing
	fails func(i int, err error) error // the same where one fails
}

// ahead is how many files may be done, and held, before the one whose turn it is.
const ahead = 2

// run does the work on each file, on several at once. What work writes to its IO comes
// out in the order of the files: that of the first directly, that of the others when
// their turn comes, so that the bytes are those of one after the other. Where there is
// more than one, a file that fails is reported and left out, so that it does not cost
// the work on the others; failed then says that the command has to end as failed. err
// is what ends the whole.
func (b batch) run(work func(ctx context.Context, std IO, i int) error) (failed, err error) {
	ctx, cancel := context.WithCancel(b.ctx)
	workers := b.atOnce
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	queue := make(chan *job, workers+ahead)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	defer close(queue)
	for range min(workers, len(b.inputs)) {
		running.Go(func() {
			for j := range queue {
				if j.err = b.inputs[j.i].err; j.err == nil {
					j.err = work(ctx, j.std(b.std), j.i)
				}
				close(j.done)
			}
		})
	}
	s := newScreen(b.std)
	var jobs []*job
	for i := range b.inputs {
		for next := len(jobs); next < len(b.inputs) && next < i+workers+ahead; next++ {
			j := newJob(next, len(b.inputs), s)
			jobs = append(jobs, j)
			queue <- j
		}
		j := jobs[i]
		jobs[i] = nil
		err := errors.Join(j.errs.take(b.std.Err), j.out.take(b.std.Out))
		<-j.done
		s.clear()
		err = errors.Join(err, j.err)
		if err == nil && b.then != nil {
			if err := b.then(i); err != nil {
				return failed, err
			}
		}
		if err == nil {
			continue
		}
		ended := b.ctx.Err() != nil || ends(err)
		if b.fails != nil && !ended {
			if err := b.fails(i, err); err != nil {
				return failed, err
			}
		}
		if len(b.inputs) == 1 || ended {
			return failed, err
		}
		report(b.std, err)
		failed = errReported
	}
	return failed, nil
}

// ends reports whether an error is none of one file.
func ends(err error) bool {
	var usage usageError
	var engine engineError
	var told *protocol.Error
	return errors.As(err, &usage) || errors.As(err, &engine) || errors.As(err, &told) && told.Code != protocol.TooLarge || errors.Is(err, syscall.EPIPE) || errors.Is(err, errOutput)
}

// errOutput says that what is written has nowhere to go.
var errOutput = errors.New("the results cannot be written")

// job is the work on one file.
type job struct {
	i         int
	out, errs turn
	done      chan struct{}
	err       error // when done
}

func newJob(i, of int, s *screen) *job {
	j := &job{i: i, done: make(chan struct{}), out: turn{screen: s}, errs: turn{screen: s}}
	if of > 1 {
		j.errs.label = fmt.Sprintf("file %d of %d, ", i+1, of)
	}
	return j
}

func (j *job) std(of IO) IO { return IO{In: of.In, Out: &j.out, Err: &j.errs} }

// turn holds what is written to it until its turn comes, and then writes it on.
type turn struct {
	screen *screen
	label  string // of progress

	most  int             // above so many bytes it waits for its turn; 0: it never does
	ctx   context.Context // of that wait
	begun chan struct{}   // closed at its turn; nil: it never waits

	mu   sync.Mutex
	held bytes.Buffer
	to   io.Writer // nil before its turn
}

// limit makes the turn wait where it would hold more than so many bytes.
func (t *turn) limit(ctx context.Context, most int) {
	t.ctx, t.most, t.begun = ctx, most, make(chan struct{})
}

// wait waits for the turn where there is no room before it.
func (t *turn) wait(n int) error {
	if t.begun == nil {
		return nil
	}
	t.mu.Lock()
	room := t.to != nil || t.held.Len()+n <= t.most
	t.mu.Unlock()
	if room {
		return nil
	}
	select {
	case <-t.begun:
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

func (t *turn) Write(b []byte) (int, error) {
	if err := t.wait(len(b)); err != nil {
		return 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to == nil {
		return t.held.Write(b)
	}
	t.screen.clear()
	n, err := t.to.Write(b)
	if err != nil {
		err = fmt.Errorf("%w: %w", errOutput, err)
	}
	return n, err
}

func (t *turn) take(to io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to = to
	if t.begun != nil {
		close(t.begun)
	}
	if t.held.Len() == 0 {
		return nil
	}
	t.screen.clear()
	_, err := to.Write(t.held.Bytes())
	t.held = bytes.Buffer{}
	if err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}

// show shows progress if it is its turn.
func (t *turn) show(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to != nil {
		t.screen.show(t.label + line)
	}
}

// clear leaves the line to what is written next: screen knows whether there is one.
func (t *turn) clear() {}

// screen is the line of progress that several jobs share.
type screen struct {
	mu    sync.Mutex
	out   *os.File // nil: no terminal
	from  time.Time
	shown bool
}

func newScreen(std IO) *screen { return &screen{out: terminal(std), from: time.Now().Add(quiet)} }

func (s *screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "\r\x1b[K%s", line)
	s.shown = true
}

func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.shown = false
	}
}
