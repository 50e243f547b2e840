package enrich

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode"

	"seam/shared/llm"
)

// scripted answers each request with the next of its texts.
type scripted struct {
	texts []string
	got   []llm.Request
	ends  string
}

func (s *scripted) Complete(_ context.Context, r llm.Request, _ func(string) error) (llm.Reply, error) {
	if len(s.got) == len(s.texts) {
		return llm.Reply{}, errors.New("the provider is away")
	}
	s.got = append(s.got, r)
	return llm.Reply{Text: s.texts[len(s.got)-1], Finish: s.ends}, nil
}

const looms = "The loom was built in 1804 by a weaver from Lyon. Punched cards lift its threads."

func TestStatementsAreCheckedAgainstTheirSection(t *testing.T) {
	s := &scripted{texts: []string{"```json\n" + `{"knowledge_chunks":[
		{"subject":"Loom","description":"A weaver from Lyon built it in 1804."},
		{"subject":"Loom","description":"It was built in 1805 by a weaver."},
		{"subject":"Moon","description":"Astronauts walked across craters yesterday."},
		{"subject":"empty","description":" "}]}` + "\n```"}}
	got, err := Writer{LLM: s, Model: "m"}.Knowledge(t.Context(), looms)
	if err != nil || len(got) != 3 || !got[0].Grounded || got[1].Grounded || got[2].Grounded {
		t.Errorf("%+v, %v", got, err)
	}
	if got[0].Text() != "Loom: A weaver from Lyon built it in 1804." {
		t.Errorf("%q", got[0].Text())
	}
	if r := s.got[0]; !r.JSON || r.Messages[0].Content != Default.Knowledge || r.Messages[1].Content != looms || *r.Temperature != 0 {
		t.Errorf("%+v", r)
	}
}

func TestStatementsAreBounded(t *testing.T) {
	many := `{"knowledge_chunks":[{"subject":"Loom","description":"` + strings.Repeat("long ", longestStatement) + `"}` + strings.Repeat(`,{"subject":"Loom","description":"A weaver built it."}`, 100_000) + `]}`
	got, err := Writer{LLM: &scripted{texts: []string{many}}, Model: "m"}.Knowledge(t.Context(), looms)
	if err != nil || len(got) != mostStatements || got[0].Description != "A weaver built it." {
		t.Errorf("%d statements, %v", len(got), err)
	}
}

func TestWhatCannotBeUsedIsAskedForOnce(t *testing.T) {
	for _, bad := range []string{"", "no", `{"knowledge_chunks":[]}`, `{"chunks":[{"subject":"a","description":"b"}]}`, `{"knowledge_chunks":"a"}`, `{"knowledge_chunks":[{"sub`} {
		good := `{"knowledge_chunks":[{"subject":"Loom","description":"Punched cards lift threads."}]}`
		s := &scripted{texts: []string{bad, good}}
		got, err := Writer{LLM: s, Retry: true}.Knowledge(t.Context(), looms)
		if err != nil || len(got) != 1 || len(s.got) != 2 || s.got[1].Nth != 1 || s.got[0].Key() == s.got[1].Key() {
			t.Errorf("%q: %+v, %v, %d requests", bad, got, err, len(s.got))
		}
		var unusable *llm.NoAnswer
		s = &scripted{texts: []string{bad, bad}, ends: "length"}
		if _, err = (Writer{LLM: s, Retry: true}).Knowledge(t.Context(), looms); !errors.As(err, &unusable) || !strings.HasPrefix(err.Error(), "it is cut off: ") {
			t.Errorf("%q twice: %v", bad, err)
		}
		s = &scripted{texts: []string{bad, good}}
		if _, err = (Writer{LLM: s}).Knowledge(t.Context(), looms); !errors.As(err, &unusable) || len(s.got) != 1 {
			t.Errorf("%q without a second try: %v, %d requests", bad, err, len(s.got))
		}
	}
	var unusable *llm.NoAnswer
	if _, err := (Writer{LLM: &scripted{}, Retry: true}).Knowledge(t.Context(), looms); err == nil || errors.As(err, &unusable) {
		t.Errorf("a provider that is away: %v", err)
	}
}

