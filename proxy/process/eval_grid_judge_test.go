package process

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/experiment"
)

// These tests run seam eval grid with a model that answers and one that judges, both
// scripted.

// judgedGrid is the part about answers of the output of seam eval grid --json.
type judgedGrid struct {
	Rows []struct {
		Method, Ranker string
		Answers        *struct {
			Faithfulness, Relevancy, Quality struct{ Mean, Low, High *float64 }
			Tie                              bool
			Refused, Unanswerable            int
			RefusedRightly                   int
			Read, Written                    float64
			Dollars, Spread                  *float64
		}
	}
	BestAnswers string
	Made        int
	Runs        []experiment.Run
	Warnings    []string
}

// judgedSet returns a document and questions about it, one made by a model and one without
// an answer.
func judgedSet(t *testing.T) (document, questions string) {
	t.Helper()
	return file(t, "planets.txt", []byte(planets)), file(t, "q.jsonl", []byte(`{"question":"How does Venus turn?","excerpts":["Venus turns backwards."],"ideal_answer":"Backwards."}
{"question":"How many moons has Mars?","excerpts":["It has two moons."],"made":"model:m"}
{"question":"Which <b>colour</b> is Mars?","excerpts":["Mars is red."]}
{"question":"What are the rings of Saturn of?","excerpts":["rings of ice"]}
{"question":"Will there be an earthquake?","has_answer":false}`))
}

func gridArgs(document, questions string, more ...string) []string {
	return append([]string{"eval", "grid", document, "--questions", questions, "--methods", "sentences,recursive", "--sizes", "8", "--tokens", "words", "--rankers", "bm25,keyword", "-k", "2", "--model", "c", "--json"}, more...)
}

func readJudged(t *testing.T, r result) (g judgedGrid) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.out), &g); r.status != 0 || err != nil {
		t.Fatalf("%v %+v", err, r)
	}
	return g
}

// picky refuses questions about Saturn, and judges answers about Mars without a number.
func picky(r *upstreamtest.Request) upstreamtest.Script {
	body := string(r.Body)
	s := scholar(r)
	switch {
	case strings.Contains(body, "Question: What are the rings"):
		return scholar(&upstreamtest.Request{Body: []byte("earthquake")})
	case strings.Contains(body, "many moons") && len(s.Words) == 1 && s.Words[0] == "1.0":
		return upstreamtest.Script{Words: []string{"quite <good>"}}
	}
	return s
}

