package collections

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"seam/proxy/command/terminal"
	"seam/proxy/remote"
)

// printing is an engine that lists names without unprintable characters, like Weaviate.
type printing struct {
	remote.Engine
	held    []string
	deleted []string
}

func (e *printing) Documents(context.Context) (all []remote.Document, err error) {
	for _, name := range e.held {
		all = append(all, remote.Document{File: remote.Printable(name), Chunks: 1})
	}
	return all, nil
}

func (e *printing) Delete(_ context.Context, file string) error {
	e.deleted = append(e.deleted, file)
	return nil
}

func (e *printing) Settle(context.Context) error { return nil }

// Pruning must not delete a pushed file because the engine lists its name differently. The
// narrow space that macOS puts before PM is not printable.
func TestPruneKeepsOddNames(t *testing.T) {
	odd := "Scan 10.21.33\u202fPM.pdf"
	e := &printing{held: []string{odd, "plain.md", "gone.md"}}
	seen := map[string]bool{odd: true, "plain.md": true}
	p := &push{ctx: t.Context(), to: &Collection{Engine: e}, pusher: remote.NewPusher(e, nil), seen: seen}
	if err := p.prune(); err != nil || !slices.Equal(e.deleted, []string{"gone.md"}) || p.total.Pruned != 1 {
		t.Errorf("%q is taken out, %v", e.deleted, err)
	}
	var said bytes.Buffer
	if err := reportOthers(t.Context(), terminal.IO{Err: &said}, &Collection{Engine: e}, seen); err != nil || !strings.Contains(said.String(), "1 document is in the collection") {
		t.Errorf("a dry run says %q, %v", said.String(), err)
	}
}
