package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model does not get a list of references unless the question asks for it. An appendix
// after the list is no part of it.
func TestAskLeavesOutLists(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Wheels\n\nThe overshot wheel needs the least water of all wheels.\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "Wheel %d turns where the river falls by %d feet, and its stones grind %d sacks.\n\n", i, i+3, 7*i)
	}
	b.WriteString("## References\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "Miller, A. (%d): The overshot wheel and its water, volume %d. Valley Press.\n\n", 1800+i, i)
	}
	b.WriteString("Appendix\n\n" + strings.Repeat("The overshot wheel of the appendix is painted green. ", 12))
	path := filepath.Join(t.TempDir(), "wheels.md")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(question string) result {
		return run(t, "", "ask", "--mode", "keyword", "--max-tokens", "100", "-k", "4", question, path)
	}
	const note = "of lists of references or contents: name the list in the question to have them"
	if r := ask("overshot wheel water"); r.status != 0 || strings.Contains(r.out, "Valley Press") || !strings.Contains(r.out, "the least water") ||
		!strings.Contains(r.out, "painted green") || !strings.Contains(r.err, note) {
		t.Errorf("%+v", r)
	}
	r := own(t, "off", "ask", "--dry-run", "--base-url", "http://127.0.0.1:9/v1", "--model", "c", "--mode", "keyword", "--max-tokens", "100", "-k", "4", "overshot wheel water", path)
	if r.status != 0 || !strings.Contains(r.out, "[2] begins with: ") || !strings.Contains(r.err, note) {
		t.Errorf("a dry run lists other passages: %+v", r)
	}
	if r := ask("references on the overshot wheel"); r.status != 0 || !strings.Contains(r.out, "Valley Press") || strings.Contains(r.err, note) {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "search", "--mode", "keyword", "--max-tokens", "100", "overshot wheel water volume", path); !strings.Contains(r.out, "Valley Press") {
		t.Errorf("a search leaves out the list: %+v", r)
	}
	at := strings.Index(b.String(), "## References")
	if r := run(t, "", "text", "--format", "json", path); !strings.Contains(r.out, fmt.Sprintf(`{"kind":"references","start":%d,"end":%d}`, at, strings.Index(b.String(), "\n\nAppendix"))) {
		t.Errorf("no element is the list of references: %s", r.out)
	}
	if r := run(t, "", "chunk", "--format", "jsonl", "--max-tokens", "100", path); !strings.Contains(r.out, `"part":"references"`) {
		t.Errorf("no chunk is of the references: %+v", r)
	}
}
