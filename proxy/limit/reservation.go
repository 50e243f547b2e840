package limit

import "context"

// Reservation is an amount that was granted, or waits for the book.
type Reservation struct {
	ledger   *Ledger
	accounts []*account
	amount   Amount
	wait     *batch // that decides; nil: it is decided
	waited   int    // for so many
	err      error  // why it is refused
	settled  bool
}

// Reserve grants an estimate to somebody, or says with a *protocol.Error whose limit
// is reached. Settle has to be called. When ctx ends first, its error is returned and
// nothing is spent; where it has ended before, who asks may have ended its session, which
// is not to have an account again.
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
		if r.wait == wait { // it was not decided: ctx has ended
			r.refuse(ctx.Err())
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return r, nil
}

// take asks for n of accounts, with the lock held. What is not granted at once waits
// for the book.
func (l *Ledger) take(n Amount, names ...string) (*Reservation, error) {
	accounts, err := l.find(names...)
	if err != nil {
		return nil, errUnwritten
	}
	for _, a := range accounts {
		// A shared book may know that others have given something back.
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

// ask lets a reservation wait for a write of all that does not cover what is asked of
// it, with the lock held, and reports whether there is such an account.
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

// grant makes what was asked for spent, and refuse takes it back, with the lock held.
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

// Settle corrects the reservation to what it really cost, once. More than was
// granted is written down, too, even beyond a limit: it has been spent. A cost
// below 0 is 0.
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

// correct makes cost of what the reservation holds, with the lock held.
func (r *Reservation) correct(cost Amount) {
	r.settled = true
	for _, a := range r.accounts {
		a.spent = a.spent.minus(r.amount).plus(cost)
		a.held = a.held.minus(r.amount)
		a.open--
	}
}
