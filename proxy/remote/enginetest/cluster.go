package enginetest

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

const (
	clusterFiles   = 200
	clusterPerFile = 60
)

// Cluster kills a node of a cluster of three while a collection is pushed and searched: in
// the end all chunks are there once, and no search has failed. It runs where SEAM_CLUSTERS
// is set. replicated makes an engine whose collection is on all nodes.
func Cluster(t *testing.T, replicated func(t testing.TB) (e remote.Engine, nodes []*Process)) {
	if os.Getenv("SEAM_CLUSTERS") == "" {
		t.Skip("SEAM_CLUSTERS is not set: make test-scale sets it")
	}
	e, nodes := replicated(t)
	ctx := t.Context()
	must(t, e.Create(ctx, Shape))
	searching, stop := context.WithCancel(ctx)
	defer stop()
	var searched, failed atomic.Int64
	var failure atomic.Pointer[error]
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for searching.Err() == nil {
			_, err := e.Search(searching, remote.Query{Text: "number chunk", Vector: unit(10), K: 5})
			if searching.Err() != nil {
				return
			}
			if searched.Add(1); err != nil {
				failed.Add(1)
				failure.Store(&err)
			}
		}
	}()
	waits := 0
	p := remote.NewPusher(e, func(err error) {
		if waits++; waits < 5 {
			t.Logf("asked again: %v", err)
		}
	})
	want := map[string]map[uuid.UUID]string{}
	began := time.Now()
	for f := range clusterFiles {
		var chunks []remote.Chunk
		name := fmt.Sprintf("file%d.md", f)
		want[name] = map[uuid.UUID]string{}
		for i := range clusterPerFile {
			c := chunk(name, fmt.Sprint(i), strings.Repeat(fmt.Sprintf("Chunk %d of file number %d. ", i, f), 8), float64((f*clusterPerFile+i)%360), func(r *remote.Record) { r.Start, r.End = 300*i, 300*i+200 })
			chunks = append(chunks, c)
			want[name][c.ID] = c.Digest
		}
		must(t, p.Add(ctx, chunks, nil))
		if f == clusterFiles/3 {
			nodes[len(nodes)-1].Kill()
			t.Logf("a node is killed after %d chunks", p.Sent())
		}
	}
	must(t, p.Close(ctx))
	t.Logf("%d chunks pushed in %.1f s, %d times asked again", p.Sent(), time.Since(began).Seconds(), waits)
	stop()
	<-ended
	t.Logf("%d searches meanwhile, %d failed", searched.Load(), failed.Load())
	if n := failed.Load(); n > 0 {
		t.Errorf("%d of %d searches failed: %v", n, searched.Load(), *failure.Load())
	}
	if searched.Load() == 0 {
		t.Error("nothing was searched")
	}
	docs, err := e.Documents(ctx)
	if err != nil || len(docs) != clusterFiles {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	for _, d := range docs {
		held, err := e.Held(ctx, d.File)
		if err != nil || !reflect.DeepEqual(held, want[d.File]) || d.Chunks != clusterPerFile {
			t.Fatalf("%s: %d chunks are told, %d held of %d, %v", d.File, d.Chunks, len(held), clusterPerFile, err)
		}
	}
}
