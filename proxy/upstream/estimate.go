package upstream

import "seam/shared/protocol"

// perMessage are the tokens that chat templates put around a turn, about.
const perMessage = 4

// Estimate returns how many tokens texts are, about: a third of their bytes,
// which is more than English has and close for Chinese. Budgets take it where a
// provider gives no usage; what they reserve is Worst.
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

// Worst returns how many tokens texts are at most: a tokenizer that works on bytes
// has no token of less than one, and adds a few of its own. One that rewrites rare
// characters into many may count more; who pays for that is settled after the call.
func Worst(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += perMessage + len(s)
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
