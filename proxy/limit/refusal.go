package limit

import (
	"cmp"
	"strings"
	"time"

	"seam/shared/protocol"
)

// errUnwritten is the error sent to callers if the book cannot be read or written.
var errUnwritten = &protocol.Error{Code: protocol.Internal, Message: "The budget cannot be checked, so nothing is sent.", Whose: protocol.Proxy}

// heldFor is the time to wait if requests in progress hold the budget: most of them end in
// seconds, and cost less than they hold.
const heldFor = 5 * time.Second

// refusal returns an error that says which limit has less than n left, whether anything is
// left, and when to retry.
func (l *Ledger) refusal(a *account, n Amount) error {
	now, window := l.now(), Day
	whose, spent, renewed := "this site for today", "The budget of this site for today is used up.", ""
	switch a.name[0] {
	case 's':
		whose, spent, window = "this session", "This session has used up its budget.", ""
	case 'c':
		whose, spent = "your address for today", "Your address has used up its budget for today."
	case 'n':
		whose, spent = "your network for today", "Your network has used up its budget for today."
	case 'g':
		window = cmp.Or(l.windowOf(a.name), Day)
		_, name, _ := strings.Cut(a.name, " ")
		_, end := window.bounds(now)
		whose, renewed = name+" for this "+string(window), end.Format(" It is renewed on 2006-01-02 at 15:04 UTC.")
		spent = "The budget of " + whose + " is used up." + renewed
	}
	e := &protocol.Error{Code: protocol.BudgetSpent, Whose: protocol.Proxy, Message: spent}
	if window != "" {
		_, end := window.bounds(now)
		e.RetryAfter = end.Sub(now)
	}
	all := a.all()
	settled := all.minus(a.asked).minus(a.held) // amounts of other processes count as spent, because held and spent cannot be distinguished
	switch {
	case !n.within(a.limit):
		e.Message, e.RetryAfter = "One request like this may cost more than the whole budget of "+whose+".", 0
	case settled.plus(n).within(a.limit):
		e.Message, e.RetryAfter = "Running requests may need the rest of the budget of "+whose+": try again when they finish.", heldFor
	case all.Tokens < a.limit.Tokens && all.Micros < a.limit.Micros:
		e.Message = "The rest of the budget of " + whose + " may not be enough for this request." + renewed
	}
	return e
}
