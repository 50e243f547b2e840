package process

import (
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
)

// The reasoning of a model is no part of an answer, whichever way it comes.
func TestAskKeepsReasoningApart(t *testing.T) {
	const thought, said = "Passage 1 says backwards [9], I think.", "Venus turns backwards [1]."
	path := pdf(t)
	for name, script := range map[string]upstreamtest.Script{
		"marks":       {Words: strings.Split("<think>\n"+thought+"\n</think>\n\n"+said, "")},
		"a lone mark": {Words: []string{thought + "\n", "</th", "ink>\n", said}},
		"a field":     {Reasoning: []string{thought}, ReasoningIn: "reasoning", Words: []string{said}},
	} {
		l := linktest.Start(t, limit.Limits{}, script, script, script)
		args := []string{"ask", "--model", "c", "-k", "1", "--max-tokens", "12", "What does Venus do?", path}
		want := said + "\n\nSources:\n[1] " + path + "\n"
		if r := hosted(t, l, args...); r.status != 0 || r.out != want || r.err != "" {
			t.Errorf("%s: %+v", name, r)
		}
		if r := hosted(t, l, append(args, "--reasoning")...); r.out != want || strings.TrimSpace(strings.TrimPrefix(r.err, "seam: the model's reasoning:\n")) != thought {
			t.Errorf("%s: %+v", name, r)
		}
		if r := own(t, t.TempDir(), append(args, "--base-url", l.Provider.BaseURL)...); r.out != want || r.err != "" {
			t.Errorf("%s, without a proxy: %+v", name, r)
		}
	}
}

// A step that expects JSON gets the JSON, although the reasoning has some, too.
func TestStepsReadNoReasoning(t *testing.T) {
	p := upstreamtest.Start(upstreamtest.Script{Words: []string{`<think>{"questions": ["no"]}</think>{"questions": ["How does Venus turn?"]}`}}, upstreamtest.Script{Words: []string{"So."}})
	defer p.Close()
	r := own(t, t.TempDir(), "ask", "--base-url", p.BaseURL, "--model", "m", "--parts", "--method", "sentences", "How does Venus turn?", pdf(t))
	if r.status != 0 || strings.Contains(r.err, "searching for: no") || !strings.Contains(r.err, "searching for: How does Venus turn?\n") {
		t.Errorf("%+v", r)
	}
}
