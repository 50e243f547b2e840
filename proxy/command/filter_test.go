package command

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// What is made before its turn is held up to a limit; then who makes it waits for the turn,
// or the end.
func TestTurnThatIsLimited(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var waits, stopped turn
	s := &screen{}
	for _, one := range []*turn{&waits, &stopped} {
		one.screen = s
		one.limit(ctx, 10)
		if _, err := one.Write([]byte("12345678")); err != nil {
			t.Fatal(err)
		}
	}
	written := make(chan error)
	write := func(to *turn) { _, err := to.Write([]byte("9abc")); written <- err }
	go write(&waits)
	select {
	case <-written:
		t.Error("more than the limit is held")
	default:
	}
	var out bytes.Buffer
	if err := errors.Join(waits.take(&out), <-written); err != nil || out.String() != "123456789abc" {
		t.Errorf("%q, %v", out.String(), err)
	}
	go write(&stopped)
	cancel()
	if err := <-written; !errors.Is(err, context.Canceled) || stopped.held.Len() != 8 {
		t.Errorf("%d bytes are held, %v", stopped.held.Len(), err)
	}
}
