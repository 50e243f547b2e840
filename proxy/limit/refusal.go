package limit

import (
	"time"

	"seam/shared/protocol"
)

// errUnwritten is all that a caller is told of a book that cannot be read or written.
var errUnwritten = &protocol.Error{Code: protocol.Internal, Message: "The budget cannot be checked, so nothing is sent.", Whose: protocol.Proxy}

// heldFor is when to come back where requests under way hold a budget: most of them
// end in seconds, and cost less than they hold.
const heldFor = 5 * time.Second

// refusal says whose limit has no n left, whether any is left at all, and when to come
// back.
func (l *Ledger) refusal(a *account, n Amount) error {
	whose, spent, midnight := "this site for today", "The budget of this site for today is used up.", true
	switch a.name[0] {
	case 's':
		whose, spent, midnight = "this session", "This session has used up its budget.", false
	case 'c':
		whose, spent = "your address for today", "Your address has used up its budget for today."
	case 'n':
		whose, spent = "your network for today", "Your network has used up its budget for today."
	}
	e := &protocol.Error{Code: protocol.BudgetSpent, Whose: protocol.Proxy, Message: spent}
	if midnight {
		now := l.now().UTC()
		e.RetryAfter = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	}
	settled := a.spent.minus(a.held)
	switch {
	case !n.within(a.limit):
		e.Message, e.RetryAfter = "One request like this may cost more than the whole budget of "+whose+".", 0
	case settled.plus(n).within(a.limit):
		e.Message, e.RetryAfter = "Requests under way hold what is left of the budget of "+whose+": try again when they have ended.", heldFor
	case a.spent.Tokens < a.limit.Tokens && a.spent.Micros < a.limit.Micros:
		e.Message = "What is left of the budget of " + whose + " may not be enough for this request."
	}
	return e
}
