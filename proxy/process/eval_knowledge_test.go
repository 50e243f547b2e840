package process

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/experiment"
)

// answering returns the user messages of the requests to answer from passages.
func answering(t *testing.T, p *upstreamtest.Server) (users []string) {
	t.Helper()
	for _, q := range p.Requests() {
		var body struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(q.Body, &body); err != nil {
			t.Fatal(err)
		}
		if m := body.Messages; len(m) == 2 && (m[0].Content == experiment.DefaultPrompts.Answer || m[0].Content == experiment.DefaultPrompts.Cited) {
			users = append(users, m[1].Content)
		}
	}
	return users
}

// A model's statements help find passages, but answers are based only on the text.
func TestStatementsOfAModelAreNoContext(t *testing.T) {
	document := file(t, "planets.txt", []byte(planets))
	ask := func(args ...string) (experiment.Run, string) {
		p := upstreamtest.Start()
		defer p.Close()
		p.By(scholar) // says the same about every section, so that most of it is not grounded
		r, report := evalPipeline(t, p, "off", "knowledge-chunks", document, append([]string{"--question", "Which planets?"}, args...)...)
		users := answering(t, p)
		if r.status != 0 || len(report.Runs) != 1 || len(users) != 1 {
			t.Fatalf("%q: %+v, %q", args, r, users)
		}
		if strings.Contains(users[0], "Header") || strings.Contains(users[0], "Venus: It turns") {
			t.Errorf("%q: the model is given a statement: %s", args, users[0])
		}
		return report.Runs[0], users[0]
	}
	const first, second = "Venus turns backwards. It is hot there.", "Mars is red. It has two moons."
	faithful, user := ask("--faithful", "-k", "2")
	if want := "Context 1:\n" + strings.Join([]string{first, second, first, second}, " ") + "\n\nQuestion: Which planets?"; user != want {
		t.Errorf("%q instead of %q", user, want)
	}
	similar, again := ask("--deviations", "similarity", "-k", "2")
	if again != user || len(similar.Passages) != 4 || len(faithful.Passages) != 4 {
		t.Fatalf("%+v, %+v", faithful, similar)
	}
	for i, p := range similar.Passages {
		if got, want := faithful.Passages[i].Score, math.Sqrt(2-2*p.Score); math.Abs(got-want) > 1e-9 || want == p.Score {
			t.Errorf("passage %d has the distance %v instead of %v", i, got, want)
		}
		if p.Statement == nil || p.Statement.Description != "It turns backwards." || p.Statement.Grounded != (i%2 == 0) || p.Header != "" {
			t.Errorf("passage %d: %+v", i, p)
		}
	}
	if single, _ := ask("--deviations", "duplicates", "-k", "2"); len(single.Passages) != 2 {
		t.Errorf("%+v", single.Passages)
	}
	if _, user := ask("-k", "4"); !strings.HasPrefix(user, "[1] "+first) {
		t.Error(user)
	}
}
