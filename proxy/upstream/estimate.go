package upstream

import "seam/shared/protocol"

// perMessage is the approximate number of tokens that chat templates add to a message.
const perMessage = 4

// Estimate estimates the tokens of texts as a third of their bytes. This is more than
// English needs and close for Chinese. Budgets use it if a provider reports no usage;
// reservations use Worst.
func Estimate(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += (len(s) + 2) / 3
	}
	return n
}

// EstimateChat is Estimate for messages.
func EstimateChat(messages []protocol.ChatMessage) int {
	n := 0
	for _, m := range messages {
		n += perMessage + Estimate(m.Content)
	}
	return n
}

// Worst returns the greatest number of tokens that texts can have. In a tokenizer that
// works on bytes, a token has at least one byte, and a few special tokens are added. A
// tokenizer that rewrites rare characters into many may count more; this is settled after
// the call.
func Worst(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += perMessage + len(s)
	}
	return n
}

// perImage is more than any known model counts for an image.
const perImage = 50_000

// More returns the greatest number of tokens that the other parts of a request can have.
func More(p protocol.Params) int {
	n := perImage * p.Images
	for name, value := range p.Sent {
		if name != "messages" || p.Images == 0 {
			n += len(value)
		}
	}
	return n
}

// WorstChat is Worst for messages.
func WorstChat(messages []protocol.ChatMessage) int {
	n := 0
	for _, m := range messages {
		n += perMessage + Worst(m.Content)
	}
	return n
}
