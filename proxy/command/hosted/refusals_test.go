package hosted

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"seam/shared/llm"
	"seam/shared/protocol"
)

// scripted is a model that returns its errors in turn; nil means an answer.
type scripted struct{ errs []error }

func (s *scripted) Complete(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	err := s.errs[0]
	s.errs = s.errs[1:]
	return llm.Reply{}, err
}

func TestSparing(t *testing.T) {
	no := protocol.Errorf(protocol.UpstreamRefused, "it is refused")
	long := protocol.Errorf(protocol.TooLarge, "it is too long")
	down := protocol.Errorf(protocol.UpstreamFailed, "it is down")
	key := protocol.Errorf(protocol.Unauthorized, "the key is wrong")
	cut := &llm.NoAnswer{Reason: "it was cut short"}
	all := func(n int, err error) []error {
		out := make([]error, n)
		for i := range out {
			out[i] = err
		}
		return out
	}
	for name, c := range map[string]struct {
		before []error // errors that do not end the run
		last   error
		ends   bool
	}{
		"the second of all":           {all(1, no), no, false},
		"the third of all":            {all(2, no), no, true},
		"after one that was taken":    {append(all(1, nil), all(18, no)...), no, false},
		"twenty in a row":             {append(all(1, nil), all(19, no)...), no, true},
		"after one that was cut":      {append(all(1, cut), all(5, no)...), no, false},
		"one between begins anew":     {append(append(all(1, nil), all(19, no)...), nil), no, false},
		"too long, however many":      {all(50, long), long, false},
		"too long is no refusal":      {append(all(2, long), all(1, no)...), no, false},
		"a provider that is down":     {nil, down, true},
		"a key that is wrong at last": {all(1, nil), key, true},
	} {
		s := &sparing{Model: &scripted{append(c.before, c.last)}}
		for i := range c.before {
			if _, err := s.Complete(t.Context(), llm.Request{}, nil); c.before[i] != nil && !isUnusable(err) {
				t.Fatalf("%s, request %d: %v", name, i, err)
			}
		}
		_, err := s.Complete(t.Context(), llm.Request{}, nil)
		if isUnusable(err) == c.ends || c.ends && !errors.Is(err, c.last) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The error says that a second try is pointless.
	_, err := (&sparing{Model: &scripted{all(1, fmt.Errorf("chat: %w", no))}}).Complete(t.Context(), llm.Request{}, nil)
	if none := (*llm.NoAnswer)(nil); !errors.As(err, &none) || !none.Refused || none.Reason != "chat: it is refused" {
		t.Errorf("%v", err)
	}
}

func isUnusable(err error) bool {
	_, ok := llm.Unusable(err)
	return ok
}
