package process

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/experiment"
	"seam/shared/protocol"
)

// These tests run seam eval pipeline with a scripted provider.

// scholar answers as each prompt asks.
func scholar(r *upstreamtest.Request) upstreamtest.Script {
	body := string(r.Body)
	word := func(prompt string) bool {
		b, _ := json.Marshal(prompt)
		return strings.Contains(body, string(b[1:len(b)-1]))
	}
	switch d := experiment.DefaultPrompts; {
	case word(d.Correct), word(d.Faithful):
		return upstreamtest.Script{Words: []string{"0.5"}}
	case word(d.Relevant):
		return upstreamtest.Script{Words: []string{"1.0"}}
	case word(d.Title):
		return upstreamtest.Script{Words: []string{"Of ", "planets"}}
	case word(d.Knowledge):
		return upstreamtest.Script{Words: []string{`{"knowledge_chunks":[{"subject":"Venus",`, `"description":"It turns backwards."}]}`}}
	case word(d.SubQuestions):
		return upstreamtest.Script{Words: []string{`{"sub_questions":["How does Venus turn?","What is Mars?"]}`}}
	case strings.Contains(body, "earthquake"):
		return upstreamtest.Script{Words: []string{protocol.Refusal}}
	}
	return upstreamtest.Script{Words: []string{"Venus ", "turns ", "backwards."}}
}

const planets = "Venus turns backwards. It is hot there.\n\nMars is red. It has two moons.\n\nSaturn has rings of ice.\n"

const planetQuestions = `[{"question":"How does Venus turn?","ideal_answer":"Backwards.","has_answer":true},
 {"question":"Will there be an earthquake?","ideal_answer":"I don't know.","has_answer":false}]`

// evalPipeline runs seam eval pipeline, and returns its report too.
func evalPipeline(t *testing.T, p *upstreamtest.Server, cache, name, document string, args ...string) (result, experiment.Report) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "report.json")
	r := own(t, cache, append([]string{"eval", "pipeline", name, document, "--base-url", p.BaseURL, "--json", to}, args...)...)
	var report experiment.Report
	if b, err := os.ReadFile(to); err == nil {
		if err := json.Unmarshal(b, &report); err != nil {
			t.Fatal(err)
		}
	}
	return r, report
}

func TestPipelinesFromDocumentToFigures(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document, questions := file(t, "planets.txt", []byte(planets)), file(t, "questions.json", []byte(planetQuestions))
	for _, name := range []string{"semantic-chunking", "chunk-size", "knowledge-chunks", "contextual-headers"} {
		for _, how := range [][]string{{"--faithful", "--only", "1,2"}, nil} {
			r, report := evalPipeline(t, p, t.TempDir(), name, document, append([]string{"--questions", questions, "--repeat", "2"}, how...)...)
			for _, w := range report.Warnings {
				if !strings.Contains(w, "not supported") { // the scripted model says the same about every section
					t.Errorf("%s %v: %s", name, how, w)
				}
			}
			if r.status != 0 || report.Pipeline != name || report.Requests == 0 || len(report.Runs)%4 != 0 || len(report.Runs) == 0 {
				t.Errorf("%s %v: %+v\n%+v", name, how, r, report)
			}
			for _, want := range []string{"Venus turns backwards.", "not in this document", "unanswerable, refused"} {
				if !strings.Contains(r.out, want) {
					t.Errorf("%s %v prints no %q:\n%s", name, how, want, r.out)
				}
			}
			if !strings.HasPrefix(r.err, "seam: sending about ") || !strings.Contains(r.err, ": price unknown") || !strings.Contains(r.err, "seam: sent ") {
				t.Errorf("%s %v: %s", name, how, r.err)
			}
		}
	}
	models := map[string]bool{}
	for _, q := range p.Requests() {
		models[q.Model] = true
	}
	for _, m := range []string{"meta-llama/Llama-3.2-3B-Instruct", "BAAI/bge-en-icl", "gpt-4o", "text-embedding-3-small"} {
		if !models[m] {
			t.Errorf("%s was not asked", m)
		}
	}
}

