package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"
)

// Change lists the effects of pushing a document.
type Change struct {
	File    string
	New     int
	Changed int
	Same    int
	Gone    []uuid.UUID
	Send    []int // indexes of new or changed chunks
}

// None reports whether there is nothing to do.
func (c *Change) None() bool { return len(c.Send) == 0 && len(c.Gone) == 0 }

// Compare compares the chunks of a document with the stored digests by id. held is nil for
// a new document.
func Compare(file string, chunks []Chunk, held map[uuid.UUID]string) Change {
	c := Change{File: file}
	there := make(map[uuid.UUID]bool, len(chunks))
	for i, chunk := range chunks {
		there[chunk.ID] = true
		switch digest, ok := held[chunk.ID]; {
		case !ok:
			c.New++
			c.Send = append(c.Send, i)
		case digest != chunk.Digest:
			c.Changed++
			c.Send = append(c.Send, i)
		default:
			c.Same++
		}
	}
	for id := range held {
		if !there[id] {
			c.Gone = append(c.Gone, id)
		}
	}
	return c
}

// Limits of a batch, large enough to make round trips cheap and small enough for the
// engine's memory.
const (
	batchChunks = 500
	batchBytes  = 4 << 20
	atOnce      = 2 // batches in flight
)

// patience is how long Retry retries an unavailable engine.
const patience = 2 * time.Minute

// Pusher writes the chunks of documents in batches, several at once. Old chunks are removed
// after their replacements are written. A killed push therefore leaves both, and the next
// push continues from there. Add and Close must not be called concurrently.
type Pusher struct {
	engine Engine
	waits  func(error) // called before each retry; may be nil

	pending []Chunk
	bytes   int
	gone    []uuid.UUID

	slots chan struct{}
	group sync.WaitGroup
	mu    sync.Mutex // guards the fields below
	err   error
	sent  int
}

// NewPusher returns a Pusher. The caller must call Close.
func NewPusher(e Engine, waits func(error)) *Pusher {
	if waits == nil {
		waits = func(error) {}
	}
	return &Pusher{engine: e, waits: waits, slots: make(chan struct{}, atOnce)}
}

// Add writes chunks, now or later, and removes the chunks in gone. It returns the error of
// an earlier batch, if any, which ends the push.
func (p *Pusher) Add(ctx context.Context, chunks []Chunk, gone []uuid.UUID) error {
	for _, c := range chunks {
		size := 4*len(c.Vector) + 2*len(c.Text) + 64*len(c.Boxes)
		if len(p.pending) == batchChunks || len(p.pending) > 0 && p.bytes+size > batchBytes {
			if err := p.flush(ctx); err != nil {
				return err
			}
		}
		p.pending, p.bytes = append(p.pending, c), p.bytes+size
	}
	p.gone = append(p.gone, gone...)
	if len(p.gone) >= batchChunks {
		return p.flush(ctx)
	}
	return p.Err()
}

// Close writes the remaining chunks, waits for all batches and settles the engine.
func (p *Pusher) Close(ctx context.Context) error {
	err := p.flush(ctx)
	p.group.Wait()
	if err == nil {
		err = p.Err()
	}
	if err == nil {
		err = p.Retry(ctx, p.engine.Settle)
	}
	return err
}

// Err returns the error that ended the push, or nil.
func (p *Pusher) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Sent returns the number of chunks written.
func (p *Pusher) Sent() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent
}

func (p *Pusher) flush(ctx context.Context) error {
	chunks, gone := p.pending, p.gone
	p.pending, p.bytes, p.gone = nil, 0, nil
	if err := p.Err(); err != nil || len(chunks) == 0 && len(gone) == 0 {
		return err
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	p.group.Go(func() {
		defer func() { <-p.slots }()
		err := p.Retry(ctx, func(ctx context.Context) error {
			if len(chunks) > 0 {
				if err := p.engine.Upsert(ctx, chunks); err != nil {
					return err
				}
			}
			if len(gone) > 0 {
				return p.engine.Remove(ctx, gone)
			}
			return nil
		})
		p.mu.Lock()
		defer p.mu.Unlock()
		if err == nil {
			p.sent += len(chunks)
		} else if p.err == nil {
			p.err = err
		}
	})
	return nil
}

// Retry calls do until it succeeds. It retries while do returns ErrUnavailable, for up to
// two minutes.
func (p *Pusher) Retry(ctx context.Context, do func(context.Context) error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 200*time.Millisecond, 10*time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := do(ctx)
		if err != nil && (!errors.Is(err, ErrUnavailable) || ctx.Err() != nil) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxElapsedTime(patience), backoff.WithNotify(func(err error, _ time.Duration) { p.waits(err) }))
	if permanent := (*backoff.PermanentError)(nil); errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Unavailable wraps the error of an engine that may answer later.
func Unavailable(a Address, err error) error {
	return fmt.Errorf("%s is %w: %w", a, ErrUnavailable, err)
}

// Denied wraps the error of an engine that rejects the credentials.
func Denied(a Address, err error) error {
	return fmt.Errorf("%s: access is %w; the key comes from SEAM_REMOTE_KEY or --key-file, the user from the address: %w", a, ErrDenied, err)
}
