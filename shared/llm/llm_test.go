package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestScoresAreReadAsJudgesWriteThem(t *testing.T) {
	const none = -1
	for answer, want := range map[string]float64{
		"1": 1, "0.5": .5, "0": 0, " 1.0\n": 1, "**0.5**": .5, "1.": 1, "(0.5)": .5, "0,5": .5,
		"Score: 0.5":                             .5,
		"1.0 - it names all 3 facts":             1,
		"The score is 0 because 2 of 3 fail.":    0,
		"Score 1 was tempting. Final score: 0.5": .5,
		"I would give this a 0.5.":               .5,
		"Faithful, so 1.0. Yes: 1":               1,
		"1/1":                                    1,
		"0.5 out of 1":                           .5,
		"0.5 / 1.0":                              .5,
		"Score: 8/10":                            none,
		"8/10":                                   none,
		"1/10":                                   none,
		"0.7":                                    none,
		"-1":                                     none,
		"100 %":                                  none,
		"1 %":                                    none,
		"":                                       none,
		"good":                                   none,
		"either 0 or 1":                          none,
		"1.0.0":                                  none,
	} {
		got, ok := Score(answer)
		if want == none && ok || want != none && (!ok || got != want) {
			t.Errorf("Score(%q) = %v, %v; want %v", answer, got, ok, want)
		}
	}
}

func TestObjectsAreFoundAmongWords(t *testing.T) {
	for answer, want := range map[string]string{
		`{"a":"b"}`:                          "b",
		"```json\n{\"a\": \"b\"}\n```":       "b",
		`Here it is: {"a":"}"} I hope {it}.`: "}",
		`In set notation {x}: {"a":"b"}`:     "b",
	} {
		var got struct{ A string }
		if err := Object(answer, &got); err != nil || got.A != want {
			t.Errorf("Object(%q): %q, %v", answer, got.A, err)
		}
	}
	for answer, want := range map[string]string{"": "no JSON object", "[1]": "no JSON object", `{"a":"b`: "damaged", `{"a":1}`: "cannot unmarshal"} {
		var got struct{ A string }
		if err := Object(answer, &got); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Object(%q): %v; want %q", answer, err, want)
		}
	}
}

// scripted answers each request with the next of its texts.
type scripted struct {
	texts []string
	asked int
}

func (s *scripted) Complete(_ context.Context, _ Request, emit func(string) error) (Reply, error) {
	if s.asked == len(s.texts) {
		return Reply{}, errors.New("nothing is left")
	}
	s.asked++
	r := Reply{Text: s.texts[s.asked-1], Finish: "stop"}
	if emit != nil {
		return r, emit(r.Text)
	}
	return r, nil
}

type memory struct{ sync.Map }

func (m *memory) Reply(r Request) (Reply, bool) {
	reply, _ := m.Load(r.Key())
	kept, ok := reply.(Reply)
	return kept, ok
}

func (m *memory) Keep(r Request, reply Reply) error {
	m.Store(r.Key(), reply)
	return nil
}

func TestWhatIsKeptIsNotAskedForAgain(t *testing.T) {
	model := &scripted{texts: []string{"first", "second"}}
	k := NewKept(model, &memory{})
	ask := func(r Request) string {
		var parts []string
		reply, err := k.Complete(t.Context(), r, func(p string) error { parts = append(parts, p); return nil })
		if err != nil || strings.Join(parts, "") != reply.Text {
			t.Errorf("%+v, parts %q, %v", reply, parts, err)
		}
		return reply.Text
	}
	r := Ask("m", "be brief", "why?")
	again := r
	again.Nth = 1
	if a, b, c, d := ask(r), ask(r), ask(again), ask(again); a != "first" || b != "first" || c != "second" || d != "second" || model.asked != 2 {
		t.Errorf("%q %q %q %q after %d requests", a, b, c, d, model.asked)
	}
	r.Messages[0].Content = "be long"
	if _, err := k.Complete(t.Context(), r, nil); err == nil {
		t.Error("another request has the same answer")
	}
}

// An unusable answer is paid for, so it must be stored, too.
func TestNoAnswerIsKept(t *testing.T) {
	asked := 0
	k := NewKept(modelFunc(func() (Reply, error) {
		if asked++; asked > 1 {
			return Reply{}, errors.New("the key is refused")
		}
		return Reply{Tokens: 7, TokensOut: 2}, fmt.Errorf("chat: %w", &NoAnswer{Reason: "it was cut short"})
	}), &memory{})
	r := Ask("m", "", "why?")
	for range 2 {
		reply, err := k.Complete(t.Context(), r, func(part string) error { t.Errorf("part %q", part); return nil })
		if reason, none := Unusable(err); !none || reason != "it was cut short" || reply.Tokens != 7 || reply.TokensOut != 2 || asked != 1 {
			t.Errorf("%+v, %v after %d requests", reply, err, asked)
		}
	}
	// A request without any answer must be sent again.
	r.Nth = 1
	for range 2 {
		if _, err := k.Complete(t.Context(), r, nil); err == nil || err.Error() != "the key is refused" {
			t.Error(err)
		}
	}
	if asked != 3 {
		t.Errorf("%d requests", asked)
	}
}

type modelFunc func() (Reply, error)

func (f modelFunc) Complete(context.Context, Request, func(string) error) (Reply, error) { return f() }

func FuzzScore(f *testing.F) {
	f.Add("Score: 0.5 / 1")
	f.Add("1.0.0 out of")
	f.Fuzz(func(t *testing.T, answer string) {
		if score, ok := Score(answer); ok && score != 0 && score != .5 && score != 1 {
			t.Errorf("Score(%q) = %v", answer, score)
		}
	})
}

// Equal concurrent requests must be sent once, and again if the first fails.
func TestEqualRequestsAtATimeAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, release := 0, make(chan struct{})
		k := NewKept(modelFunc(func() (Reply, error) {
			asked++
			if asked == 1 {
				<-release
				return Reply{}, errors.New("the line is dead")
			}
			return Reply{Text: "because"}, nil
		}), &memory{})
		var failed, answered atomic.Int64
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				reply, err := k.Complete(t.Context(), Ask("m", "", "why?"), nil)
				if err != nil {
					failed.Add(1)
				} else if reply.Text == "because" {
					answered.Add(1)
				}
			})
		}
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, err := k.Complete(ctx, Ask("m", "", "why?"), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("one that was stopped waits: %v", err)
		}
		close(release)
		all.Wait()
		if asked != 2 || failed.Load() != 1 || answered.Load() != 4 {
			t.Errorf("%d requests, %d failed, %d answered", asked, failed.Load(), answered.Load())
		}
	})
}
