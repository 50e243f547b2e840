package answer

import (
	"math/rand/v2"
	"strings"
	"testing"

	"seam/shared/protocol"
	"seam/shared/token"
)

// With any context the prompt fits, with a quarter more tokens than estimated and room for an
// answer. The passages are the first ones, and one more would not fit.
func TestContextFits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	words := map[string]string{"English": "the harbour was closed in winter ", "Chinese": "港口在冬天关闭了。", "Arabic": "كان الميناء مغلقا في الشتاء. "}
	for range 300 {
		q := Question{Text: "When was the harbour closed?"}
		for _, word := range words {
			for range random.IntN(3) {
				q.Passages = append(q.Passages, strings.Repeat(word, 1+random.IntN(60)))
				q.Sources = append(q.Sources, []string{"", "harbour.pdf, p. 3"}[random.IntN(2)])
			}
		}
		if len(q.Passages) == 0 {
			continue
		}
		size := 300 + random.IntN(5000)
		p := told{&protocol.Ack{Limits: protocol.Limits{Answer: 1024}}, size}
		a, err := Ask(t.Context(), p, "m", &q, nil)
		if err != nil {
			if size > 800 {
				t.Errorf("a context of %d: %v", size, err)
			}
			continue
		}
		tokens := 0
		for _, m := range a.Messages {
			tokens += token.Estimate.Count(m.Content)
		}
		if most := size - min(size/4, 1024); 5*tokens/4 > most {
			t.Errorf("%d estimated tokens for a context of %d", tokens, size)
		}
		fewer := a.Passages < len(q.Passages) || a.Shortened != ""
		if (a.Context == size) != fewer {
			t.Errorf("%d of %d passages, shortened to %q: the context that limits them is %d", a.Passages, len(q.Passages), a.Shortened, a.Context)
		}
		if a.Passages < len(q.Passages) && a.Shortened == "" {
			p.context = size + size/3 + 4*tokensOf(q.Passages[a.Passages])
			if more, err := Ask(t.Context(), p, "m", &q, nil); err != nil || more.Passages <= a.Passages {
				t.Errorf("%d passages for a context of %d tokens, %d for %d: %v", a.Passages, size, more.Passages, p.context, err)
			}
		}
	}
}

// A context without room for a question is an error that names it.
func TestTinyContext(t *testing.T) {
	_, err := Ask(t.Context(), told{&protocol.Ack{}, 64}, "m", &Question{Text: "Why?", Passages: []string{"Because."}}, nil)
	if err == nil || !strings.Contains(err.Error(), "context of 64 tokens") {
		t.Error(err)
	}
}