// Pipelines read a set of questions in every form that seam eval grid reads.
func TestPipelinesReadEveryFormOfQuestions(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document := file(t, "planets.txt", []byte(planets))
	for name, content := range map[string]string{
		"q.json":  planetQuestions,
		"q.jsonl": `{"question":"How does Venus turn?","file":"planets.txt","excerpts":["Venus turns"],"ideal_answer":"Backwards."}` + "\n" + `{"question":"Will there be an earthquake?","has_answer":false}`,
		"q.csv":   "question;ideal_answer;has_answer\nHow does Venus turn?;Backwards.;\nWill there be an earthquake?;;FALSE\n",
		"e.csv":   "question,excerpt,ideal_answer\nHow does Venus turn?,Venus turns,Backwards.\nWill there be an earthquake?,,\n",
	} {
		r, report := evalPipeline(t, p, "off", "contextual-headers", document, "--embedding-model", "builtin", "--questions", file(t, name, []byte(content)))
		if r.status != 0 || len(report.Runs) != 2 || !report.Runs[0].Answerable || len(report.Runs[0].Scores) != 1 || report.Runs[1].Answerable {
			t.Errorf("%s: %+v\n%+v", name, r, report.Runs)
		}
	}
	const others = `{"question":"Why?","file":"b.txt"}{"question":"How does Venus turn?","file":"texts/planets.txt"}`
	r, report := evalPipeline(t, p, "off", "contextual-headers", document, "--embedding-model", "builtin", "--questions", file(t, "q.jsonl", []byte(others)))
	if r.status != 0 || len(report.Runs) != 1 || !strings.HasPrefix(r.err, "seam: of 2 questions, skipped: 1 about other documents\n") {
		t.Errorf("%+v", r)
	}
	if r, _ := evalPipeline(t, p, "off", "contextual-headers", document, "--questions", file(t, "q.json", []byte(`[{"question":"Why?","file":"b.txt"}]`))); r.status != 1 || !strings.Contains(r.err, "no question is about planets.txt; they are about other documents, such as b.txt") {
		t.Errorf("%+v", r)
	}
}

// Each published figure for the sources' own document is reproduced by one command.
func TestPublishedFiguresByCommand(t *testing.T) {
	dir := os.Getenv("SEAM_DATA")
	document, questions := filepath.Join(dir, "pdf/rag/AI_Information.pdf"), filepath.Join(dir, "val.json")
	if _, err := os.Stat(document); dir == "" || err != nil {
		t.Skip("SEAM_DATA has no pdf/rag/AI_Information.pdf")
	}
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	for name, want := range map[string]string{"semantic-chunking": "sentences 257 257 chunks 231 231", "chunk-size": "326 326 256 characters: chunks 164 164 512 characters: chunks 82 82", "contextual-headers": "chunks 42 42"} {
		r, report := evalPipeline(t, p, "off", name, document, "--questions", questions, "--faithful")
		if r.status != 0 || !strings.Contains(strings.Join(strings.Fields(r.out), " "), want) || len(report.Runs) == 0 {
			t.Errorf("%s: %d %s\n%s", name, r.status, r.err, r.out)
		}
	}
}

// Paid answers are not requested again, wherever a run was stopped, and suffice to make the
// same report.
func TestARunThatWasStoppedGoesOn(t *testing.T) {
	for _, name := range []string{"chunk-size", "knowledge-chunks", "contextual-headers"} {
		p := upstreamtest.Start()
		document, kept := file(t, "planets.txt", []byte(planets)), filepath.Join(t.TempDir(), "run.jsonl")
		args := []string{"--question", "How does Venus turn?", "--run", kept}
		p.By(scholar)
		whole, report := evalPipeline(t, p, "off", name, document, args...)
		all := len(p.Requests())
		if whole.status != 0 || report.Requests == 0 {
			t.Fatalf("%+v", whole)
		}
		if err := os.Remove(kept); err != nil {
			t.Fatal(err)
		}
		// The provider refuses after two answers of each run; the last run is complete.
		first := len(p.Requests())
		for n := 1; ; n++ {
			answered := 0
			p.By(func(r *upstreamtest.Request) upstreamtest.Script {
				if answered++; answered > 2 {
					return upstreamtest.Script{Status: http.StatusUnauthorized}
				}
				return scholar(r)
			})
			r, again := evalPipeline(t, p, "off", name, document, args...)
			if r.status == 0 {
				a, _ := json.Marshal(again)
				b, _ := json.Marshal(report)
				if !bytes.Equal(a, b) || r.out != whole.out {
					t.Errorf("%s: %s, in one go %s", name, a, b)
				}
				break
			}
			if !strings.Contains(r.err, "OPENAI_API_KEY") || n > 60 {
				t.Fatalf("%s: %+v", name, r)
			}
		}
		paid := 0
		seen := map[string]bool{}
		for _, q := range p.Requests()[first:] {
			if key := q.Path + string(q.Body); strings.HasSuffix(q.Path, "/completions") && !seen[key] {
				seen[key] = true
				paid++
			}
		}
		if all == 0 || paid > all {
			t.Errorf("%s: %d requests instead of %d", name, paid, all)
		}
		p.Close() // a replay sends no requests
		r, again := evalPipeline(t, p, "off", name, document, append(args, "--replay")...)
		a, _ := json.Marshal(again)
		b, _ := json.Marshal(report)
		if r.status != 0 || strings.Contains(r.err, "seam: sen") || !bytes.Equal(a, b) || r.out != whole.out {
			t.Errorf("%s replayed: %+v", name, r)
		}
		if r, _ := evalPipeline(t, p, "off", name, document, append(args, "--replay", "-k", "3")...); r.status != 2 || !strings.Contains(r.err, "another run") {
			t.Errorf("%s with other settings: %+v", name, r)
		}
	}
}

