package server

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sampler bounds the size of a log. Each message may have a number of lines per minute, and
// a tenth of that per address, so that a flood from one address does not hide others. After
// each minute, it logs how many lines were left out.
type sampler struct {
	slog.Handler
	*samples
}

// samples are the counts of a minute.
type samples struct {
	lines int // limit per message and minute
	now   func() time.Time

	mu    sync.Mutex
	since time.Time
	seen  map[string]*sample // by message
	per   map[perAddress]int
}

type sample struct{ written, left int }

type perAddress struct{ message, address string }

// Limits of the counts kept for a minute. Messages are constant except for those of
// net/http, which can contain input from clients. Messages beyond the limit are counted
// together.
const (
	mostMessages  = 256
	mostAddresses = 10_000
)

// newSampler limits each message to that many lines per minute. 0 means no limit.
func newSampler(h slog.Handler, lines int, now func() time.Time) slog.Handler {
	if lines <= 0 {
		return h
	}
	return sampler{h, &samples{lines: lines, now: now, seen: map[string]*sample{}, per: map[perAddress]int{}}}
}

// Handle implements slog.Handler.
func (s sampler) Handle(ctx context.Context, r slog.Record) error {
	address := ""
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "address" {
			address = a.Value.String()
		}
		return address == ""
	})
	write, before := s.count(r.Message, address)
	for message, left := range before {
		more := slog.NewRecord(r.Time, slog.LevelWarn, "more lines like this", 0)
		more.AddAttrs(slog.String("like", message), slog.Int("left_out", left))
		if err := s.Handler.Handle(ctx, more); err != nil {
			return err
		}
	}
	if !write {
		return nil
	}
	return s.Handler.Handle(ctx, r)
}

// count counts a line, and reports whether to write it. At the end of a minute it also
// returns the number of lines left out for each message.
func (s *samples) count(message, address string) (write bool, before map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.now(); now.Sub(s.since) >= time.Minute {
		before = map[string]int{}
		for message, seen := range s.seen {
			if seen.left > 0 {
				before[message] = seen.left
			}
		}
		s.since = now
		clear(s.seen)
		clear(s.per)
	}
	seen := s.seen[message]
	if seen == nil {
		if len(s.seen) >= mostMessages {
			message = "others"
		}
		if seen = s.seen[message]; seen == nil {
			seen = &sample{}
			s.seen[message] = seen
		}
	}
	one := perAddress{message, address}
	if seen.written >= s.lines || address != "" && s.per[one] >= max(1, s.lines/10) {
		seen.left++
		return false, before
	}
	if address != "" && len(s.per) < mostAddresses {
		s.per[one]++
	}
	seen.written++
	return true, before
}

// WithAttrs implements slog.Handler.
func (s sampler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return sampler{s.Handler.WithAttrs(attrs), s.samples}
}

// WithGroup implements slog.Handler.
func (s sampler) WithGroup(name string) slog.Handler {
	return sampler{s.Handler.WithGroup(name), s.samples}
}
