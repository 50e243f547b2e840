package relay

import "seam/shared/protocol"

// mostTokens are more than any call can have cost: models read a few million at most.
const mostTokens = 100_000_000

// believed is a usage that a provider may have given. A number that no call can have
// counts as what was reserved for it: neither nothing, nor all budgets of the day.
func believed(u, reserved protocol.Usage) protocol.Usage {
	if u.Tokens < 0 || u.Tokens > mostTokens {
		u.Tokens = reserved.Tokens
	}
	if u.TokensOut < 0 || u.TokensOut > mostTokens {
		u.TokensOut = reserved.TokensOut
	}
	return u
}