func TestAnswersThatCannotBeUsedAreWarnings(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	document := file(t, "planets.txt", []byte(planets))
	for _, script := range []upstreamtest.Script{{Words: []string{" "}}, {Words: []string{"as you like it"}}, {Fault: upstreamtest.Garbage}, {Fault: upstreamtest.CutStream}, {Words: []string{"{"}}} {
		for _, name := range []string{"chunk-size", "contextual-headers", "semantic-chunking"} {
			p.By(func(r *upstreamtest.Request) upstreamtest.Script {
				if strings.HasSuffix(r.Path, "/embeddings") {
					return upstreamtest.Script{}
				}
				return script
			})
			r, report := evalPipeline(t, p, "off", name, document, "--questions", file(t, "q.json", []byte(planetQuestions)), "--deviations", "order")
			if r.status != 0 || len(report.Warnings) == 0 || !strings.Contains(r.err, "seam: the judgement (") {
				t.Errorf("%s, %+v: %+v", name, script, r)
			}
			for _, run := range report.Runs {
				for _, score := range run.Scores {
					if score != 0 {
						t.Errorf("%s, %+v: %v", name, script, run.Scores)
					}
				}
			}
		}
	}
}

// An unusable answer was paid for, too: it is stored, is not requested again, and the
// report can be made from it.
func TestAnswersThatCannotBeUsedAreKept(t *testing.T) {
	for _, name := range []string{"chunk-size", "knowledge-chunks", "contextual-headers"} {
		p := upstreamtest.Start()
		began := false
		p.By(func(r *upstreamtest.Request) upstreamtest.Script {
			said := scholar(r)
			if strings.HasSuffix(r.Path, "/completions") && (!began || said.Words[0] == "Venus ") {
				began, said.Fault = true, upstreamtest.CutStream // the first request, and the answer
			}
			return said
		})
		args := []string{"--question", "How does Venus turn?", "--run", filepath.Join(t.TempDir(), "run.jsonl")}
		document := file(t, "planets.txt", []byte(planets))
		first, report := evalPipeline(t, p, "off", name, document, args...)
		want, _ := json.Marshal(report)
		asked := len(p.Requests())
		if first.status != 0 || !strings.Contains(strings.Join(report.Warnings, "\n"), "broke off") {
			t.Fatalf("%s: %+v", name, first)
		}
		for _, how := range []string{"resumed", "replayed"} {
			if how == "replayed" {
				p.Close()
				args = append(args, "--replay")
			}
			r, again := evalPipeline(t, p, "off", name, document, args...)
			if got, _ := json.Marshal(again); r.status != 0 || r.out != first.out || !bytes.Equal(got, want) || how == "resumed" && len(p.Requests()) != asked {
				t.Errorf("%s %s: %+v\n%s, before %s; %d requests, before %d", name, how, r, got, want, len(p.Requests()), asked)
			}
		}
	}
}

