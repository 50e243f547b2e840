package command

import (
	"context"
	"fmt"
	"os"
	"time"
)

// quiet is how long work may take before it shows progress, and how often the
// line is drawn again.
const quiet, redraw = time.Second, 200 * time.Millisecond

// meter shows on a terminal how far long work is. Where stderr is no terminal
// it shows nothing.
type meter struct {
	ctx   context.Context
	on    progressLine // nil: show nothing
	name  string
	next  time.Time
	shown bool
}

// progressLine is a line of a terminal.
type progressLine interface {
	show(line string)
	clear()
}

func newMeter(ctx context.Context, std IO, name string) *meter {
	m := &meter{ctx: ctx, name: shown(name), next: time.Now().Add(quiet)}
	switch t, ok := std.Err.(*turn); {
	case ok && t.screen.out != nil:
		m.on, m.next = t, t.screen.from
	case !ok && terminal(std) != nil:
		m.on = newScreen(std)
	}
	return m
}

// terminal is stderr if it is one, else nil.
func terminal(std IO) *os.File {
	if f, ok := std.Err.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return f
		}
	}
	return nil
}

// report is a progress hook; its error says that the user has stopped.
func (m *meter) report(stage string, done, total int) error {
	if m.on != nil && total > 1 {
		if now := time.Now(); now.After(m.next) {
			m.next, m.shown = now.Add(redraw), true
			m.on.show(fmt.Sprintf("%s: %s %d of %d (Ctrl-C stops)", m.name, stage, done, total))
		}
	}
	return m.ctx.Err()
}

// clear takes the line away again.
func (m *meter) clear() {
	if m.shown {
		m.on.clear()
	}
}
