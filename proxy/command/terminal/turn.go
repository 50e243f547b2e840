package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// ErrOutput means that cannot write the results.
var ErrOutput = errors.New("cannot write the results")

// Turn buffers output until its turn comes, and then passes it on.
type Turn struct {
	Screen *Screen
	Label  string // of the progress line

	most  int             // size in bytes above which Write waits for the turn; 0: it never waits
	ctx   context.Context // ends the wait
	begun chan struct{}   // closed when the turn comes; nil: Write never waits

	mu       sync.Mutex
	Buffered bytes.Buffer
	to       io.Writer // nil before its turn
}

// Limit makes Write wait for the turn once it would buffer more than most bytes.
func (t *Turn) Limit(ctx context.Context, most int) {
	t.ctx, t.most, t.begun = ctx, most, make(chan struct{})
}

// wait waits for the turn if the buffer has no room for n bytes.
func (t *Turn) wait(n int) error {
	if t.begun == nil {
		return nil
	}
	t.mu.Lock()
	room := t.to != nil || t.Buffered.Len()+n <= t.most
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

// Write writes b if it is the job's turn. Before that it buffers b, or waits if the buffer
// is full.
func (t *Turn) Write(b []byte) (int, error) {
	if err := t.wait(len(b)); err != nil {
		return 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to == nil {
		return t.Buffered.Write(b)
	}
	t.Screen.Clear()
	n, err := t.to.Write(b)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return n, err
}

// Take gives the job its turn: it writes the buffered output to to, and all later output.
func (t *Turn) Take(to io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to = to
	if t.begun != nil {
		close(t.begun)
	}
	if t.Buffered.Len() == 0 {
		return nil
	}
	t.Screen.Clear()
	_, err := to.Write(t.Buffered.Bytes())
	t.Buffered = bytes.Buffer{}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return nil
}

// show shows progress if it is the job's turn.
func (t *Turn) show(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to != nil {
		t.Screen.show(t.Label + line)
	}
}

// Clear does nothing: the screen removes the line when the next output is written.
func (t *Turn) Clear() {}

// Screen is the progress line that several jobs share.
type Screen struct {
	mu    sync.Mutex
	out   *os.File // nil: no terminal
	from  time.Time
	shown bool
}

// NewScreen returns the progress line of std. It shows nothing without a terminal.
func NewScreen(std IO) *Screen { return &Screen{out: terminal(std), from: time.Now().Add(quiet)} }

func (s *Screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "\r\x1b[K%s", line)
	s.shown = true
}

// Clear removes the line to make room for other output.
func (s *Screen) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.shown = false
	}
}
