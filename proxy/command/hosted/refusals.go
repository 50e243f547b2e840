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

// The number of consecutive refusals that end a run: at its start, and later.
const (
	firstRefusals = 3
	refusalsInRow = 20
)

// sparing turns a refused request into an unusable answer, so that only its own part fails.
// A request may be refused because of its content, as by a content filter, or because it is
// too long. If no request is accepted, the cause is the key or the model, and sparing
// returns the error. Refusals are not kept in the run's file, because they cost nothing.
type sparing struct {
	llm.Model

	mu    sync.Mutex
	taken bool // a request was accepted
	row   int  // refusals since the last accepted request
}

// Spared returns the model for a run: m, with paid answers kept in the run's file. taken
// says that an earlier request of the run was accepted.
func Spared(m llm.Model, run *runfile.File, taken bool) llm.Model {
	return &sparing{Model: llm.NewKept(m, run), taken: taken}
}

// ErrNotStored is the error of a request of OnlyStored that has no stored answer.
var ErrNotStored = errors.New("the answer is not stored")

// OnlyStored returns a model that gives the answers in the file of a run, and asks nobody.
func OnlyStored(run *runfile.File) llm.Model { return llm.NewKept(nobody{}, run) }

type nobody struct{}

func (nobody) Complete(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	return llm.Reply{}, ErrNotStored
}

// Complete implements llm.Model.
func (s *sparing) Complete(ctx context.Context, r llm.Request, emit func(string) error) (llm.Reply, error) {
	reply, err := s.Model.Complete(ctx, r, emit)
	if s.isSingle(err) {
		err = &llm.NoAnswer{Reason: terminal.OneLine(err.Error()), Refused: true}
	}
	return reply, err
}

// isSingle reports whether err affects only one request.
func (s *sparing) isSingle(err error) bool {
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

// refused reports whether a provider refused a request. A proxy does not pass on the
// reason.
func refused(err error) bool {
	if failed := (*upstream.Error)(nil); errors.As(err, &failed) {
		return failed.Status() == http.StatusBadRequest
	}
	told := (*protocol.Error)(nil)
	return errors.As(err, &told) && told.Code == protocol.UpstreamRefused
}
