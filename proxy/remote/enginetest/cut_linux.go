package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

const (
	cutFiles = 20 // in each part
	// searchedWithin bounds a search while the node it asks vanishes.
	searchedWithin = 20 * time.Second
	// caughtUpWithin bounds how long a node takes to catch up after it was cut off.
	caughtUpWithin = 4 * time.Minute
)

// Cut cuts the network of a cluster of three nodes while a collection is pushed and
// searched. First it cuts one node off from the others, while this process reaches all.
// Then it cuts the node that is asked first off from everything. No chunk or search may be
// lost, removed chunks must stay removed, and in the end each node must have the same
// chunks.
//
// It runs if SEAM_CLUSTERS is set and the user may create networks. start starts the nodes.
// Its open opens the collection through some of them, to be asked in that order, and its
// known returns how many nodes one of them knows. Each cut lasts until the nodes have
// noticed it; if known is nil, it ends earlier.
func Cut(t *testing.T, start func(t testing.TB, w *Network) (open func(nodes ...int) remote.Engine, known func(context.Context) (int, error))) {
	clusters(t)
	Apart(t, func(t *testing.T) {
		w := NewNetwork(t, 3)
		open, known := start(t, w)
		e := open(0, 1, 2)
		must(t, e.Create(t.Context(), Shape))
		s, p := searchOn(t, e), newPushing(t, e)
		// next pushes the documents of a part, and waits for some searches to finish.
		part := 0
		next := func() {
			t.Helper()
			began, searched := time.Now(), s.soFar()
			for f := range cutFiles {
				p.add(t, part*cutFiles+f)
			}
			for s.soFar() < searched+20 && t.Context().Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			part++
			t.Logf("part %d: %d chunks written, %d searches, %.1f s", part, p.Sent(), s.soFar()-searched, time.Since(began).Seconds())
		}
		next()
		knows(t, known, 3) // and have their copies
		w.Part(t, 2)
		p.remove(t, "file0.md", 7)
		next()
		knows(t, known, 2)
		next()
		w.Heal(t, 2)
		next()
		knows(t, known, 3)
		w.Vanish(t, 0)
		next()
		lonely(t, open)
		knows(t, known, 2)
		next()
		w.Heal(t, 0)
		next()
		p.end(t)
		s.end(t)
		if s.longest > searchedWithin {
			t.Errorf("a search took %s", s.longest)
		}
		for node := range 3 {
			p.caughtUp(t, node, open(node))
		}
		p.held(t, e)
	})
}

// knows waits until the nodes know that number of nodes. It asks each second, because a
// node that asks a vanished one may take a minute to answer.
func knows(t testing.TB, known func(context.Context) (int, error), nodes int) {
	t.Helper()
	if known == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), caughtUpWithin)
	defer cancel()
	began, said, last := time.Now(), make(chan string), "nothing is said"
	for ask := time.NewTicker(time.Second); ; {
		go func() {
			n, err := known(ctx)
			what := ""
			if err != nil || n != nodes {
				what = fmt.Sprintf("%d nodes are known, %v", n, err)
			}
			select {
			case said <- what:
			case <-ctx.Done():
			}
		}()
		for waiting := true; waiting; {
			select {
			case last = <-said:
				if last == "" {
					t.Logf("%d nodes are known after %.1f s", nodes, time.Since(began).Seconds())
					return
				}
			case <-ask.C:
				waiting = false
			case <-ctx.Done():
				t.Fatalf("not %d: %s", nodes, last)
			}
		}
	}
}

// remove removes n chunks of a document.
func (p *pushing) remove(t testing.TB, file string, n int) {
	t.Helper()
	var ids []uuid.UUID
	for id := range p.want[file] {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	for _, id := range ids[:n] {
		delete(p.want[file], id)
	}
	must(t, p.Add(t.Context(), nil, ids[:n]))
}

// lonely searches while node 0 has vanished. An engine with only that node must return an
// error, and an engine with another node must answer from it.
func lonely(t testing.TB, open func(nodes ...int) remote.Engine) {
	t.Helper()
	q := remote.Query{Text: "number chunk", Vector: unit(10), K: 5}
	began := time.Now()
	_, err := open(0).Search(t.Context(), q)
	if took := time.Since(began); !errors.Is(err, remote.ErrUnavailable) || took > searchedWithin {
		t.Errorf("alone it answers after %s: %v", took, err)
	} else {
		t.Logf("alone: after %.1f s: %v", took.Seconds(), err)
	}
	began = time.Now()
	hits, err := open(0, 1).Search(t.Context(), q)
	if took := time.Since(began); err != nil || len(hits) != q.K || took > searchedWithin {
		t.Errorf("with another, after %s: %d hits, %v", took, len(hits), err)
	} else {
		t.Logf("with another: after %.1f s", took.Seconds())
	}
}

// caughtUp waits until a node, asked alone, has every expected chunk.
func (p *pushing) caughtUp(t testing.TB, node int, e remote.Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), caughtUpWithin)
	defer cancel()
	began, last := time.Now(), ""
	for {
		err := p.amiss(ctx, e)
		if err == nil {
			t.Logf("node %d has all after %.1f s", node, time.Since(began).Seconds())
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("node %d: %s", node, last)
		}
		last = err.Error()
		time.Sleep(100 * time.Millisecond)
	}
}
