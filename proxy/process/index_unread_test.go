package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"seam/shared/site/shards"
	"seam/web/widget"
)

// An index names the pages that could not be read, and a search that lacks a word names them
// with it. Pages that ask not to be indexed are not among them.
func TestIndexUnread(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "seam")
	looms(t, dir, "shuttle", "heddle")
	write(t, dir, map[string]string{
		"odd.html":    "<title>Odd</title><main><p>\xe0\xe1</p></main>",
		"hidden.html": "<title>Hidden</title><meta name=robots content=noindex><main><p>A treadle.</p></main>",
	})
	t.Setenv("SEAM_CACHE", t.TempDir())
	for range 2 { // the second index has its pages from the cache
		run(t, "", "index", "--site", dir, "--out", out)
		b, err := os.ReadFile(filepath.Join(out, "seam.json"))
		if err != nil {
			t.Fatal(err)
		}
		if entry, err := shards.ReadEntry(b); err != nil || !slices.Equal(entry.Unread, []string{"odd.html"}) {
			t.Fatalf("%v, %s", err, b)
		}
	}
	const note = "the index lacks pages that could not be read: odd.html"
	for query, want := range map[string]bool{"shuttle": false, "treadle": true, "shuttle treadle": true} {
		if r := run(t, "", "search", "--index", out, query); r.status > 1 || strings.Contains(r.err, note) != want {
			t.Errorf("%s: %+v", query, r)
		}
	}
	if r := run(t, "", "search", "--index", out, "--json", "treadle"); !strings.Contains(r.out, `"unread":["odd.html"]`) {
		t.Errorf("%+v", r)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: exec.Command(seam, "mcp", "--index", out)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for query, want := range map[string]bool{"shuttle": false, "treadle": true} {
		r, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": query}})
		if err != nil {
			t.Fatal(err)
		}
		if text := r.Content[0].(*mcp.TextContent).Text; strings.Contains(text, `"unread":["odd.html"]`) != want {
			t.Errorf("%s: %s", query, text)
		}
	}
	// The page is mended.
	write(t, dir, map[string]string{"odd.html": "<title>Odd</title><main><p>A treadle.</p></main>"})
	run(t, "", "index", "--site", dir, "--out", out)
	if r := run(t, "", "search", "--index", out, "zqxv"); strings.Contains(r.err, "could not be read") {
		t.Errorf("%+v", r)
	}
}