// A stored answer that was cut short must also be requested again.
func TestNoAnswerIsAskedForOnce(t *testing.T) {
	store := kept{}
	asked := 0
	cut := func(_ context.Context, r llm.Request) (llm.Reply, error) {
		if asked++; r.Nth == 0 {
			return llm.Reply{Tokens: 3}, &llm.NoAnswer{Reason: "it was cut short"}
		}
		return llm.Reply{Text: "Looms"}, nil
	}
	for range 2 {
		w := Writer{LLM: llm.NewKept(modelFunc(cut), store), Retry: true}
		if title, err := w.Title(t.Context(), looms); title != "Looms" || err != nil || asked != 2 {
			t.Errorf("%q, %v after %d requests", title, err, asked)
		}
	}
	_, err := Writer{LLM: llm.NewKept(modelFunc(cut), store)}.Title(t.Context(), looms)
	if reason, none := llm.Unusable(err); !none || reason != "it was cut short" || asked != 2 {
		t.Errorf("without a second try: %v after %d requests", err, asked)
	}
}

type modelFunc func(context.Context, llm.Request) (llm.Reply, error)

func (f modelFunc) Complete(ctx context.Context, r llm.Request, _ func(string) error) (llm.Reply, error) {
	return f(ctx, r)
}

type kept map[string]llm.Reply

func (k kept) Reply(r llm.Request) (llm.Reply, bool)     { reply, ok := k[r.Key()]; return reply, ok }
func (k kept) Keep(r llm.Request, reply llm.Reply) error { k[r.Key()] = reply; return nil }

func TestTitlesAndSubQuestions(t *testing.T) {
	s := &scripted{texts: []string{"**\"Looms of Lyon\"**\n\nI hope it helps.", `{"sub_questions":["Who built it?"," ","When?"]}`}}
	w := Writer{LLM: s, Prompts: Prompts{Title: "own words"}}
	if title, err := w.Title(t.Context(), looms); err != nil || title != "Looms of Lyon" || s.got[0].Messages[0].Content != "own words" {
		t.Errorf("%q, %v", title, err)
	}
	if got, err := w.SubQuestions(t.Context(), "Who built it, and when?"); err != nil || strings.Join(got, "|") != "Who built it?|When?" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSections(t *testing.T) {
	in := " \n\nOne line,\nand another.  \n \t\r\nTwo\n\n\n\nThree\n"
	var got []string
	for _, s := range Sections(in) {
		got = append(got, s.Of(in))
	}
	if strings.Join(got, "|") != "One line,\nand another.|Two|Three" {
		t.Errorf("%q", got)
	}
	if len(Sections(" \n\n ")) != 0 {
		t.Error("white space is a section")
	}
}

func FuzzSections(f *testing.F) {
	f.Add("a\n\nb")
	f.Add("\xff\n\n\xfe \u00a0\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		last := 0
		for _, s := range Sections(in) {
			if s.Start >= s.End || strings.TrimSpace(in[last:s.Start]) != "" || strings.TrimFunc(s.Of(in), unicode.IsSpace) != s.Of(in) {
				t.Fatalf("%q: %+v after %d", in, s, last)
			}
			last = s.End
		}
		if strings.TrimSpace(in[last:]) != "" {
			t.Fatalf("%q: the rest from %d is in no section", in, last)
		}
	})
}

func TestGroundedInEveryScript(t *testing.T) {
	for _, x := range []struct {
		statement, section string
		want               bool
	}{
		{"金星: 金星自转的方向与其他行星相反。", "太阳系里，金星自转方向和其他行星相反，一天比一年还长。", true},
		{"木星: 木星有许多卫星和一个大红斑。", "太阳系里，金星自转方向和其他行星相反，一天比一年还长。", false},
		{"金星: 自转一周需要243天。", "金星自转一周需要 243 天，方向和其他行星相反。", true},
		{"金星: 自转一周需要244天。", "金星自转一周需要 243 天，方向和其他行星相反。", false},
		{"Vénus: Elle tourne à l’envers.", "VÉNUS tourne à l’envers, dit-on.", true},
		{"Cost: It costs 1,000 euros a year.", "A year costs 1000 euros.", true},
		{"Венера: Венера вращается в обратную сторону.", "Венера вращается медленно и в обратную сторону.", true},
	} {
		if got := grounded(x.statement, x.section); got != x.want {
			t.Errorf("%s in %s: %v", x.statement, x.section, got)
		}
	}
}
