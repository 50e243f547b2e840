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
		{[]string{"diff"}, `"diff" is gone: seam push --dry-run tells what a push would do`},
		{[]string{"diff", "--remote", "postgres://seam@127.0.0.1:9/x/y", "."}, `"diff" is gone: seam push --dry-run`},
		{[]string{"diff", "-h"}, `"diff" is gone: seam push --dry-run`},
		{[]string{"search", "--expansions", "x.jsonl", "query", "a.txt"}, "--expansions is gone: lines of --enriched"},
		{[]string{"search", "query", "a.txt", "--expansions=x.jsonl"}, "--expansions is gone: lines of --enriched"},
		{[]string{"model", "list"}, `"model list" is gone: name a model by its folder or file, --embedder encoder:PATH`},
		{[]string{"model", "list", "--models", "x"}, `"model list" is gone`},
		{[]string{"help", "model", "list"}, `"model list" is gone`},
		{[]string{"model", "remove", "small"}, `"model remove" is gone: name a model by its folder or file, --embedder encoder:PATH`},
	} {
		if r := run(t, "", c.args...); r.status != 2 || r.out != "" || !strings.HasPrefix(r.err, "seam: "+c.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", c.args, r)
		}
	}
}
