package answer

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/protocol"
)

// scripted is a proxy that answers with the parts.
type scripted struct {
	told
	parts []protocol.Part
	chat  *protocol.Chat
}

func (p *scripted) Chat(_ context.Context, m *protocol.Chat, emit func(protocol.Part) error) (protocol.Usage, string, error) {
	p.chat = m
	for _, part := range p.parts {
		if err := emit(part); err != nil {
			return protocol.Usage{}, "", err
		}
	}
	return protocol.Usage{}, "stop", nil
}

// A mark is never shown, wherever the deltas are cut, and everything else is.
func TestMarkIsNeverShown(t *testing.T) {
	marked := Templates[Marked]
	for _, tt := range []struct {
		reply, want string
		refused     bool
	}{
		{protocol.NoAnswer, protocol.Refusal, true},
		{"\n**“[[no answer]]”**.\n", protocol.Refusal, true},
		{protocol.NoAnswer + " " + protocol.NoAnswer, protocol.Refusal, true},
		{protocol.NoAnswer + "\n\nThe passages are about mills.", "The passages are about mills.", true},
		{protocol.NoAnswer + " But passage [2] has the year 1890.", "But passage [2] has the year 1890.", false},
		{"It was built in 1890 [2]. " + protocol.NoAnswer + " for its builder.", "It was built in 1890 [2].  for its builder.", false},
		{"See [[NO [[NO ANSWER [1] [[", "See [[NO [[NO ANSWER [1] [[", false},
		{"[[[[NO ANSWER]]", "[[", false},
		{"", "", false},
		{"**Bold** 'and' so.\n", "**Bold** 'and' so.\n", false},
		{"\n\n", "\n\n", false},
		{protocol.Refusal, protocol.Refusal, true},
	} {
		for cut := range len(tt.reply) + 1 {
			if cut < len(tt.reply) && !utf8.RuneStart(tt.reply[cut]) {
				continue // no delta ends inside a character
			}
			for _, parts := range [][]string{{tt.reply[:cut], tt.reply[cut:]}, strings.Split(tt.reply, "")} {
				p := scripted{told: told{ack: &protocol.Ack{Marked: &marked}}}
				for _, text := range parts {
					p.parts = append(p.parts, protocol.Part{Text: text})
				}
				shown := ""
				a, err := Ask(t.Context(), &p, "m", &Question{Text: "Why?", Passages: []string{"One."}}, func(part protocol.Part) error {
					shown = part.Add(shown)
					if indexMark(shown) >= 0 {
						t.Errorf("%q is shown", shown)
					}
					return nil
				})
				if err != nil || shown != tt.want || a.Refused != tt.refused {
					t.Fatalf("%q: %q, refused %v, %v", parts, shown, a.Refused, err)
				}
			}
		}
	}
}

// Text that was held back when all of it turns out to be reasoning moves with the rest.
func TestMarkInReasoning(t *testing.T) {
	marked := Templates[Marked]
	p := scripted{told: told{ack: &protocol.Ack{Marked: &marked}}, parts: []protocol.Part{{Text: "Is it [[NO"}, {Text: " ANSW", Reasoning: true}, {Text: "", Moved: true}, {Text: "Yes [1]."}}}
	var got []protocol.Part
	a, err := Ask(t.Context(), &p, "m", &Question{Text: "Why?", Passages: []string{"One."}}, func(part protocol.Part) error { got = append(got, part); return nil })
	want := []protocol.Part{{Text: "Is it "}, {Text: " ANSW", Reasoning: true}, {Text: "[[NO"}, {Moved: true}, {Text: "Yes [1]."}}
	if err != nil || a.Refused || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// The mark is asked for only where the proxy has a prompt for it: an older one gets the
// prompt that it knows, and the operator's prompt stays.
func TestMarkIsAgreed(t *testing.T) {
	own, marked := protocol.Template{System: "Obey the operator."}, Templates[Marked]
	for _, tt := range []struct {
		ack    protocol.Ack
		name   string
		system string
	}{{protocol.Ack{}, Published, protocol.Refusal}, {protocol.Ack{Answer: &own}, Published, "Obey the operator."}, {protocol.Ack{Answer: &own, Marked: &marked}, Marked, protocol.NoAnswer}} {
		p := scripted{told: told{ack: &tt.ack}}
		a, err := Ask(t.Context(), &p, "m", &Question{Text: "Why?", Passages: []string{"One."}}, func(protocol.Part) error { return nil })
		if err != nil || p.chat.Template != tt.name || !strings.Contains(a.Messages[0].Content, tt.system) {
			t.Errorf("%+v, %q: %v", p.chat, a.Messages[0].Content, err)
		}
	}
}
