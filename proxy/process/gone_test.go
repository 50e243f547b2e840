package process

import (
	"strings"
	"testing"
)

// A removed command or flag fails with one line that names its replacement.
func TestGone(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"diff"}, `"diff" was removed: use seam push --dry-run to preview a push`},
		{[]string{"diff", "--remote", "postgres://seam@127.0.0.1:9/x/y", "."}, `"diff" was removed: use seam push --dry-run`},
		{[]string{"diff", "-h"}, `"diff" was removed: use seam push --dry-run`},
		{[]string{"search", "--expansions", "x.jsonl", "query", "a.txt"}, "--expansions was removed: put extra search words into the lines of --enriched"},
		{[]string{"search", "query", "a.txt", "--expansions=x.jsonl"}, "--expansions was removed: put extra search words into the lines of --enriched"},
		{[]string{"model", "list"}, `"model list" was removed: give the path of a model's folder or file, --embedder encoder:PATH`},
		{[]string{"model", "list", "--models", "x"}, `"model list" was removed`},
		{[]string{"help", "model", "list"}, `"model list" was removed`},
		{[]string{"model", "remove", "small"}, `"model remove" was removed: give the path of a model's folder or file, --embedder encoder:PATH`},
	} {
		if r := run(t, "", c.args...); r.status != 2 || r.out != "" || !strings.HasPrefix(r.err, "seam: "+c.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", c.args, r)
		}
	}
}
