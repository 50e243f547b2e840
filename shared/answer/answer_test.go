package answer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/protocol"
)

// Passages must be whole, best first, and as many as fit. Only the first may be shortened,
// if it is alone.
func TestPassagesFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab \n\"<\u2028é字😀\x01")
	for range 400 {
		var passages []string
		for range 1 + random.IntN(8) {
			var b strings.Builder
			for range random.IntN([]int{10, 500, 30_000}[random.IntN(3)]) {
				b.WriteRune(letters[random.IntN(len(letters))])
			}
			passages = append(passages, b.String()+"x")
		}
		most := random.IntN(60_000)
		m := &protocol.Chat{Model: "m", Template: "answer", Question: strings.Repeat("\"", random.IntN(200)+1)}
		got, err := fitting(m, passages, most, "")
		m.ID, m.Passages = math.MaxUint32, got
		frame, encodeErr := protocol.Encode(m)
		size := len(m.Question)
		for _, s := range got {
			size += len(s)
		}
		switch {
		case err != nil:
			if most > 210 {
				t.Fatalf("%v with %d bytes of room", err, most)
			}
		case encodeErr != nil || len(frame) > protocol.MaxText || most > 0 && size > most:
			t.Fatalf("a frame of %d bytes, %d of %d bytes of context: %v", len(frame), size, most, encodeErr)
		case len(got) == 1 && strings.HasPrefix(passages[0], got[0]) && got[0] != "" && utf8.ValidString(got[0]):
			if got[0] != passages[0] && (size < most/2 || most == 0) && len(frame) < protocol.MaxText/2 {
				t.Fatalf("the first passage is cut to %d bytes, a frame of %d with %d bytes of context", len(got[0]), len(frame), most)
			}
		case len(got) == 0 || !slices.Equal(got, passages[:len(got)]):
			t.Fatalf("%d passages that are not the first", len(got))
		}
		// No room may be wasted: one more passage must not fit.
		if err == nil && len(got) < len(passages) && got[0] == passages[0] {
			m.Passages = passages[:len(got)+1]
			frame, _ = protocol.Encode(m)
			if len(frame) <= protocol.MaxText && (most == 0 || size+len(passages[len(got)]) <= most) {
				t.Fatalf("%d of %d passages, though the next has room", len(got), len(passages))
			}
		}
	}
}

// told is a proxy that only answers Hello.
type told struct {
	ack     *protocol.Ack
	context int // of every model
}

func (p told) Context(string) int { return p.context }

func (p told) Hello(context.Context) (*protocol.Ack, error) { return p.ack, nil }

func (told) Chat(context.Context, *protocol.Chat, func(protocol.Part) error) (protocol.Usage, string, error) {
	panic("asked")
}

// With any length of own prompt, history and passages, the request must fit in a message
// and in the context.
func TestOwnPromptFits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		q := Question{Text: "Why?", System: strings.Repeat("Be \"brief\". ", 1+random.IntN(300))}
		for range random.IntN(8) {
			q.History = append(q.History, protocol.ChatMessage{Role: "user", Content: strings.Repeat("?", 1+random.IntN(700))}, protocol.ChatMessage{Role: "assistant", Content: strings.Repeat("\n", 1+random.IntN(700))})
		}
		for range 1 + random.IntN(20) {
			q.Passages = append(q.Passages, strings.Repeat("pass\n", 1+random.IntN(2000)))
		}
		ack := &protocol.Ack{Limits: protocol.Limits{Context: 20_000 + random.IntN(40_000), Turns: 16, History: 12_000}}
		a, err := Ask(t.Context(), told{ack: ack}, "m", &q, nil)
		messages, n := a.Messages, a.Passages
		if err != nil {
			t.Fatal(err)
		}
		frame, err := protocol.Encode(&protocol.Chat{ID: math.MaxUint32, Model: "m", Messages: messages})
		size := 0
		for _, m := range messages {
			size += len(m.Content)
		}
		if err != nil || len(frame) > protocol.MaxText || size > ack.Limits.Context || n == 0 {
			t.Fatalf("a frame of %d bytes, %d of %d of context, %d passages: %v", len(frame), size, ack.Limits.Context, n, err)
		}
	}
}
