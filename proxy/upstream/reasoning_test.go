package upstream

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

const thought, said = "Passage 2 says 1899, I think.", "It was built in 1899 [2]."

// parts asks for an answer, and returns it apart from the reasoning.
func parts(t *testing.T, c *Client) (answer, reasoning string, all []protocol.Part) {
	t.Helper()
	_, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{}, func(p protocol.Part) error {
		if p.Moved {
			reasoning += answer
		}
		if answer = p.Add(answer); p.Reasoning {
			reasoning += p.Text
		}
		all = append(all, p)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return answer, reasoning, all
}

func TestReasoningOfAProvider(t *testing.T) {
	chars := func(s string) []string { return strings.Split(s, "") }
	for name, script := range map[string]upstreamtest.Script{
		"marks":                      {Words: chars("<think>\n" + thought + "</think>\n\n" + said)},
		"a lone mark":                {Words: chars(thought + "</think>" + said)},
		"reasoning_content":          {Reasoning: chars(thought), Words: chars(said)},
		"reasoning":                  {Reasoning: chars(thought), ReasoningIn: "reasoning", Words: chars(said)},
		"a field, and an empty mark": {Reasoning: chars(thought), Words: chars("</think>\n\n" + said)},
	} {
		answer, reasoning, _ := parts(t, connect(t, start(t, script)))
		if answer != said || reasoning != thought {
			t.Errorf("%s: %q and %q", name, answer, reasoning)
		}
	}
	// Mistral's lists of parts.
	var k chunk
	if err := json.Unmarshal([]byte(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Yes."}],"reasoning":{"odd":1}}}]}`), &k); err != nil {
		t.Fatal(err)
	}
	if d := k.Choices[0].Delta; d.Content != (content{"Yes.", "Hm."}) || d.Reasoning != (content{}) {
		t.Errorf("%+v", d)
	}
}

// The second answer of a model that thinks first is held until its mark, and the client
// learns that the model is reasoning.
func TestAModelThatThinksFirst(t *testing.T) {
	hold := make(chan struct{})
	first := upstreamtest.Script{Words: []string{thought, "</think>", said}}
	s := start(t, first, upstreamtest.Script{Words: []string{thought, "</think>" + said}, Hold: hold}, upstreamtest.Script{Words: []string{said}}, upstreamtest.Script{Words: []string{said, said}, Hold: hold})
	c := connect(t, s)
	if answer, reasoning, all := parts(t, c); answer != said || reasoning != thought || all[0] != (protocol.Part{Text: thought}) || !all[1].Moved {
		t.Errorf("%+v", all)
	}
	shown := make(chan protocol.Part, 9)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{}, func(p protocol.Part) error { shown <- p; return nil })
		if err != nil {
			t.Error(err)
		}
	}()
	if p := <-shown; p != (protocol.Part{Reasoning: true}) {
		t.Errorf("before the mark: %+v", p)
	}
	close(hold)
	<-done
	if a, b := <-shown, <-shown; a != (protocol.Part{Text: thought, Reasoning: true}) || b != (protocol.Part{Text: said}) {
		t.Errorf("%+v, %+v", a, b)
	}
	// Without a mark, all of it is the answer, and the next answer is not held.
	if answer, _, all := parts(t, c); answer != said || len(all) != 2 {
		t.Errorf("%+v", all)
	}
	if answer, _, all := parts(t, c); answer != said+said || len(all) != 2 || all[0].Reasoning {
		t.Errorf("%+v", all)
	}
}

// An answer that is cut short before its mark must not show reasoning.
func TestCutShortWhileThinking(t *testing.T) {
	c := connect(t, start(t, upstreamtest.Script{Words: []string{thought}, Fault: upstreamtest.CutStream}), func(p *Provider) { p.Models[1].Name = "DeepSeek-R1:7b" })
	answer := ""
	_, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{}, func(p protocol.Part) error { answer = p.Add(answer); return nil })
	if code(t, err) != protocol.UpstreamCutShort || answer != "" {
		t.Errorf("%q, %v", answer, err)
	}
}
