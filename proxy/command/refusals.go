package command

import (
	"errors"
	"net/http"
	"sync"

	"seam/proxy/upstream"
	"seam/shared/protocol"
)

// Of requests that are refused one after another, so many end a run: of the first ones, and later.
const (
	firstRefusals = 3
	refusalsInRow = 20
)

// refusals are those of a run's requests that a provider does not take for what they say, as a
// filter of contents does. Each costs its own part alone, unless nothing is taken: then it is the
// key or the model. Its methods can be called side by side.
type refusals struct {
	mu    sync.Mutex
	taken bool  // a request
	row   int   // refused since the last one that was taken
	first error // that was refused
}

// cost returns why a part stays without an answer, and the error of what ends the run; both are
// empty for an answer.
func (r *refusals) cost(err error) (reason string, end error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.taken, r.row = true, 0
		return "", nil
	case !refused(err):
		return "", err
	}
	if r.first == nil {
		r.first = err
	}
	if r.row++; r.row >= refusalsInRow || !r.taken && r.row >= firstRefusals {
		return "", err
	}
	return oneLine(err.Error()), nil
}

// end returns the error of a run in which all was refused.
func (r *refusals) end() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken || r.first == nil {
		return nil
	}
	return r.first
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
