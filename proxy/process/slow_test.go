package process

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
)

// A model that loads for a long time answers all who wait for it, and who asks later, too:
// 150 s with SEAM_LONG. Through the proxy and without it.
func TestSlowStartAnswersAll(t *testing.T) {
	loads := 2 * time.Second
	if os.Getenv("SEAM_LONG") != "" {
		loads = 150 * time.Second
	}
	path := pdf(t)
	l := linktest.Start(t, limit.Limits{})
	l.Provider.Always(upstreamtest.Script{HeaderDelay: loads, Words: []string{"Venus turns backwards [1]."}})
	args := []string{"ask", "--model", "c", "-k", "1", "--max-tokens", "12", "What does Venus do?", path}
	want := "Venus turns backwards [1].\n\nSources:\n[1] " + path + "\n"
	var answered atomic.Int64
	ask := func(direct bool) {
		r := result{}
		if direct {
			r = own(t, t.TempDir(), append(args[:len(args):len(args)], "--base-url", l.Provider.BaseURL)...)
		} else {
			r = hosted(t, l, args...)
		}
		if r.status == 0 && r.out == want {
			answered.Add(1)
		} else {
			t.Errorf("%+v", r)
		}
	}
	var all sync.WaitGroup
	for i := range 18 {
		all.Go(func() { ask(i%2 == 0) })
	}
	all.Wait()
	ask(true) // no breaker has opened
	ask(false)
	t.Logf("%d of 20 answered by a model that loads for %v", answered.Load(), loads)
}
