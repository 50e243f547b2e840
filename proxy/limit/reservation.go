package limit

import "context"

// Reservation is an amount that was granted, or waits for the book.
type Reservation struct {
	ledger   *Ledger
	accounts []*account
	amount   Amount
	wait     *batch // the write that decides; nil once decided
	waited   int    // number of writes waited for
	err      error  // why it was refused
	settled  bool
}

// Reserve reserves an estimate, or returns a *protocol.Error that names the exhausted
// limit. The caller must call Settle. If ctx ends first, Reserve returns its error and
// nothing is spent. It checks ctx at the start, too, because the caller's session may have
// ended and must not get a new account.
func (l *Ledger) Reserve(ctx context.Context, who Payer, estimate Amount) (*Reservation, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r, err := l.take(estimate.atLeast(Amount{}), l.limits.accountsOf(who)...)
	if err != nil {
		return nil, err
	}
	for r.wait != nil {
		wait := r.wait
		l.mu.Unlock()
		select {
		case <-wait.done:
		case <-ctx.Done():
		}
		l.mu.Lock()
		if r.wait == wait { // undecided, because ctx has ended
			r.refuse(ctx.Err())
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return r, nil
}

// take requests n from accounts. If it cannot be granted at once, the reservation waits for
// the book. The lock must be held.
func (l *Ledger) take(n Amount, names ...string) (*Reservation, error) {
	accounts, err := l.find(names...)
	if err != nil {
		return nil, errUnwritten
	}
	for _, a := range accounts {
		// With a shared book, others may have released amounts since.
		if !a.all().plus(n).within(a.limit) && (!l.shared || a.window == "" || !n.within(a.limit)) {
			return nil, l.refusal(a, n)
		}
	}
	r := &Reservation{ledger: l, accounts: accounts, amount: n}
	for _, a := range accounts {
		a.asked = a.asked.plus(n)
		a.open++
	}
	if !l.ask(r) {
		r.grant()
	}
	return r, nil
}

// ask makes a reservation wait for a write of every account that does not cover its
// requests, and reports whether there is one. The lock must be held.
func (l *Ledger) ask(r *Reservation) bool {
	r.wait = nil
	for _, a := range r.accounts {
		if a.window != "" && !a.covers(a.asked) {
			r.wait = l.join(a)
		}
	}
	if r.wait == nil {
		return false
	}
	r.wait.waiting = append(r.wait.waiting, r)
	r.waited++
	return true
}

// grant turns the requested amount into a spent one, and refuse withdraws it. The lock must
// be held for both.
func (r *Reservation) grant() {
	r.wait = nil
	for _, a := range r.accounts {
		a.asked = a.asked.minus(r.amount)
		a.spent, a.held = a.spent.plus(r.amount), a.held.plus(r.amount)
	}
}

func (r *Reservation) refuse(err error) {
	r.wait, r.err = nil, err
	for _, a := range r.accounts {
		a.asked = a.asked.minus(r.amount)
		a.open--
	}
	r.ledger.giveBack(r.accounts)
}

// Settle corrects the reservation to the actual cost, once. A cost above the reserved
// amount is written, too, even beyond a limit, because it has been spent. A negative cost
// counts as 0.
func (r *Reservation) Settle(cost Amount) error {
	l := r.ledger
	l.mu.Lock()
	if r.settled {
		l.mu.Unlock()
		return nil
	}
	r.correct(cost.believed())
	var wait *batch
	for _, a := range r.accounts {
		if a.window != "" && !a.spent.within(a.kept) {
			wait = l.join(a)
		}
	}
	l.giveBack(r.accounts)
	l.mu.Unlock()
	if wait == nil {
		return nil
	}
	<-wait.done
	return wait.err
}

// correct replaces the reserved amount by cost. The lock must be held.
func (r *Reservation) correct(cost Amount) {
	r.settled = true
	for _, a := range r.accounts {
		a.spent = a.spent.minus(r.amount).plus(cost)
		a.held = a.held.minus(r.amount)
		a.open--
	}
}
