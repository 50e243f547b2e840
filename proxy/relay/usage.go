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

// mostTokens is more than any call can have used: models read a few million at most.
const mostTokens = 100_000_000

// believed checks the usage that a provider reports. An impossible number is replaced by
// the reserved one, because 0 would cost nothing and a huge number would use up all budgets
// of the day.
func believed(u, reserved protocol.Usage) protocol.Usage {
	if u.Tokens < 0 || u.Tokens > mostTokens {
		u.Tokens = reserved.Tokens
	}
	if u.TokensOut < 0 || u.TokensOut > mostTokens {
		u.TokensOut = reserved.TokensOut
	}
	return u
}

// rate takes the estimated tokens of a request from its group's tokens per minute.
func (r *Relay) rate(who gateway.Who, estimate int) (*limit.RateReservation, error) {
	return r.rates.Reserve(string(who.Group), who.Group.Name(), who.Tokens, int64(estimate), time.Now())
}

// payer returns who pays for a request.
func payer(who gateway.Who) limit.Payer {
	return limit.Payer{Session: who.Session, Caller: string(who.Caller), Group: string(who.Group)}
}

// count counts a request that was answered, or cost something.
func (r *Relay) count(who gateway.Who, model string, usage protocol.Usage, err error) {
	if err == nil || usage.Tokens > 0 || usage.TokensOut > 0 {
		r.ledger.Count(string(who.Group), model, limit.Use{Requests: 1})
	}
}

// refused reports whether err is the refusal of a caller's limit, or of the other texts that
// it sent.
func refused(err error) bool {
	var e *protocol.Error
	return errors.As(err, &e) && (e.Code == protocol.BudgetSpent || e.Code == protocol.RateLimited || e.Reason != "")
}

// grant is the reservation for one call.
type grant struct {
	*limit.Reservation
	most    protocol.Usage
	refused error // if set, there is no reservation

	usage protocol.Usage // of all tries at all providers
	spent limit.Amount
}

// grants splits texts into calls that fit the providers' limits and the remaining budgets.
// Each call reserves its greatest possible cost, so that no budget is overshot. After a
// refusal it stops.
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

// grant reserves the greatest possible cost of the first n texts. If the budgets do not
// cover all texts, it halves n until they do. Most texts cost a quarter of that, so the
// rest may fit after settling. If not even the estimate for all texts fits, nothing is
// sent, because the vectors of a request that is refused later would be paid for and lost.
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
