package upstream

import "seam/shared/protocol"

// perMessage are the tokens that chat templates put around a turn, about.
const perMessage = 4

// Estimate returns how many tokens texts are, about: a third of their bytes,
// which is more than English has and close for Chinese. It is for budgets, which
// are to err on this side.
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
