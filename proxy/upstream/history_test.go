package upstream

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/protocol"
)

// A start that a kept prompt has is known, also after an older prompt with it is forgotten.
func TestHistoryForgets(t *testing.T) {
	prompt := func(start string, i int) []protocol.ChatMessage {
		return []protocol.ChatMessage{{Role: "user", Content: strings.Repeat(start, 2*block) + fmt.Sprint(i)}}
	}
	var h history
	h.add(prompt("a", 1))
	h.add(prompt("a", 2))
	for i := range prompts - 1 { // the first one is forgotten
		h.add(prompt("b", i))
	}
	if got := h.shared(prompt("a", 3)); len(got) != 1 || len(got[0]) != 2*block {
		t.Errorf("the start of a kept prompt is unknown: %d texts", len(got))
	}
	h.add(prompt("b", -1))
	if got := h.shared(prompt("a", 3)); len(got) != 0 {
		t.Errorf("the start of a forgotten prompt is known: %q", got)
	}
	if len(h.order) != prompts || len(h.known) > 3*prompts {
		t.Errorf("%d prompts and %d starts are kept", len(h.order), len(h.known))
	}
}
