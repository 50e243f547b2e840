package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"seam/shared/pdftext/pdftest"
)

// connected starts a server, and returns its client and a function that calls a tool.
func connected(t *testing.T, cmd *exec.Cmd) (client *mcp.ClientSession, call func(name string, args map[string]any) (text string, failed bool)) {
	t.Helper()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client, func(name string, args map[string]any) (text string, failed bool) {
		r, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatalf("%s %v: %v", name, args, err)
		}
		return r.Content[0].(*mcp.TextContent).Text, r.IsError
	}
}

// A client of the official SDK starts the program, and finds and reads a page.
func TestMCP(t *testing.T) {
	dir, _ := indexed(t)
	cmd := exec.Command(seam, "mcp", "--index", dir)
	cmd.Stderr = os.Stderr
	client, call := connected(t, cmd)
	tools, err := client.ListTools(context.Background(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Fatalf("%+v, %v", tools, err)
	}
	for _, c := range []struct {
		name   string
		args   map[string]any
		says   string
		failed bool
	}{
		{"search", map[string]any{"query": "a thread breaks", "k": 1}, `"url":"guide/mending.html#broken"`, false},
		{"search", map[string]any{"query": "selenoid"}, `"taken":"solenoid"`, false},
		{"read", map[string]any{"url": "guide/mending.html#broken"}, "weaver’s knot", false},
		{"read", map[string]any{"url": "../../etc/passwd"}, "no page has this address", true},
		{"search", map[string]any{"query": " "}, "the query is empty", true},
		{"search", map[string]any{"query": "x", "k": 1000}, "use 1 to 50", true},
	} {
		if text, failed := call(c.name, c.args); failed != c.failed || !strings.Contains(text, c.says) {
			t.Errorf("%s %v: %s, failed %v; want %s", c.name, c.args, text, failed, c.says)
		}
	}
	if err := client.Close(); err != nil || cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("closed: %v, %v", err, cmd.ProcessState)
	}
}

// An agent lists, searches, reads, cuts and cites the files that it was given, and no others.
func TestMCPOfFiles(t *testing.T) {
	dir := tree(t, map[string]string{
		"papers/bees.md":   "# Bees\n\nBees dance for each other.  A scout looks\nfor a hollow. Grüße aus dem Stock.\n\n# Moths\n\nMoths fly at night.\n",
		"papers/mills.txt": "A windmill turns its cap into the wind. The sails drive a shaft.",
		"secret.txt":       "The word is ouzel.",
	})
	if err := os.WriteFile(filepath.Join(dir, "papers", "turns.pdf"), pdftest.Article(paragraphs...), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(seam, "mcp", "papers")
	cmd.Dir = dir
	client, call := connected(t, cmd)
	for _, c := range []struct {
		name   string
		args   map[string]any
		says   string
		failed bool
	}{
		{"list", nil, `"file":"papers/bees.md","pages":1,"sentences":6,"title":"Bees"`, false},
		{"search", map[string]any{"query": "who dances", "k": 1}, `"section":"Bees`, false},
		{"search", map[string]any{"query": "turns", "files": []string{"papers/turns.pdf"}}, `"file":"papers/turns.pdf"`, false},
		{"search", map[string]any{"query": "ouzel"}, `"unknown":["ouzel"]`, false},
		{"search", map[string]any{"query": "x", "files": []string{"secret.txt"}}, "no document has the name secret.txt", true},
		{"search", map[string]any{"query": ""}, "the query is empty", true},
		{"read", map[string]any{"file": "papers/bees.md", "start": 8, "bytes": 10}, `"next":18,"section":"Bees","start":8,"text":"Bees dance"`, false},
		{"read", map[string]any{"file": "papers/bees.md", "start": 66, "bytes": 1}, `"text":"ü"`, false},
		{"read", map[string]any{"file": "papers/../secret.txt"}, "no document has the name", true},
		{"read", map[string]any{"file": "/etc/passwd"}, "no document has the name", true},
		{"read", map[string]any{"file": "papers/bees.md", "start": 99999}, "start is 99999: the text has ", true},
		{"read", map[string]any{"file": "papers/bees.md", "bytes": 1 << 30}, "use 1 to 30000", true},
		{"chunk", map[string]any{"file": "papers/bees.md", "method": "sentences", "from": 1}, `"count":6`, false},
		{"chunk", map[string]any{"file": "papers/bees.md", "method": "nonesuch"}, "unknown method", true},
		{"chunk", map[string]any{"file": "papers/bees.md", "maxTokens": -1}, "must not be negative", true},
		{"cite", map[string]any{"file": "papers/bees.md", "quote": "each other. A scout looks for a hollow."}, `"section":"Bees"`, false},
		{"cite", map[string]any{"file": "papers/turns.pdf", "quote": "Venus turns backwards."}, `"section":"Planets","start":308`, false},
		{"cite", map[string]any{"file": "papers/bees.md", "quote": "Bees dance alone."}, "does not have these words in this order", true},
	} {
		if text, failed := call(c.name, c.args); failed != c.failed || !strings.Contains(text, c.says) {
			t.Errorf("%s %v: %s, failed %v; want %s", c.name, c.args, text, failed, c.says)
		}
	}
	// A file that changed is read again.
	if err := os.WriteFile(filepath.Join(dir, "papers", "new.txt"), []byte("An ouzel sings at the weir."), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, failed := call("search", map[string]any{"query": "ouzel"}); failed || !strings.Contains(text, `"file":"papers/new.txt"`) {
		t.Errorf("%s", text)
	}
	if err := client.Close(); err != nil || cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("closed: %v, %v", err, cmd.ProcessState)
	}
	for _, args := range [][]string{{"mcp"}, {"mcp", "--index", "x", "papers"}, {"mcp", "--lang", "de", "papers"}, {"mcp", "-"}} {
		if r := runIn(t, dir, nil, args...); r.status != 2 {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := runIn(t, dir, nil, "mcp", "none"); r.status != 1 || !strings.Contains(r.err, "none") {
		t.Errorf("%+v", r)
	}
}
