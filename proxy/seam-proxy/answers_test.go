package main

import (
	"net/http"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// The same question over the same passages is asked once, if the operator says so; also for
// another visitor, over each interface, and not after a purge or with other passages.
func TestAnswersAreKept(t *testing.T) {
	up, url := provider(t)
	up.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "cut off") {
			return upstreamtest.Script{Fault: upstreamtest.NoFinish}
		}
		return upstreamtest.Script{Reasoning: []string{"Hm. "}}
	})
	p := programs(t, url, "cache: {answers: 1MB}\n")
	s, _ := p.enter("", alice)
	id := uint32(0)
	ask := func(question, passage string) (answer, reasoning string, usage protocol.Usage) {
		t.Helper()
		id++
		s.send(&protocol.Chat{ID: id, Model: "c", Template: "answer", Question: question, Passages: []string{passage}, Reasoning: true})
		for {
			switch m := s.next().(type) {
			case *protocol.Delta:
				answer += m.Delta
				s.send(&protocol.Credit{ID: id, N: 1})
			case *protocol.Reason:
				reasoning += m.Delta
				s.send(&protocol.Credit{ID: id, N: 1})
			case *protocol.End:
				return answer, reasoning, m.Usage
			default:
				t.Fatalf("%+v", m)
			}
		}
	}
	calls := func(want int, when string) {
		t.Helper()
		if n := len(up.Requests()); n != want {
			t.Errorf("%s: %d calls, want %d", when, n, want)
		}
	}
	text, thought, _ := ask("Why?", "One.")
	again, thoughtAgain, usage := ask("Why?", "One.")
	calls(1, "the same question")
	if again != text || again != strings.Join(upstreamtest.Words, "") || thoughtAgain != thought || thought == "" || usage != (protocol.Usage{Cached: 1}) {
		t.Errorf("%q %q %+v", again, thoughtAgain, usage)
	}
	ask("Why?", "One, in a new version of the index.")
	calls(2, "another passage")
	for range 2 {
		if r := p.sdk(bob, "/v1/chat/completions", saying("hi")); r.status != http.StatusOK || !strings.Contains(r.body, "comes apart") {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	calls(3, "OpenAI's interface")
	p.sdk(bob, "/v1/chat/completions", saying("cut off"))
	p.sdk(bob, "/v1/chat/completions", saying("cut off"))
	calls(5, "an answer without a known end")
	r, err := http.NewRequest(http.MethodPost, p.admin+"/purge", nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, _ := p.do(r); resp.StatusCode != http.StatusOK {
		t.Fatal(resp.StatusCode)
	}
	ask("Why?", "One.")
	calls(6, "after a purge")
}

// Without the setting every question is asked.
func TestAnswersAreNotKept(t *testing.T) {
	up, url := provider(t)
	p := programs(t, url, "")
	for range 2 {
		p.sdk(bob, "/v1/chat/completions", saying("hi"))
	}
	if n := len(up.Requests()); n != 2 {
		t.Errorf("%d calls", n)
	}
}
