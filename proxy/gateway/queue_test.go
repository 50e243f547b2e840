package gateway

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"seam/proxy/admission"
)

// Requests of an address are admitted in the order of arrival, at most so many at a time. A
// request that gives up or comes too late leaves the line, and nothing is left over.
func TestLineIsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config(t)
		c.PerCaller, c.Waiting, c.Wait, c.Connections = 2, 3, 10*time.Second, 100
		g := New(c, script{})
		var mu sync.Mutex
		var order []string
		say := func(s string) { mu.Lock(); order = append(order, s); mu.Unlock() }
		ask := func(ctx context.Context, name string, at admission.Caller, takes time.Duration) {
			go func() {
				p := g.newPeer("openai", "", at)
				if no := g.enter(ctx, p); no != nil {
					say(name + " refused")
					return
				}
				say(name)
				time.Sleep(takes)
				g.leave(p)
			}()
			synctest.Wait()
		}
		all := context.Background()
		gives, up := context.WithCancel(all)
		for i := range 2 {
			ask(all, fmt.Sprint("a", i), "192.0.2.1", time.Duration(5+i)*time.Second)
		}
		ask(gives, "gone", "192.0.2.1", 0)
		ask(all, "a2", "192.0.2.1", 30*time.Second)
		ask(all, "a3", "192.0.2.1", 30*time.Second)
		ask(all, "a4", "192.0.2.1", 0) // beyond the line
		ask(all, "b0", "192.0.2.2", time.Second)
		up()
		synctest.Wait()
		ask(all, "a5", "192.0.2.1", 0) // waits in vain
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := fmt.Sprint(order), "[a0 a1 a4 refused b0 gone refused a2 a3 a5 refused]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if len(g.open)+len(g.per)+len(g.lines)+g.waiting != 0 {
			t.Errorf("left over: %v %v %v %d", g.open, g.per, g.lines, g.waiting)
		}
	})
}

// Who waits when the proxy restarts is refused at once.
func TestLineEndsWithTheProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config(t)
		c.PerCaller, c.Waiting, c.Wait = 1, 3, time.Hour
		g := New(c, script{})
		p := g.newPeer("openai", "", "192.0.2.1")
		if no := g.enter(t.Context(), p); no != nil {
			t.Fatal(no)
		}
		ended := make(chan *refusal, 1)
		go func() { ended <- g.enter(t.Context(), g.newPeer("openai", "", "192.0.2.1")) }()
		synctest.Wait()
		if g.waiting != 1 {
			t.Fatalf("%d wait", g.waiting)
		}
		g.Drain()
		if no := <-ended; no == nil || no.why != "draining" {
			t.Errorf("%+v", no)
		}
		g.leave(p)
	})
}
