package command

import (
	"context"
	"fmt"
	"io"
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
	out   io.Writer // nil: show nothing
	name  string
	next  time.Time
	shown bool
}

func newMeter(ctx context.Context, std IO, name string) *meter {
	m := &meter{ctx: ctx, name: name, next: time.Now().Add(quiet)}
	if f, ok := std.Err.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			m.out = f
		}
	}
	return m
}

// report is a progress hook; its error says that the user has stopped.
func (m *meter) report(stage string, done, total int) error {
	if m.out != nil && total > 1 {
		if now := time.Now(); now.After(m.next) {
			m.next, m.shown = now.Add(redraw), true
			fmt.Fprintf(m.out, "\r\x1b[K%s: %s %d of %d (Ctrl-C stops)", m.name, stage, done, total)
		}
	}
	return m.ctx.Err()
}

// clear takes the line away again.
func (m *meter) clear() {
	if m.shown {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}
