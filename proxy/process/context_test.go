package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/ranks"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/token"
)

// chronicle writes a text of many sections of about 350 tokens that all have the word weir.
func chronicle(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "# Year %d\n\n", 1700+i)
		for j := range 20 {
			fmt.Fprintf(&b, "In the month of flood number %d the keeper of the weir counted %d boats and wrote their names in his book. ", j+1, 3*i+j)
		}
		b.WriteString("\n\n")
	}
	path := filepath.Join(t.TempDir(), "chronicle.md")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// reads makes a provider count the tokens of o200k, and no more than its context holds.
func reads(t *testing.T, p *upstreamtest.Provider, context int) {
	t.Helper()
	e, err := ranks.Open(token.O200K)
	if err != nil {
		t.Skip(err)
	}
	p.Count = func(messages []string) (int, int) { return min(context, e.Count(strings.Join(messages, "\n"))), 0 }
}

var weir = []string{"ask", "--model", "c", "-k", "9", "--method", "sections", "--max-tokens", "600", "How many boats did the keeper of the weir count?"}

// If the model read only a part of the prompt, there is no answer, but the reason.
func TestAskNoticesACutPrompt(t *testing.T) {
	path := chronicle(t)
	l := linktest.Start(t, limit.Limits{})
	reads(t, l.Provider.Provider, 900)
	for door, r := range map[string]result{
		"proxy":    hosted(t, l, append(weir, path)...),
		"provider": own(t, t.TempDir(), append(weir, "--base-url", l.Provider.BaseURL, path)...),
	} {
		if r.status != 1 || r.out != "" || !strings.Contains(r.err, "no answer: The model read 900 of about ") || !strings.Contains(r.err, "-k") {
			t.Errorf("%s: %+v", door, r)
		}
	}
}

// Passages are fitted to the context that the server names, and those left out are named.
func TestAskFitsTheContext(t *testing.T) {
	path := chronicle(t)
	l := linktest.Start(t, limit.Limits{})
	l.Provider.Gets = map[string]string{"/api/ps": `{"models":[{"name":"c:latest","context_length":2048},{"name":"provider-c","context_length":2048}]}`}
	reads(t, l.Provider.Provider, 2048)
	for door, r := range map[string]result{
		"proxy":    hosted(t, l, append(weir, path)...),
		"provider": own(t, t.TempDir(), append(weir, "--base-url", l.Provider.BaseURL, path)...),
	} {
		if r.status != 0 || !strings.Contains(r.err, "of 9 passages fit into the model's context of 2048 tokens; not sent:\n  [") || !strings.Contains(r.err, path) {
			t.Errorf("%s: %+v", door, r)
		}
		if strings.Contains(r.out, "[9] ") {
			t.Errorf("%s: a passage that was not sent is a source: %s", door, r.out)
		}
	}
	if r := own(t, t.TempDir(), append(weir, "--dry-run", "--base-url", l.Provider.BaseURL, path)...); !strings.Contains(r.err, "of 9 passages fit into the model's context") {
		t.Errorf("dry run: %+v", r)
	}
}
