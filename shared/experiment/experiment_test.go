package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/read"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// model answers by the system prompt and the user's message.
type model struct {
	mu     sync.Mutex
	answer func(system, user string, r llm.Request) (llm.Reply, error)
	got    []llm.Request
}

func (m *model) Complete(_ context.Context, r llm.Request, _ func(string) error) (llm.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.got = append(m.got, r)
	reply, err := m.answer(r.Messages[0].Content, r.Messages[1].Content, r)
	reply.Tokens, reply.TokensOut = 10, 1
	if reply.Finish == "" {
		reply.Finish = "stop"
	}
	return reply, err
}

// says returns the reply of a well-behaved model.
func says(system, user string, _ llm.Request) (llm.Reply, error) {
	switch system {
	case DefaultPrompts.Correct, DefaultPrompts.Faithful:
		return llm.Reply{Text: "0.5"}, nil
	case DefaultPrompts.Relevant:
		return llm.Reply{Text: "1.0"}, nil
	case DefaultPrompts.Title:
		return llm.Reply{Text: "About " + strings.Fields(user)[0]}, nil
	case DefaultPrompts.Knowledge:
		b, err := json.Marshal(map[string]any{"knowledge_chunks": []any{map[string]string{"subject": "Text", "description": user}}})
		return llm.Reply{Text: string(b)}, err
	case DefaultPrompts.SubQuestions:
		return llm.Reply{Text: `{"sub_questions":["What are oaks?","What does a mill do?","Where do oaks stand?"]}`}, nil
	}
	if strings.Contains(user, "earthquake") {
		return llm.Reply{Text: "“" + protocol.Refusal + "”"}, nil
	}
	return llm.Reply{Text: "As the text says [1]."}, nil
}

const trees = `Oaks are trees of the hills. They stand there for a thousand years. Their wood is hard and heavy.

A mill grinds corn between two stones. The wind turns its sails. The miller takes his share.

Bees make honey and wax. A hive has one queen. The swarm leaves in June.`

var asked = []Question{{"What does a mill grind?", "Corn.", true}, {"Can oaks predict an earthquake?", protocol.Refusal, false}}

