package upstream

import (
	"bytes"
	"context"
	"io"
	"time"
)

const (
	eventStream = "text/event-stream"
	streamDone  = "data: [DONE]"
)

// guard is the body of a response. It ends the request if the provider is silent for too
// long or sends too many bytes. Time counts only during a read, so a slow client does not
// count as silence of the provider.
type guard struct {
	body    io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	firstBy time.Time
	idle    time.Duration
	late    time.Duration
	timer   *time.Timer

	limit, lineLimit int // lineLimit is 0 if there are no lines
	read, line       int
	head             []byte // start of the line, as long as streamDone may be
	done             bool   // streamDone was a line
}

// arm starts the timer for the next bytes.
func (g *guard) arm() {
	if g.read > 0 {
		g.timer = time.AfterFunc(g.idle, func() { g.cancel(errIdle) })
		return
	}
	g.timer = time.AfterFunc(time.Until(g.firstBy), func() { g.cancel(errFirstByte) })
}

func (g *guard) disarm() { g.timer.Stop() }

// Read returns an *Error for any end of the response except the regular one.
func (g *guard) Read(p []byte) (int, error) {
	g.arm()
	n, err := g.body.Read(p)
	g.disarm()
	g.read += n
	if g.read > g.limit {
		return 0, badResponse("more than %d bytes", g.limit)
	}
	if g.lineLimit > 0 && !g.lines(p[:n]) {
		return 0, badResponse("a line of more than %d bytes", g.lineLimit)
	}
	if err != nil && err != io.EOF {
		err = broken(g.ctx, err)
	}
	return n, err
}

// lines follows the lines of a stream and reports whether all are short enough.
func (g *guard) lines(p []byte) bool {
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		g.line += len(part)
		g.head = append(g.head, part[:min(len(part), len(streamDone)+1-len(g.head))]...)
		if g.line > g.lineLimit {
			return false
		}
		if ended {
			g.done = g.done || isDone(g.head)
			g.line, g.head = 0, g.head[:0]
		}
		p = rest
	}
	return true
}

// isDone reports whether line is streamDone, with or without a space after the colon and a
// carriage return at the end.
func isDone(line []byte) bool {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	return ok && string(bytes.TrimSpace(data)) == "[DONE]"
}

// drain reads the few bytes after the end of a stream, so that the connection can be
// reused. It does not wait for a provider that holds the stream open.
func (g *guard) drain() {
	g.idle = g.late
	io.CopyN(io.Discard, g, 1<<10)
}

// Close ends the request. It does not wait for unread data: it closes the connection, which
// the provider notices.
func (g *guard) Close() error {
	g.cancel(nil)
	return g.body.Close()
}