// A question refused by a provider's filter gives a warning and is requested again.
func TestARefusedQuestionEndsNoRun(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	refuses := true
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if refuses && strings.HasSuffix(r.Path, "/completions") && strings.Contains(string(r.Body), "earthquake") {
			return upstreamtest.Script{Status: http.StatusBadRequest, Body: `{"error":{"message":"content_filter"}}`}
		}
		return scholar(r)
	})
	document := file(t, "planets.txt", []byte(planets))
	args := []string{"--questions", file(t, "q.json", []byte(planetQuestions)), "--run", filepath.Join(t.TempDir(), "run.jsonl")}
	r, report := evalPipeline(t, p, "off", "chunk-size", document, args...)
	if told := strings.Join(report.Warnings, "\n"); r.status != 0 || !strings.Contains(told, "earthquake?” cannot be used: The provider's content filter rejected this request") || strings.Contains(told, "Venus") {
		t.Errorf("%+v", r)
	}
	refuses = false
	asked := len(p.Requests())
	r, report = evalPipeline(t, p, "off", "chunk-size", document, args...)
	if told := strings.Join(report.Warnings, "\n"); r.status != 0 || strings.Contains(told, "does not take") || len(p.Requests()) == asked {
		t.Errorf("%+v after %d requests, before %d", r, len(p.Requests()), asked)
	}
}

// A full disk causes one warning, and the paid run continues.
func TestARunGoesOnWhereTheDiskIsFull(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no limit of a file's size")
	}
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document, kept := file(t, "planets.txt", []byte(planets)), filepath.Join(t.TempDir(), "run.jsonl")
	args := []string{"eval", "pipeline", "knowledge-chunks", "--base-url", p.BaseURL, "--question", "How does Venus turn?", document}
	want := own(t, "off", args...)
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 3 && exec "$0" "$@"`, seam}, append(args, "--run", kept)...)...)
	cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+ownKey, "SEAM_PROXY=", "SEAM_CACHE=off")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || want.status != 0 || out.String() != want.out {
		t.Fatalf("%v\n%s\n%s", err, out.String(), errs.String())
	}
	if strings.Count(errs.String(), "is incomplete, and the rest would be requested again") != 1 || strings.Contains(errs.String(), "is stored in") {
		t.Error(errs.String())
	}
	// With room again, the same command asks for the missing answers.
	before := len(p.Requests())
	r := own(t, "off", append(args, "--run", kept)...)
	if asked := len(p.Requests()) - before; r.out != want.out || asked == 0 || asked >= before/2 || !strings.Contains(r.err, "is stored in") {
		t.Errorf("%+v after %d requests, before %d", r, asked, before)
	}
}

func TestPipelineMistakes(t *testing.T) {
	p := upstreamtest.Start()
	document, questions := file(t, "planets.txt", []byte(planets)), file(t, "questions.json", []byte(planetQuestions))
	for _, tt := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "set --questions FILE or --question TEXT", nil},
		{2, "--only 3", []string{"--questions", questions, "--only", "3"}},
		{2, "--only needs", []string{"--only", "1", "--question", "Why?"}},
		{2, "no \"retry\"", []string{"--question", "Why?", "--deviations", "retry"}},
		{2, "--faithful and --deviations", []string{"--question", "Why?", "--deviations", "order", "--faithful"}},
		{2, "set it with --run", []string{"--question", "Why?", "--replay"}},
		{2, "--sizes", []string{"--question", "Why?", "--sizes", "0"}},
		{2, "--judge-price needs two", []string{"--question", "Why?", "--judge-price", "1"}},
		{2, "none of the files", []string{"--question", "Why?", "--prompts", t.TempDir()}},
		{1, "questions.txt", []string{"--questions", file(t, "questions.txt", []byte("Why?"))}},
		{1, "not a run of seam", []string{"--question", "Why?", "--run", file(t, "mine.txt", []byte("mine"))}},
	} {
		r, _ := evalPipeline(t, p, "off", "chunk-size", document, tt.args...)
		if r.status != tt.status || r.out != "" || !strings.Contains(r.err, tt.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", tt.args, r)
		}
	}
	if n := len(p.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
	if r, _ := evalPipeline(t, p, "off", "chunk-size", document, "--question", "Why?", "--dry-run", "--price", "1", "--chat-price", "1,2"); r.status != 0 || len(p.Requests()) > 0 || !strings.HasPrefix(r.out, "would send about ") || !strings.Contains(r.out, "about $0.") {
		t.Errorf("%+v", r)
	}
	if r, _ := evalPipeline(t, p, "off", "chunk-size", document, "--list"); r.status != 0 || !strings.Contains(r.out, "scoring") {
		t.Errorf("%+v", r)
	}
	p.Close()
	if r, _ := evalPipeline(t, p, "off", "chunk-size", document, "--question", "Why?"); r.status != 1 || !strings.Contains(r.err, "127.0.0.1") && !strings.Contains(r.err, "reach") {
		t.Errorf("%+v", r)
	}
}