func document(t *testing.T, name string, b []byte) *text.Document {
	t.Helper()
	d, err := read.All().With(pdf.Name, pdf.Read).Read(name, b, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func run(t *testing.T, name string, d *text.Document, o Options, m *model) *Report {
	t.Helper()
	p, ok := Find(name)
	if !ok {
		t.Fatal(name)
	}
	o.Embedder, o.Header = "lexical", .5
	report, err := p.Run(t.Context(), d, asked, o, Host{LLM: m})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Without deviations, the figures must match those that the sources print for their
// document.
func TestPublishedFigures(t *testing.T) {
	dir := os.Getenv("SEAM_DATA")
	b, err := os.ReadFile(filepath.Join(dir, "pdf/rag/AI_Information.pdf"))
	if dir == "" || err != nil {
		t.Skip("SEAM_DATA has no pdf/rag/AI_Information.pdf")
	}
	d := document(t, "AI_Information.pdf", b)
	for name, want := range map[string][]Figure{
		"semantic-chunking":  {{"sentences", 257, 257}, {"chunks", 231, 231}},
		"chunk-size":         {{"128 characters: chunks", 326, 326}, {"256 characters: chunks", 164, 164}, {"512 characters: chunks", 82, 82}},
		"contextual-headers": {{"chunks", 42, 42}},
	} {
		if got := run(t, name, d, Options{}, &model{answer: says}).Figures; !slices.Equal(got, want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestEachPipelineAnswersAndJudges(t *testing.T) {
	d := document(t, "trees.md", []byte(trees))
	for _, p := range Pipelines() {
		for _, deviations := range [][]string{nil, p.All()} {
			m := &model{answer: says}
			got := run(t, p.Name, d, Options{Deviations: deviations, Repeat: 2}, m)
			if len(got.Warnings) > 0 || len(got.Runs)%4 != 0 || got.Requests != len(m.got) || got.Tokens != 10*len(m.got) || got.TokensOut != len(m.got) {
				t.Errorf("%s %v: %+v", p.Name, deviations, got)
			}
			for i, r := range got.Runs {
				want := asked[i/2%2]
				if r.Question != want.Text || r.Refused == want.Answerable || r.Repeat != i%2+1 || len(r.Passages) == 0 || r.Chunks == 0 {
					t.Errorf("%s %v: %+v", p.Name, deviations, r)
				}
				for _, passage := range r.Passages {
					if v := d.View(text.Content); deviations == nil && passage.Text != passage.Of(v.Text) {
						t.Errorf("%s: %+v is not at its place", p.Name, passage)
					}
				}
				judged := p.Name != "knowledge-chunks" || deviations != nil
				if !want.Answerable && deviations != nil {
					judged = false
				}
				if judged != (len(r.Scores) > 0) {
					t.Errorf("%s %v: %+v", p.Name, deviations, r.Scores)
				}
			}
		}
	}
}

// Each deviation alone must change a request or the result.
func TestEachDeviationIsOneByItself(t *testing.T) {
	var b strings.Builder
	for _, of := range []string{"pine", "yew", "mill", "honey", "corn", "stone", "wax", "hills", "queen", "swarm", "sails"} {
		b.WriteString("# Of " + of + "\n\n" + strings.ReplaceAll(trees, "The", "For "+of+" the") + "\n\n")
	}
	many := document(t, "many.md", []byte(b.String()))
	// Some deviations are visible only together with others, such as sections or a judge.
	beside := map[string][]string{"contextual-headers headers": {"text"}, "knowledge-chunks refusals": {"judge"}}
	for _, p := range Pipelines() {
		record := func(deviations ...string) string {
			m := &model{answer: func(system, user string, r llm.Request) (llm.Reply, error) {
				reply, err := says(system, user, r)
				if system == DefaultPrompts.Relevant {
					reply.Text = "Score: 1"
				}
				return reply, err
			}}
			report := run(t, p.Name, many, Options{Deviations: deviations, K: 3}, m)
			report.Deviations = nil
			b, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, r := range m.got {
				lines = append(lines, r.Messages[0].Content+r.Messages[1].Content)
			}
			slices.Sort(lines)
			return string(b) + strings.Join(lines, "\n")
		}
		for _, name := range p.All() {
			if name == readingText.Name || name == "retry" {
				continue // makes no difference in a text without pages; retry has its own test
			}
			others := beside[p.Name+" "+name]
			if record(append(others, name)...) == record(others...) {
				t.Errorf("%s: %s changes nothing", p.Name, name)
			}
		}
	}
	var settings *pipeline.SettingsError
	p, _ := Find("chunk-size")
	if _, err := p.Run(t.Context(), many, asked, Options{Deviations: []string{"nonsense"}, Embedder: "lexical"}, Host{}); !errors.As(err, &settings) || !strings.Contains(err.Error(), "scoring") {
		t.Error(err)
	}
}

func TestWhatCannotBeUsedIsAWarning(t *testing.T) {
	d := document(t, "trees.md", []byte(trees))
	bad := []func() (llm.Reply, error){
		func() (llm.Reply, error) { return llm.Reply{}, nil },
		func() (llm.Reply, error) { return llm.Reply{Text: "hm {", Finish: "length"}, nil },
		func() (llm.Reply, error) { return llm.Reply{}, &llm.NoAnswer{Reason: "it was cut short"} },
		func() (llm.Reply, error) { return llm.Reply{Text: `{"knowledge_chunks":3}`, Finish: "filter"}, nil },
	}
	for _, p := range Pipelines() {
		for i, f := range bad {
			m := &model{answer: func(system, user string, r llm.Request) (llm.Reply, error) {
				if system == DefaultPrompts.Knowledge && strings.Contains(user, "Bees") {
					return says(system, user, r) // one statement has to exist to be found
				}
				return f()
			}}
			got := run(t, p.Name, d, Options{}, m)
			if len(got.Warnings) == 0 || len(got.Runs) == 0 {
				t.Errorf("%s, %d: %+v", p.Name, i, got)
			}
			for _, r := range got.Runs {
				for name, score := range r.Scores {
					if score != 0 {
						t.Errorf("%s, %d: %s %v", p.Name, i, name, score)
					}
				}
			}
		}
	}
	// An unreachable model must end the run.
	p, _ := Find("contextual-headers")
	m := &model{answer: func(string, string, llm.Request) (llm.Reply, error) {
		return llm.Reply{}, errors.New("the key is refused")
	}}
	if _, err := p.Run(t.Context(), d, asked, Options{Embedder: "lexical"}, Host{LLM: m}); err == nil || err.Error() != "the key is refused" {
		t.Error(err)
	}
}

// No text may be lost if a model returns nothing usable for it, also in a faithful run. With
// retry the model is asked once more.
func TestASectionWithoutStatementsIsFoundItself(t *testing.T) {
	for most, deviations := range map[int][]string{1: nil, 2: {"retry"}} {
		testASectionWithoutStatements(t, deviations, most)
	}
}

func testASectionWithoutStatements(t *testing.T, deviations []string, most int) {
	t.Helper()
	d := document(t, "trees.md", []byte(trees))
	m := &model{answer: func(system, user string, r llm.Request) (llm.Reply, error) {
		if system == DefaultPrompts.Knowledge && strings.Contains(user, "mill") {
			return llm.Reply{Text: "no JSON today"}, nil
		}
		return says(system, user, r)
	}}
	got := run(t, "knowledge-chunks", d, Options{Deviations: deviations, K: 3}, m)
	if !slices.ContainsFunc(got.Runs[0].Passages, func(p Passage) bool { return strings.HasPrefix(p.Text, "A mill grinds") && p.Statement == nil }) {
		t.Errorf("%+v", got.Runs[0].Passages)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "section 2 has no statements and is searched by its own text") {
		t.Errorf("%q", got.Warnings)
	}
	tries := 0
	for _, r := range m.got {
		if r.Messages[0].Content == DefaultPrompts.Knowledge && strings.Contains(r.Messages[1].Content, "mill") {
			tries++
		}
	}
	if tries != most {
		t.Errorf("%d tries", tries)
	}
}

func TestTheJudgeGetsTheWholeResponseAsInTheSource(t *testing.T) {
	d := document(t, "trees.md", []byte(trees))
	for _, deviations := range [][]string{nil, {"judge"}} {
		m := &model{answer: says}
		run(t, "contextual-headers", d, Options{Deviations: deviations}, m)
		for _, r := range m.got {
			if whole := strings.Contains(r.Messages[1].Content, `"finish_reason":"stop"`); r.Messages[0].Content == DefaultPrompts.Correct && whole != (deviations == nil) {
				t.Errorf("%v: %s", deviations, r.Messages[1].Content)
			}
		}
	}
}

func TestStopEndsItAtOnce(t *testing.T) {
	d := document(t, "trees.md", []byte(trees))
	p, _ := Find("chunk-size")
	stop := errors.New("stopped")
	m := &model{answer: says}
	_, err := p.Run(t.Context(), d, asked, Options{Embedder: "lexical"}, Host{LLM: m, Progress: func(string, int, int) error { return stop }})
	if !errors.Is(err, stop) || len(m.got) > 12 {
		t.Errorf("%v after %d requests", err, len(m.got))
	}
}

// The same answers must give the same report, to the byte.
func TestReportsAreDeterministic(t *testing.T) {
	d := document(t, "trees.md", []byte(strings.Repeat(trees+"\n\n", 5)))
	for _, p := range Pipelines() {
		var first []byte
		for range 3 {
			b, err := json.Marshal(run(t, p.Name, d, Options{Deviations: p.All(), Repeat: 2}, &model{answer: says}))
			if err != nil || first != nil && !bytes.Equal(b, first) {
				t.Errorf("%s: %s\nthen %s %v", p.Name, first, b, err)
			}
			first = b
		}
	}
}
