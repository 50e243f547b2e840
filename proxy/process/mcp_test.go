package process

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client of the official SDK starts the program, and finds and reads a page.
func TestMCP(t *testing.T) {
	dir, _ := indexed(t)
	cmd := exec.Command(seam, "mcp", "--index", dir)
	cmd.Stderr = os.Stderr
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := client.ListTools(context.Background(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Fatalf("%+v, %v", tools, err)
	}
	call := func(name string, args map[string]any) (text string, failed bool) {
		r, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatalf("%s %v: %v", name, args, err)
		}
		return r.Content[0].(*mcp.TextContent).Text, r.IsError
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
