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

// ErrOutput says that what is written has nowhere to go.
var ErrOutput = errors.New("the results cannot be written")

// Turn holds what is written to it until its turn comes, and then writes it on.
type Turn struct {
	Screen *Screen
	Label  string // of progress

	most  int             // above so many bytes it waits for its turn; 0: it never does
	ctx   context.Context // of that wait
	begun chan struct{}   // closed at its turn; nil: it never waits

	mu   sync.Mutex
	Held bytes.Buffer
	to   io.Writer // nil before its turn
}

// Limit makes the turn wait where it would hold more than so many bytes.
func (t *Turn) Limit(ctx context.Context, most int) {
	t.ctx, t.most, t.begun = ctx, most, make(chan struct{})
}

// wait waits for the turn where there is no room before it.
func (t *Turn) wait(n int) error {
	if t.begun == nil {
		return nil
	}
	t.mu.Lock()
	room := t.to != nil || t.Held.Len()+n <= t.most
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

// Write writes b when it is the turn of the job; until then it is held, and then waits.
func (t *Turn) Write(b []byte) (int, error) {
	if err := t.wait(len(b)); err != nil {
		return 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to == nil {
		return t.Held.Write(b)
	}
	t.Screen.Clear()
	n, err := t.to.Write(b)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return n, err
}

// Take lets the job write to to from now on, beginning with what it has held back.
func (t *Turn) Take(to io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to = to
	if t.begun != nil {
		close(t.begun)
	}
	if t.Held.Len() == 0 {
		return nil
	}
	t.Screen.Clear()
	_, err := to.Write(t.Held.Bytes())
	t.Held = bytes.Buffer{}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return nil
}

// show shows progress if it is its turn.
func (t *Turn) show(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to != nil {
		t.Screen.show(t.Label + line)
	}
}

// Clear leaves the line to what is written next: screen knows whether there is one.
func (t *Turn) Clear() {}

// Screen is the line of progress that several jobs share.
type Screen struct {
	mu    sync.Mutex
	out   *os.File // nil: no terminal
	from  time.Time
	shown bool
}

// NewScreen returns the line of progress of std, which shows nothing without a terminal.
func NewScreen(std IO) *Screen { return &Screen{out: terminal(std), from: time.Now().Add(quiet)} }

func (s *Screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "\r\x1b[K%s", line)
	s.shown = true
}

// Clear removes the line, so that something else can be written.
func (s *Screen) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.shown = false
	}
}
