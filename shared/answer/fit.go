package answer

import (
	"encoding/json"
	"math"
	"unicode/utf8"

	"seam/shared/protocol"
	"seam/shared/token"
)

// Allowances in bytes with the user's own prompt: for text around the passages, and for the
// lines around each passage. A template needs such room, too, but the server accounts for
// it.
const (
	besides = 1000
	around  = 100
)

func noRoom() error {
	return protocol.Errorf(protocol.TooLarge, "The question is too long: no room is left for a passage.")
}

// fitting returns the passages that fit in a message with m, and in most bytes of context.
// If most is 0, only the message limits them. system is the user's own prompt, or "".
func fitting(m *protocol.Chat, passages []string, most int, system string) ([]string, error) {
	empty := *m
	empty.ID, empty.Passages = math.MaxUint32, []string{""}
	frame, err := protocol.Encode(&empty)
	if err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "the question cannot be sent: %v", err)
	}
	if most <= 0 {
		most = protocol.MaxText
	}
	room, context, each := protocol.MaxText-len(frame), most-len(m.Question), 0
	for _, turn := range m.History {
		context -= len(turn.Content)
	}
	if system != "" {
		room, context, each = room-escaped(system)-besides, context-len(system)-besides, around
	}
	n := 0
	for ; n < len(passages); n++ {
		size := escaped(passages[n]) + len(`,""`) + each
		if room -= size; room < 0 || len(passages[n])+each > context {
			if n > 0 {
				break
			}
			if short := shorten(passages[0], context-each, room+size-each-len(`,""`)); short != "" {
				return []string{short}, nil
			}
			return nil, noRoom()
		}
		context -= len(passages[n]) + each
	}
	return passages[:n], nil
}

// escaped returns the number of bytes of a string in JSON, without its quotes.
func escaped(s string) int {
	b, _ := json.Marshal(s) // encoding a string cannot fail
	return len(b) - len(`""`)
}

// shorten cuts s at a rune boundary to at most bytes bytes, and at most inJSON bytes when
// escaped.
func shorten(s string, bytes, inJSON int) string {
	for s != "" {
		size := escaped(s)
		if len(s) <= bytes && size <= inJSON {
			break
		}
		n := max(0, min(len(s)-1, bytes, len(s)*inJSON/size))
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return s
}

// Tokens around a message and around a passage, in the templates of models and in ours.
const (
	perMessage = 8
	perPassage = 40
)

// longest is the greatest expected ratio of a model's tokens to token.Estimate: older
// tokenizers have a quarter more than it counts for English, and other Latin languages a
// third more than English.
const longest = 1.3

func tokensOf(s string) int { return int(math.Ceil(longest * float64(token.Estimate.Count(s)))) }

// within returns the first passages that fit, with the messages around them, in room tokens,
// and size if it leaves out or shortens any. messages returns the messages for some passages.
func within(size, room int, passages []string, messages func([]string) []protocol.ChatMessage) ([]string, int, error) {
	for _, m := range messages([]string{""}) {
		room -= perMessage + tokensOf(m.Content)
	}
	for n, p := range passages {
		need := perPassage + tokensOf(p)
		if need <= room {
			room -= need
			continue
		}
		if n > 0 {
			return passages[:n], size, nil
		}
		short := p[:token.Fit(token.Estimate, p, max(0, int(float64(room-perPassage)/longest)))]
		if short == "" {
			return nil, 0, protocol.Errorf(protocol.TooLarge, "The model's context of %d tokens is too small for this question: no room is left for a passage.", size)
		}
		return []string{short}, size, nil
	}
	return passages, 0, nil
}
