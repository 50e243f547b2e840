package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

// These tests run the program as a process, with clusters of three real nodes, if
// SEAM_CLUSTERS is set.

// clusterDocuments is enough for a push to be still running when a node or the push is
// killed.
const clusterDocuments = 1200

func TestPushWeaviate(t *testing.T) {
	pushCluster(t, func() (func(string) string, []*enginetest.Process) {
		address, options, nodes := enginetest.Weaviate(t, 3)
		return func(name string) string { return address + name + options + "&replicas=3" }, nodes
	})
}

func TestPushOpenSearch(t *testing.T) {
	pushCluster(t, func() (func(string) string, []*enginetest.Process) {
		address, nodes := enginetest.OpenSearch(t, 3)
		return func(name string) string { return address + name + "?replicas=3" }, nodes
	})
}

// A push that is killed and repeated, and a push during which a node is killed, have the
// same result as an undisturbed one. Searches keep working meanwhile.
func pushCluster(t *testing.T, start func() (address func(name string) string, nodes []*enginetest.Process)) {
	if os.Getenv("SEAM_CLUSTERS") == "" {
		t.Skip("SEAM_CLUSTERS is not set: make test-scale sets it")
	}
	address, nodes := start()
	dir := t.TempDir()
	for i := range clusterDocuments {
		text := fmt.Sprintf("# Number %d\n\n%s\n\nThe end of number %d.\n", i, strings.Join(paragraphs, "\n\n"), i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	calm := push(t, "push", "--to", address("calm"), dir)
	want := all(t, collection(t, address("calm")))
	t.Logf("a calm push: %+v", calm)

	cut := address("cut")
	killed := exec.Command(seam, "push", "--to", cut, dir)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	holdsSettled(t, collection(t, cut), calm.New/4)
	_ = killed.Process.Kill()
	_ = killed.Wait()
	got := push(t, "push", "--to", cut, dir)
	if got.New+got.Same != calm.New || got.Same == 0 || got.New == 0 || got.Removed+got.Changed != 0 {
		t.Errorf("after a kill %+v, and without %+v", got, calm)
	}
	t.Logf("after a kill: %+v", got)
	if there := all(t, collection(t, cut)); !reflect.DeepEqual(there, want) {
		t.Errorf("after a kill %d documents are not those of a calm push, %d", len(there), len(want))
	}

	restless := address("restless")
	pushing := exec.Command(seam, "push", "--json", "--to", restless, dir)
	var out, errs bytes.Buffer
	pushing.Stdout, pushing.Stderr = &out, &errs
	if err := pushing.Start(); err != nil {
		t.Fatal(err)
	}
	e := collection(t, restless)
	holdsSettled(t, e, calm.New/4)
	ended := searches(t, restless)
	nodes[2].Kill()
	err := pushing.Wait()
	ended()
	if err != nil {
		t.Fatalf("seam push: %v: %s", err, errs.String())
	}
	if got = (pushed{}); json.Unmarshal(out.Bytes(), &got) != nil || got != calm {
		t.Errorf("while a node was killed %s, and without %+v", out.String(), calm)
	}
	t.Logf("while a node was killed: %+v; said: %s", got, errs.String())
	if there := all(t, e); !reflect.DeepEqual(there, want) {
		t.Errorf("while a node was killed %d documents are not those of a calm push, %d", len(there), len(want))
	}
}

// searches runs one search process after the other until end is called.
func searches(t *testing.T, address string) (end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended, n := make(chan struct{}), 0
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			out, err := exec.CommandContext(ctx, seam, "search", "--remote", address, "--json", "-k", "3", "wood takes a polish").Output()
			if ctx.Err() != nil {
				return
			}
			var found struct{ Hits []remote.Record }
			if n++; err != nil || json.Unmarshal(out, &found) != nil || len(found.Hits) != 3 {
				t.Errorf("seam search: %s, %v", out, err)
			}
		}
	}()
	return func() {
		stop()
		<-ended
		if n == 0 {
			t.Error("nothing was searched")
		}
		t.Logf("%d searches meanwhile", n)
	}
}

// all returns digests of a collection's chunks, by document and id.
func all(t *testing.T, e remote.Engine) map[string]map[uuid.UUID]string {
	t.Helper()
	docs, err := e.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]map[uuid.UUID]string{}
	for _, d := range docs {
		if held[d.File], err = e.Digests(t.Context(), d.File); err != nil || len(held[d.File]) != d.Chunks {
			t.Fatalf("%s: %d of %d chunks, %v", d.File, len(held[d.File]), d.Chunks, err)
		}
	}
	return held
}

// holdsSettled is holds for an engine that finds new chunks with a delay.
func holdsSettled(t *testing.T, e remote.Engine, n int) {
	t.Helper()
	holds(t, settled{e}, n)
}

type settled struct{ remote.Engine }

func (s settled) Count(ctx context.Context) (int, error) {
	if err := s.Settle(ctx); err != nil {
		return 0, err
	}
	return s.Engine.Count(ctx)
}