func TestGridAnswersAreJudged(t *testing.T) {
	p := upstreamtest.Start()
	document, questions := judgedSet(t)
	dir := t.TempDir()
	p.By(picky)
	page := func(name string) string { return filepath.Join(dir, name) }
	args := gridArgs(document, questions, "--base-url", p.BaseURL, "--run", page("run.jsonl"), "--chat-price", "100,200")
	if dry := own(t, "off", append(args, "--dry-run")...); dry.status != 0 || len(p.Requests()) > 0 || !strings.HasPrefix(dry.out, "would send about ") || !strings.Contains(dry.out, "about $") {
		t.Errorf("%+v after %d requests", dry, len(p.Requests()))
	}
	first := own(t, "off", append(args, "--report", page("first.html"))...)
	g := readJudged(t, first)
	if len(g.Rows) != 4 || g.Made != 1 || len(g.Runs) != 4*5 || g.BestAnswers == "" {
		t.Fatalf("%+v", first)
	}
	for _, row := range g.Rows { // (.5+.5+.5+0)/4, (1+0+1+0)/4
		a := row.Answers
		if a == nil || *a.Faithfulness.Mean != .375 || *a.Relevancy.Mean != .5 || *a.Quality.Mean != .4375 || a.Quality.Low == nil || !a.Tie || a.Refused != 1 || a.Unanswerable != 1 || a.RefusedRightly != 1 || a.Dollars == nil || a.Read == 0 {
			t.Errorf("%+v", row)
		}
	}
	if len(g.Warnings) == 0 || !strings.Contains(first.err, "is not a score and counts as 0") || strings.Count(first.err, "is not a score and counts as 0") >= len(g.Warnings) || !strings.Contains(first.err, " times)\n") || !strings.Contains(first.err, "seam: sending about ") || !strings.Contains(first.err, "seam: sent ") {
		t.Error(first.err)
	}
	seen := map[string]bool{}
	for _, q := range p.Requests() {
		if seen[string(q.Body)] && !strings.Contains(string(q.Body), "Answer: ") { // two settings may get the same answer, which is judged once
			t.Errorf("asked twice: %s", q.Body)
		}
		seen[string(q.Body)] = true
	}
	html := string(mustRead(t, page("first.html")))
	for _, want := range []string{"quite &lt;good&gt;", "Which &lt;b&gt;colour", "Cost of an answer", "$ for 1000 answers", "Made by model:m", "1 question was written by a model", "a refusal is right", "<details>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	// Nothing is requested again, and a replay needs no provider.
	before := len(p.Requests())
	if again := own(t, "off", args...); again.out != first.out || len(p.Requests()) != before {
		t.Errorf("%+v after %d requests, before %d", again, len(p.Requests()), before)
	}
	if again := own(t, "off", gridArgs(document, questions, "--base-url", p.BaseURL, "--run", page("run.jsonl"))...); again.out != first.out || len(p.Requests()) != before {
		t.Errorf("a price that is not said again: %+v", again)
	}
	p.Close()
	replay := runIn(t, t.TempDir(), []string{"OPENAI_API_KEY=", "SEAM_PROXY=", "SEAM_CACHE=off"}, gridArgs(document, questions, "--run", page("run.jsonl"), "--replay", "--report", page("again.html"))...)
	if replay.out != first.out || !bytes.Equal(mustRead(t, page("again.html")), []byte(html)) {
		t.Errorf("%+v", replay)
	}
}

func TestGridAnswersInTables(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(picky)
	document, questions := judgedSet(t)
	args := gridArgs(document, questions, "--base-url", p.BaseURL, "--repeat", "2", "--judge-model", "other")
	args = append(args[:len(args)-7], args[len(args)-6:]...) // without --json
	r := own(t, "off", args...)
	for _, want := range []string{"quality", "rightly refused", "2 of 2", "tokens read", "Answers: no difference can be told with 4 questions.", "1 question was written by a model", "Answers, chosen on one half"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	if r := own(t, "off", append(args, "--csv")...); r.status != 0 || !strings.Contains(r.out, ",quality,quality_low,quality_high,") || strings.Count(r.out, "\n") != 5 {
		t.Errorf("%+v", r)
	}
}

// Paid answers are not requested again, wherever the run was killed or stopped.
func TestKilledGridPaysNothingTwice(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", ownKey)
	t.Setenv("SEAM_PROXY", "")
	t.Setenv("SEAM_CACHE", "off")
	for name, signal := range map[string]os.Signal{"killed": os.Kill, "stopped": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			p := upstreamtest.Start()
			defer p.Close()
			document, questions := judgedSet(t)
			kept := filepath.Join(t.TempDir(), "run.jsonl")
			args := gridArgs(document, questions, "--base-url", p.BaseURL)
			p.By(scholar)
			whole := readJudged(t, own(t, "off", args...))
			all := len(p.Requests())
			held, release := holdAfter(3, scholar)
			p.By(held)
			args = append(args, "--run", kept)
			state, told := endedOnTheWay(t, "", args, signal, func() bool { return replies(t, kept) >= 3 && len(p.Requests()) == all+3+atATime })
			release()
			if signal == os.Interrupt && (state.ExitCode() != 130 || !strings.Contains(told, "the run is stored in "+kept) || !strings.HasSuffix(told, "seam: stopped\n")) {
				t.Errorf("%d %s", state.ExitCode(), told)
			}
			p.By(scholar)
			before, had := len(p.Requests()), replies(t, kept)
			again := readJudged(t, own(t, "off", args...))
			a, _ := json.Marshal(again.Runs)
			b, _ := json.Marshal(whole.Runs)
			if asked := len(p.Requests()) - before; asked != all-had || !bytes.Equal(a, b) {
				t.Errorf("%d requests after %d of %d", asked, had, all)
			}
		})
	}
}

func TestGridAnswersEndWhereNobodyAnswers(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	document, questions := judgedSet(t)
	p.Always(upstreamtest.Script{Status: http.StatusUnauthorized})
	if r := own(t, "off", gridArgs(document, questions, "--base-url", p.BaseURL)...); r.status != 1 || r.out != "" || strings.Count(r.err, "OPENAI_API_KEY") != 1 {
		t.Errorf("%+v", r)
	}
	for want, more := range map[string][]string{"use 1 or more": {"--repeat", "0"}, "--chat-price needs": {"--chat-price", "1"}} {
		if r := own(t, "off", gridArgs(document, questions, append(more, "--base-url", p.BaseURL)...)...); r.status != 2 || !strings.Contains(r.err, want) {
			t.Errorf("%+v", r)
		}
	}
}

// Through a proxy the answers have the same scores.
func TestGridAnswersBehindAProxy(t *testing.T) {
	l := linktest.Start(t, limit.Limits{})
	l.Provider.By(picky)
	p := upstreamtest.Start()
	defer p.Close()
	p.By(picky)
	document, questions := judgedSet(t)
	want := readJudged(t, own(t, "off", gridArgs(document, questions, "--base-url", p.BaseURL)...))
	got := readJudged(t, hosted(t, l, gridArgs(document, questions)...))
	a, _ := json.Marshal(got.Runs)
	b, _ := json.Marshal(want.Runs)
	if !bytes.Equal(a, b) {
		t.Errorf("%s instead of %s", a, b)
	}
}
