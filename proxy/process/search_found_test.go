package process

import (
	"strings"
	"testing"
)

// seam search ends as grep does. A missing word is not replaced by a function word, and is not
// completed.
func TestSearchAsGrep(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "# Apples\n\nThe apples have been ripe since June. They were in the seed house.\n", "b.md": "# Lamps\n\nA lighthouse keeper trims the lamp.\n",
		"q.jsonl": "{\"id\":1,\"query\":\"zzqq\"}\n{\"id\":2,\"query\":\"lamp\"}\n", "none.jsonl": "{\"id\":1,\"query\":\"zzqq\"}\n"})
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"lamp", "a.md", "b.md"}, 0, ""},
		{[]string{"bees", "a.md"}, 1, "seam: no file has the word \"bees\"\n"},
		{[]string{"lightho", "b.md"}, 1, "seam: no file has the word \"lightho\"\n"},
		{[]string{"lighthuose", "b.md"}, 0, "searched for \"lighthouse\""},
		{[]string{"lamp", "b.md", "gone.md"}, 2, "gone.md: no such file"},
		{[]string{"lamp"}, 2, "give a file or folder"},
		{[]string{"--queries", "q.jsonl", "b.md"}, 0, ""},
		{[]string{"--queries", "none.jsonl", "b.md"}, 1, ""},
		{[]string{"--queries", "gone.jsonl", "b.md"}, 2, "gone.jsonl: no such file"},
		{[]string{"--index", "gone", "lamp"}, 2, "gone"},
	} {
		r := runIn(t, dir, nil, append([]string{"search", "--mode", "keyword"}, tt.args...)...)
		if r.status != tt.status || !strings.Contains(r.err, tt.says) || tt.says == "" && r.err != "" {
			t.Errorf("%q: %+v, want status %d and %q", tt.args, r, tt.status, tt.says)
		}
	}
}
