package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// quiet is how long work runs before it shows progress; redraw is the time between updates.
const quiet, redraw = time.Second, 200 * time.Millisecond

// Meter shows the progress of long work if stderr is a terminal. Otherwise it shows
// nothing.
type Meter struct {
	ctx   context.Context
	on    progressLine // nil: show nothing
	name  string
	next  time.Time
	shown bool
}

// progressLine is a line of a terminal.
type progressLine interface {
	show(line string)
	Clear()
}

// NewMeter returns a meter for the named work. It shows nothing without a terminal.
func NewMeter(ctx context.Context, std IO, name string) *Meter {
	m := &Meter{ctx: ctx, name: Shown(name), next: time.Now().Add(quiet)}
	switch t, ok := std.Err.(*Turn); {
	case ok && t.Screen.out != nil:
		m.on, m.next = t, t.Screen.from
	case !ok && terminal(std) != nil:
		m.on = NewScreen(std)
	}
	return m
}

// terminal returns stderr if it is a terminal that can redraw a line, else nil.
func terminal(std IO) *os.File {
	if os.Getenv("TERM") == "dumb" {
		return nil
	}
	return screen(std.Err)
}

// OutIsTerminal reports whether stdout is a terminal.
func OutIsTerminal(std IO) bool {
	out := std.Out
	if s, ok := out.(*Stdout); ok {
		out = s.Writer
	}
	return screen(out) != nil
}

// screen returns w if it is a terminal, else nil.
func screen(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		return f
	}
	return nil
}

// Report is a progress callback. It returns an error if the user has stopped the command.
func (m *Meter) Report(stage string, done, total int) error {
	if m.on != nil && total > 1 {
		if now := time.Now(); now.After(m.next) {
			m.next, m.shown = now.Add(redraw), true
			m.on.show(fmt.Sprintf("%s: %s %d of %d (Ctrl-C stops)", m.name, stage, done, total))
		}
	}
	return m.ctx.Err()
}

// Clear removes the progress line.
func (m *Meter) Clear() {
	if m.shown {
		m.on.Clear()
	}
}

// Waiting shows a text with the seconds since the call, if stderr is a terminal, until stop is
// called for the first time.
func Waiting(std IO, text string) (stop func()) {
	return NewMeter(context.Background(), std, text).wait()
}

func (m *Meter) wait() (stop func()) {
	if m.on == nil {
		return func() {}
	}
	began, tick, over := time.Now(), time.NewTicker(time.Second), make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		for {
			select {
			case <-tick.C:
				m.shown = true
				m.on.show(fmt.Sprintf("%s %d s (Ctrl-C stops)", m.name, int(time.Since(began).Seconds())))
			case <-over:
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		tick.Stop()
		close(over)
		shown.Wait()
		m.Clear()
	})
}
