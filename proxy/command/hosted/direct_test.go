package hosted

import (
	"encoding/json"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/answer"
	"seam/shared/protocol"
)

// A request without a proxy includes the history too, with the same limits.
func TestDirectHistory(t *testing.T) {
	s := upstreamtest.Start()
	defer s.Close()
	d, _, err := newDirect(s.BaseURL, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	q := &answer.Question{Text: "And then?", Passages: []string{"One."}, History: []protocol.ChatMessage{{Role: "user", Content: "Why?"}, {Role: "assistant", Content: "Because [1]."}}}
	a, err := answer.Ask(t.Context(), d, "m", q, func(protocol.Part) error { return nil })
	if err != nil || a.Passages != 1 {
		t.Fatalf("%+v: %v", a, err)
	}
	var sent struct{ Messages []protocol.ChatMessage }
	if err := json.Unmarshal(s.Requests()[0].Body, &sent); err != nil || len(sent.Messages) != 4 || sent.Messages[2] != q.History[1] {
		t.Errorf("%+v: %v", sent.Messages, err)
	}
	for i, m := range a.Messages {
		if sent.Messages[i] != m {
			t.Errorf("message %d is told as %q and sent as %q", i, m, sent.Messages[i])
		}
	}
}
