package relay

import (
	"context"
	"errors"
	"iter"
	"time"

	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/upstream"
	"seam/shared/protocol"
)

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

// rate takes what a request is about to use of its group's tokens a minute.
func (r *Relay) rate(who gateway.Who, estimate int) (*limit.Taken, error) {
	return r.rates.Take(string(who.Group), who.Group.Name(), who.Tokens, int64(estimate), time.Now())
}

// payer is who pays for a request.
func payer(who gateway.Who) limit.Payer {
	return limit.Payer{Session: who.Session, Caller: string(who.Caller), Group: string(who.Group)}
}

// count counts a request that was answered, or cost something.
func (r *Relay) count(who gateway.Who, model string, usage protocol.Usage, err error) {
	if err == nil || usage.Tokens > 0 || usage.TokensOut > 0 {
		r.ledger.Count(string(who.Group), model, limit.Use{Requests: 1})
	}
}

// refused reports whether a limit of somebody's spending was in the way.
func refused(err error) bool {
	var e *protocol.Error
	return errors.As(err, &e) && (e.Code == protocol.BudgetSpent || e.Code == protocol.RateLimited)
}

// grant is what was reserved for one call.
type grant struct {
	*limit.Reservation
	most    protocol.Usage
	refused error // in the place of all that

	usage protocol.Usage // of the tries at all providers
	spent limit.Amount
}

// grants divides texts into calls of a size that the provider takes and the budgets
// have left, each reserved: to the last token that it can cost, so that no budget is
// overshot. After a refusal there is no more.
func (r *Relay) grants(ctx context.Context, who gateway.Who, to route, texts []string) iter.Seq2[[]string, grant] {
	return func(yield func([]string, grant) bool) {
		for batch := range batches(texts, to.texts(), to.tokens()) {
			for len(batch) > 0 {
				n, g := r.grant(ctx, who, to, batch)
				if !yield(batch[:n], g) || g.refused != nil {
					return
				}
				batch = batch[n:]
			}
		}
	}
}

// grant reserves what the first n texts can cost: all, or as few halves of them as the
// budgets hold. Most texts cost a quarter of that: when these are settled, the others
// may fit. Where not even the estimate of all does, none is sent: vectors of a request
// that ends with a refusal are paid for and lost.
func (r *Relay) grant(ctx context.Context, who gateway.Who, to route, texts []string) (n int, g grant) {
	reserve := func(tokens int) bool {
		g.most = protocol.Usage{Tokens: tokens}
		g.Reservation, g.refused = r.ledger.Reserve(ctx, payer(who), to.cost(g.most))
		var e *protocol.Error
		return !errors.As(g.refused, &e) || e.Code != protocol.BudgetSpent // granted, or refused for good
	}
	if n = len(texts); reserve(upstream.Worst(texts...)) || n == 1 {
		return n, g
	}
	if !reserve(upstream.Estimate(texts...)) || g.refused != nil {
		return n, g
	}
	if g.refused = g.Settle(limit.Amount{}); g.refused != nil {
		return n, g
	}
	for n /= 2; !reserve(upstream.Worst(texts[:n]...)) && n > 1; {
		n /= 2
	}
	return n, g
}
