package process

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// announced is the number of requests that the output of a dry run lists, for embeddings and
// for answers. atMost is set if it gives a limit for answers.
type announced struct {
	embeddings, texts, answers int
	atMost                     bool
}

var (
	calls    = regexp.MustCompile(`^would send (?:(\d+) texts?|(\d+) queries|the query) \(about \d+ tokens?\) in (\d+) calls? to openai:e at 127\.0\.0\.1:\d+: `)
	requests = regexp.MustCompile(`^would send .*?(at most )?(\d+) requests? .*to c(?: at 127\.0\.0\.1:\d+)?[:,]|^would send .* in (1) request to c at 127\.0\.0\.1:\d+`)
)

func readDry(t *testing.T, out string) (a announced) {
	t.Helper()
	for line := range strings.Lines(out) {
		number := func(s string) int {
			n, _ := strconv.Atoi(s) // "" is 0
			return n
		}
		if m := calls.FindStringSubmatch(line); m != nil {
			texts := number(m[1]) + number(m[2])
			if texts == 0 {
				texts = 1
			}
			a.texts, a.embeddings = a.texts+texts, a.embeddings+number(m[3])
		} else if m := requests.FindStringSubmatch(line); m != nil {
			a.answers += number(m[2]) + number(m[3])
			a.atMost = a.atMost || m[1] != "" || strings.Contains(line, "at most")
		} else if strings.HasPrefix(line, "would send ") {
			t.Errorf("a line that nobody counts: %q", line)
		}
	}
	return a
}

// A dry run without one of its files is no success.
func TestDryRunsWithoutAFile(t *testing.T) {
	dir := tree(t, map[string]string{"bees.md": "# Bees\n\nBees dance for each other."})
	env := []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=off"}
	for _, args := range [][]string{
		{"chunk"}, {"search", "bees"}, {"ask", "--model", "c", "bees"}, {"bundle", "-o", "x.seam"}, {"ask", "--each", "--model", "c", "bees"},
	} {
		args = append(args, "--embedder", "openai:e", "--base-url", "http://127.0.0.1:9/v1", "--dry-run", "bees.md", "none.md")
		if r := runIn(t, dir, env, args...); r.status != failed(args[0]) || !strings.Contains(r.out, "would send ") || !strings.Contains(r.err, "none.md: no such file") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// A dry run lists exactly the requests that the same command makes without it.
func TestDryRunsListAllRequests(t *testing.T) {
	dir := tree(t, map[string]string{
		"bees.md":         "# Bees\n\nBees dance for each other. A scout looks for a hollow. The swarm follows the scout.\n\n# Moths\n\nMoths fly at night. They like lamps.\n",
		"mills.txt":       "A windmill turns its cap into the wind. The sails drive a shaft. The shaft drives the stones.",
		"queries.jsonl":   `{"id":1,"query":"who dances"}` + "\n" + `{"id":2,"query":"what turns"}` + "\n",
		"questions.txt":   "Who dances?\nWhat turns?\n",
		"retrieval.jsonl": `{"question":"Who dances?","file":"bees.md","excerpts":["Bees dance for each other."]}` + "\n",
	})
	for _, args := range [][]string{
		{"chunk", "--embedder", "openai:e", "bees.md", "mills.txt"},
		{"chunk", "--embedder", "openai:e", "--method", "sections", "bees.md"},
		{"chunk", "--embedder", "openai:e", "--method", "sections", "--format", "qdrant", "bees.md"},
		{"chunk", "bees.md"},
		{"bundle", "--embedder", "openai:e", "-o", "out.seam", "bees.md"},
		{"embed", "--embedder", "openai:e", "-o", "out.npy", "questions.txt"},
		{"search", "--embedder", "openai:e", "who dances", "bees.md", "mills.txt"},
		{"search", "--embedder", "openai:e", "--method", "sections", "who dances", "bees.md"},
		{"search", "--embedder", "openai:e", "--mode", "dense", "--queries", "queries.jsonl", "bees.md"},
		{"search", "--embedder", "openai:e", "--mode", "keyword", "--method", "sections", "who dances", "bees.md"},
		{"search", "who dances", "bees.md"},
		{"ask", "--embedder", "openai:e", "--model", "c", "Who dances?", "bees.md"},
		{"ask", "--embedder", "openai:e", "Who dances?", "bees.md"},
		{"ask", "--model", "c", "Who dances?", "bees.md"},
		{"ask", "--each", "--model", "c", "--questions", "questions.txt", "bees.md", "mills.txt"},
		{"ask", "--each", "--embedder", "openai:e", "--model", "c", "--questions", "questions.txt", "bees.md", "mills.txt"},
		{"enrich", "headers", "--from", "model", "--model", "c", "-o", "out.jsonl", "mills.txt"},
		{"enrich", "headers", "-o", "out.jsonl", "bees.md"},
		{"eval", "retrieval", "--embedder", "openai:e", "--questions", "retrieval.jsonl", "--ranker", "dense", "--methods", "percentile"},
		{"eval", "retrieval", "--embedder", "openai:e", "--questions", "retrieval.jsonl", "--ranker", "hybrid", "--methods", "percentile,sections"},
		{"eval", "grid", "--embedders", "openai:e", "--questions", "retrieval.jsonl", "--methods", "percentile", "--sizes", "50"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			p := upstreamtest.Start()
			defer p.Close()
			env := []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=" + t.TempDir()}
			hosted := append(args[:len(args):len(args)], "--base-url", p.BaseURL)
			// A stored vector is not sent again: the second pair runs with the cache of the first.
			for _, when := range []string{"first", "again"} {
				for _, name := range []string{"out.seam", "out.npy", "out.jsonl"} {
					os.Remove(filepath.Join(dir, name))
				}
				before := len(p.Requests())
				dry := runIn(t, dir, env, append(hosted, "--dry-run")...)
				if dry.status != 0 || len(p.Requests()) != before {
					t.Fatalf("%s: %d requests: %+v", when, len(p.Requests())-before, dry)
				}
				want := readDry(t, dry.out)
				if real := runIn(t, dir, env, hosted...); real.status != 0 {
					t.Fatalf("%s: %+v", when, real)
				}
				var got announced
				for _, r := range p.Requests()[before:] {
					if strings.HasSuffix(r.Path, "/embeddings") {
						got.embeddings, got.texts = got.embeddings+1, got.texts+len(r.Texts)
					} else {
						got.answers++
					}
				}
				if got.answers > want.answers || got.answers < want.answers && !want.atMost || got.embeddings != want.embeddings || got.texts != want.texts {
					t.Errorf("%s: made %+v, announced %+v:\n%s%s", when, got, want, dry.out, dry.err)
				}
				if nothing := strings.Contains(dry.out, "nothing would be sent"); nothing != (got == announced{}) {
					t.Errorf("%s: made %+v:\n%s", when, got, dry.out)
				}
			}
		})
	}
}
