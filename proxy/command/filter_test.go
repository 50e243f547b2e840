package command

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"seam/proxy/command/terminal"
)

// Output made before its turn is held up to a limit. Beyond that, the writer waits for its
// turn or for the end.
func TestTurnThatIsLimited(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var waits, stopped terminal.Turn
	s := &terminal.Screen{}
	for _, one := range []*terminal.Turn{&waits, &stopped} {
		one.Screen = s
		one.Limit(ctx, 10)
		if _, err := one.Write([]byte("12345678")); err != nil {
			t.Fatal(err)
		}
	}
	written := make(chan error)
	write := func(to *terminal.Turn) { _, err := to.Write([]byte("9abc")); written <- err }
	go write(&waits)
	select {
	case <-written:
		t.Error("more than the limit is held")
	default:
	}
	var out bytes.Buffer
	if err := errors.Join(waits.Take(&out), <-written); err != nil || out.String() != "123456789abc" {
		t.Errorf("%q, %v", out.String(), err)
	}
	go write(&stopped)
	cancel()
	if err := <-written; !errors.Is(err, context.Canceled) || stopped.Buffered.Len() != 8 {
		t.Errorf("%d bytes are held, %v", stopped.Buffered.Len(), err)
	}
}
