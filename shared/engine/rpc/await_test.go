package rpc

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
)

// waiting returns methods with one more, which waits for a word from the test.
func waiting(word <-chan error) map[string]Handler {
	m := methods()
	m["wait"] = func(ctx context.Context, c *Call) (Reply, error) {
		err := c.Await(func() error {
			c.Event("waiting", map[string]int{"n": 1})
			for {
				select {
				case err := <-word:
					return err
				case <-ctx.Done():
					return ctx.Err()
				default:
					if err := c.Progress("waiting", 0, 1); err != nil { // as a download does
						return err
					}
					runtime.Gosched() // wasm does not switch goroutines by itself
				}
			}
		})
		return Reply{Result: "heard"}, err
	}
	m["waitAndPanic"] = func(_ context.Context, c *Call) (Reply, error) {
		return Reply{}, c.Await(func() error { panic("in the network") })
	}
	m["deaf"] = func(_ context.Context, c *Call) (Reply, error) {
		return Reply{Result: "done"}, c.Await(func() error { return <-word })
	}
	return m
}

// While one call waits for the network, others must run, answer and report progress.
// Afterwards the call must continue.
func TestOthersRunWhileOneWaits(t *testing.T) {
	p, word := &page{}, make(chan error)
	s := NewServer(p.host(), waiting(word))
	var waits []<-chan struct{}
	for _, id := range []string{"1", "2"} {
		waits = append(waits, s.Receive([]byte(`{"id":`+id+`,"method":"wait"}`), nil))
	}
	var others sync.WaitGroup
	for _, request := range []string{`{"id":3,"method":"long"}`, `{"id":4,"method":"double","params":{"n":2}}`} {
		others.Go(func() { <-s.Receive([]byte(request), nil) })
	}
	others.Wait()
	if m := p.answer(t, 3); string(m.Result) != `"done"` {
		t.Errorf("%+v", m)
	}
	if m := p.answer(t, 4); string(m.Result) != "4" {
		t.Errorf("%+v", m)
	}
	word <- nil
	word <- errors.New("no network")
	heard := 0
	for i, w := range waits {
		<-w
		switch m := p.answer(t, i+1); {
		case m.Error == nil && string(m.Result) == `"heard"`:
			heard++
		case m.Error == nil || m.Error.Message != "no network":
			t.Errorf("%+v", m)
		}
	}
	if heard != 1 {
		t.Errorf("%d of two calls were told that all is well", heard)
	}
	events := 0
	for _, m := range p.messages {
		if m.Event == "waiting" && string(m.Data) == `{"n":1}` && (m.ID == 1 || m.ID == 2) {
			events++
		}
	}
	if events != 2 {
		t.Errorf("%d events", events)
	}
}

// A waiting call must be cancelled at once. A call that panics while waiting must give up
// its turn, and so must one that ignores the cancel, at its end.
func TestCancelWhileWaiting(t *testing.T) {
	p, word := &page{}, make(chan error, 1)
	s := NewServer(p.host(), waiting(word))
	done := s.Receive([]byte(`{"id":1,"method":"wait"}`), nil)
	<-s.Receive([]byte(`{"id":2,"method":"cancel","params":{"id":1}}`), nil)
	<-done
	<-s.Receive([]byte(`{"id":3,"method":"waitAndPanic"}`), nil)
	deaf := s.Receive([]byte(`{"id":4,"method":"deaf"}`), nil)
	<-s.Receive([]byte(`{"id":5,"method":"cancel","params":{"id":4}}`), nil)
	word <- nil
	<-deaf
	<-s.Receive([]byte(`{"id":6,"method":"double","params":{"n":1}}`), nil)
	for id, code := range map[int]string{1: Cancelled, 3: Internal, 4: Cancelled} {
		if m := p.answer(t, id); m.Error == nil || m.Error.Code != code {
			t.Errorf("call %d: %+v", id, m)
		}
	}
	if m := p.answer(t, 6); string(m.Result) != "2" {
		t.Errorf("%+v", m)
	}
}
