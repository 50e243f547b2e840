package enginetest

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

const (
	clusterFiles   = 200
	clusterPerFile = 60
)

// Cluster kills a node of a cluster of three while a collection is pushed and searched. In
// the end each chunk must exist once, and no search may have failed. It runs if
// SEAM_CLUSTERS is set. replicated makes an engine with a collection that has a copy on
// every node.
func Cluster(t *testing.T, replicated func(t testing.TB) (e remote.Engine, nodes []*Process)) {
	clusters(t)
	e, nodes := replicated(t)
	must(t, e.Create(t.Context(), Shape))
	s := searchOn(t, e)
	p := newPushing(t, e)
	for f := range clusterFiles {
		p.add(t, f)
		if f == clusterFiles/3 {
			nodes[len(nodes)-1].Kill()
			t.Logf("a node is killed after %d chunks", p.Sent())
		}
	}
	p.end(t)
	s.end(t)
	p.held(t, e)
}

// clusters skips a test unless SEAM_CLUSTERS is set.
func clusters(t testing.TB) {
	if os.Getenv("SEAM_CLUSTERS") == "" {
		t.Skip("SEAM_CLUSTERS is not set: make test-scale sets it")
	}
}

// searching is a search that is repeated until end.
type searching struct {
	stop  context.CancelFunc
	ended chan struct{}

	mu      sync.Mutex // guards the fields below
	done    int
	failed  int
	failure error
	longest time.Duration
}

func searchOn(t testing.TB, e remote.Engine) *searching {
	ctx, stop := context.WithCancel(t.Context())
	s := &searching{stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		for {
			began := time.Now()
			_, err := e.Search(ctx, remote.Query{Text: "number chunk", Vector: unit(10), K: 5})
			if ctx.Err() != nil {
				return
			}
			s.mu.Lock()
			if s.done++; err != nil {
				s.failed, s.failure = s.failed+1, err
			}
			s.longest = max(s.longest, time.Since(began))
			s.mu.Unlock()
		}
	}()
	t.Cleanup(stop)
	return s
}

// soFar returns the number of finished searches.
func (s *searching) soFar() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// end stops the searches and checks that none has failed.
func (s *searching) end(t testing.TB) {
	t.Helper()
	s.stop()
	<-s.ended
	t.Logf("%d searches meanwhile, %d failed, the longest took %.1f s", s.done, s.failed, s.longest.Seconds())
	if s.failed > 0 {
		t.Errorf("%d of %d searches failed: %v", s.failed, s.done, s.failure)
	}
	if s.done == 0 {
		t.Error("nothing was searched")
	}
}

// pushing pushes documents generated from their numbers.
type pushing struct {
	*remote.Pusher
	want  map[string]map[uuid.UUID]string
	began time.Time
	again int
}

func newPushing(t testing.TB, e remote.Engine) *pushing {
	p := &pushing{want: map[string]map[uuid.UUID]string{}, began: time.Now()}
	var mu sync.Mutex
	p.Pusher = remote.NewPusher(e, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if p.again++; p.again < 5 {
			t.Logf("asked again: %v", err)
		}
	})
	return p
}

// add pushes a document.
func (p *pushing) add(t testing.TB, f int) {
	t.Helper()
	var chunks []remote.Chunk
	name := fmt.Sprintf("file%d.md", f)
	p.want[name] = map[uuid.UUID]string{}
	for i := range clusterPerFile {
		c := chunk(name, fmt.Sprint(i), strings.Repeat(fmt.Sprintf("Chunk %d of file number %d. ", i, f), 8), float64((f*clusterPerFile+i)%360), func(r *remote.Record) { r.Start, r.End = 300*i, 300*i+200 })
		chunks = append(chunks, c)
		p.want[name][c.ID] = c.Digest
	}
	must(t, p.Add(t.Context(), chunks, nil))
}

// end writes the remaining chunks.
func (p *pushing) end(t testing.TB) {
	t.Helper()
	must(t, p.Close(t.Context()))
	t.Logf("%d chunks pushed in %.1f s, %d times asked again", p.Sent(), time.Since(p.began).Seconds(), p.again)
}

// chunks returns the expected number of chunks.
func (p *pushing) chunks() (n int) {
	for _, ids := range p.want {
		n += len(ids)
	}
	return n
}

// held checks that every chunk exists once.
func (p *pushing) held(t testing.TB, e remote.Engine) {
	t.Helper()
	must(t, p.amiss(t.Context(), e))
}

// amiss returns the first difference between the engine and the expected chunks, or nil.
func (p *pushing) amiss(ctx context.Context, e remote.Engine) error {
	n, err := e.Count(ctx)
	if err != nil || n != p.chunks() {
		return fmt.Errorf("%d of %d chunks are counted, %v", n, p.chunks(), err)
	}
	docs, err := e.Documents(ctx)
	if err != nil || len(docs) != len(p.want) {
		return fmt.Errorf("%d of %d documents are told, %v", len(docs), len(p.want), err)
	}
	for _, d := range docs {
		held, err := e.Digests(ctx, d.File)
		if want := p.want[d.File]; err != nil || !reflect.DeepEqual(held, want) || d.Chunks != len(want) {
			return fmt.Errorf("%s: %d chunks are told, %d held of %d, %v", d.File, d.Chunks, len(held), len(want), err)
		}
	}
	return nil
}
