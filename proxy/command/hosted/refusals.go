package hosted

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/proxy/upstream"
	"seam/shared/llm"
	"seam/shared/protocol"
)

// Of requests that are refused one after another, so many end a run: of the first ones, and later.
const (
	firstRefusals = 3
	refusalsInRow = 20
)

// sparing is a model of which a request that is not taken for what it says, as by a filter of
// contents, or that is too long is an answer that cannot be used: it costs its own part alone.
// Where nothing is taken it is the key or the model, and an error. Such an answer is not kept, as
// nobody was paid for it.
type sparing struct {
	llm.Model

	mu    sync.Mutex
	taken bool // a request
	row   int  // refused since the last one that was taken
}

// Spared is what answers a run's requests: m, of which what was paid for is kept. taken says
// that one of the run's requests was taken before.
func Spared(m llm.Model, run *runfile.File, taken bool) llm.Model {
	return &sparing{Model: llm.NewKept(m, run), taken: taken}
}

// Complete implements llm.Model.
func (s *sparing) Complete(ctx context.Context, r llm.Request, emit func(string) error) (llm.Reply, error) {
	reply, err := s.Model.Complete(ctx, r, emit)
	if s.spares(err) {
		err = &llm.NoAnswer{Reason: terminal.OneLine(err.Error()), Refused: true}
	}
	return reply, err
}

// spares reports whether err costs one request and no more.
func (s *sparing) spares(err error) bool {
	if told := (*protocol.Error)(nil); errors.As(err, &told) && told.Code == protocol.TooLarge {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, unusable := llm.Unusable(err); err == nil || unusable {
		s.taken, s.row = true, 0
		return false
	}
	if !refused(err) {
		return false
	}
	s.row++
	return s.row < refusalsInRow && (s.taken || s.row < firstRefusals)
}

// refused reports whether a provider does not take a request: of a proxy's it is not told for
// what.
func refused(err error) bool {
	if failed := (*upstream.Error)(nil); errors.As(err, &failed) {
		return failed.Status() == http.StatusBadRequest
	}
	told := (*protocol.Error)(nil)
	return errors.As(err, &told) && told.Code == protocol.UpstreamRefused
}
