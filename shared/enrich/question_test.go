package enrich

import (
	"strings"
	"testing"

	"seam/shared/llm"
)

func TestQuestionsHaveTheirExcerptsFromTheText(t *testing.T) {
	s := &scripted{texts: []string{"Here they are.", `{"questions":[
		{"question":" When was the\nloom built? ","excerpt":"The loom was  built in 1804 by a weaver\nfrom Lyon.","answer":"In 1804."},
		{"question":"Who paid?","excerpt":"The king paid for it."},
		{"question":"What lifts the threads?","excerpt":"Punched cards lift its threads."},
		{"question":"What lifts them?","excerpt":"Punched cards lift its threads."},
		{"question":"","excerpt":"Punched cards"},{"question":"What?","excerpt":" "}]}`}}
	got, dropped, err := Writer{LLM: s, Model: "m", Retry: true}.Questions(t.Context(), looms, 2)
	if err != nil || len(got) != 2 || dropped != 1 || len(s.got) != 2 {
		t.Fatalf("%+v, %d dropped, %v after %d requests", got, dropped, err, len(s.got))
	}
	if q := got[0]; q.Question != "When was the loom built?" || q.Answer != "In 1804." || !strings.HasPrefix(q.Excerpt, "The loom was") || got[1].Question != "What lifts the threads?" {
		t.Errorf("%+v", got)
	}
	if r := s.got[0]; !r.JSON || r.Messages[0].Content != Default.Questions || r.Messages[1].Content != "Questions wanted: 2\n\nText:\n"+looms {
		t.Errorf("%+v", r)
	}
	for answer, want := range map[string]string{
		`{"questions":[]}`: `no "questions"`,
		`{"questions":[{"question":"Who paid?","excerpt":"The king paid for it."}]}`: "none of its excerpts",
		`{"questions":[{"question":"Who`:                                             "damaged",
	} {
		s := &scripted{texts: []string{answer, answer}}
		got, _, err := Writer{LLM: s, Retry: true}.Questions(t.Context(), looms, 1)
		if reason, none := llm.Unusable(err); !none || !strings.Contains(reason, want) || len(got) != 0 || len(s.got) != 2 {
			t.Errorf("%s: %+v, %v after %d requests", answer, got, err, len(s.got))
		}
	}
}
