package limit

// batch is one write of the book, with the reservations that wait for it. The first caller
// that needs the book starts a write. Callers that come during it share the next one. So a
// thousand addresses cost two writes, and no caller waits for more than two.
type batch struct {
	accounts map[*account]bool
	waiting  []*Reservation // first come, first served
	probe    bool           // write even if nothing has changed
	done     chan struct{}  // closed once the fields below are set
	err      error
}

// entry is an account in a write, with the amounts after the write.
type entry struct {
	account *account
	going   bool // remove the account after this write
	held    Balance
}

// join adds an account to the next write. The lock must be held.
func (l *Ledger) join(a *account) *batch {
	b := l.begin()
	b.accounts[a] = true
	return b
}

// begin returns the next write, and starts it if none is running. It will include
// everything counted until it starts. The lock must be held.
func (l *Ledger) begin() *batch {
	if l.next == nil {
		l.next = &batch{accounts: map[*account]bool{}, done: make(chan struct{})}
	}
	if !l.writing {
		l.writing = true
		go l.write()
	}
	return l.next
}

// write writes batches until there is none.
func (l *Ledger) write() {
	for {
		l.mu.Lock()
		b := l.next
		l.next = nil
		if b == nil {
			l.writing = false
			l.mu.Unlock()
			return
		}
		for a := range l.unsure {
			if l.accounts[a.name] == a {
				b.accounts[a] = true
			}
		}
		clear(l.unsure)
		entries, rows := b.entries(l.shared)
		spent := l.counted()
		l.mu.Unlock()
		var held []Balance
		if len(rows)+len(spent) > 0 {
			held, b.err = l.book.Commit(rows, spent)
		}
		l.mu.Lock()
		if b.err != nil && len(spent) > 0 {
			l.notCounted(spent)
		}
		for i, h := range held {
			entries[i].held = h
		}
		l.wrote(entries, b.err)
		l.decide(b)
		for _, e := range entries {
			l.giveBack([]*account{e.account})
		}
		l.mu.Unlock()
		close(b.done)
	}
}

// entries returns the rows to write. An account that has used up its kept amount gets
// another block. An account to be removed keeps only the amount spent. Entries with a row
// come first. The lock must be held.
func (b *batch) entries(shared bool) (entries []entry, rows []Row) {
	var same []entry
	for a := range b.accounts {
		need, keep := a.spent.plus(a.asked), a.kept.atLeast(a.spent)
		if shared {
			keep = keep.without(need, a.limit.block())
		}
		want := keep.plus(need.minus(keep).blocks(a.limit)).atMost(a.limit).atLeast(keep)
		if a.going {
			keep, want = a.spent, need
		}
		e := entry{a, a.going, Balance{want, want.plus(a.others)}}
		if want != a.kept || b.probe || shared {
			entries = append(entries, e)
			rows = append(rows, Row{a.window, a.name, keep, want, a.limit})
		} else {
			same = append(same, e)
		}
		a.kept = a.kept.atMost(keep) // the smaller amount is safe whether or not the write succeeds
	}
	return append(entries, same...), rows
}

// wrote applies the result of a write. The lock must be held.
func (l *Ledger) wrote(entries []entry, err error) {
	put := false
	for _, e := range entries {
		a := e.account
		if err == nil {
			a.kept, a.others = e.held.Own, e.held.others()
		} else if l.shared {
			l.unsure[a] = true
		}
		if !e.going {
			continue // an account marked meanwhile goes with the next write
		}
		a.going, put = false, true
		// If the write failed, the rest of its block counts as spent. This is better than
		// accounts piling up while the disk is full.
		if a.open == 0 && a.spent.within(a.kept) && l.accounts[a.name] == a {
			delete(l.accounts, a.name)
			l.gone++
		}
	}
	if put {
		l.room = max(manyAccounts, len(l.accounts)+manyAccounts/10)
	}
}

// mostWaits is for how many writes a reservation waits. One write decides, unless another
// request meanwhile cost more than it held.
const mostWaits = 3

// decide grants the waiting reservations that the book now covers, and refuses the others.
// The lock must be held.
func (l *Ledger) decide(b *batch) {
	for _, r := range b.waiting {
		if r.wait != b {
			continue // it has left
		}
		short := (*account)(nil)
		for _, a := range r.accounts {
			if short == nil && !a.covers(r.amount) {
				short = a
			}
		}
		switch {
		case b.err != nil:
			r.refuse(errUnwritten)
		case short == nil:
			r.grant()
		case !short.others.plus(short.spent).plus(r.amount).within(short.limit):
			r.refuse(nil)
			r.err = l.refusal(short, r.amount)
		case r.waited == mostWaits:
			r.refuse(errUnwritten)
		case !l.ask(r):
			r.grant() // another has left
		}
	}
}

// giveBack makes the next write release amounts that accounts hold in advance beyond a
// block. No caller waits for it. The lock must be held.
func (l *Ledger) giveBack(accounts []*account) {
	if !l.shared {
		return
	}
	for _, a := range accounts {
		if a.window != "" && !a.going && a.kept.without(a.spent.plus(a.asked), a.limit.block()) != a.kept {
			l.join(a)
		}
	}
}

// makeRoom removes unused accounts if there are many: at once if the book is up to date,
// otherwise after the next write. The lock must be held.
func (l *Ledger) makeRoom() {
	if len(l.accounts) < l.room {
		return
	}
	for name, a := range l.accounts {
		switch {
		case a.window == "" || a.open > 0 || a.going || name == everybody:
		case a.spent == a.kept:
			delete(l.accounts, name)
			l.gone++
		default:
			a.going = true
			l.join(a)
		}
	}
	l.room = len(l.accounts) + manyAccounts/10
}

// Probe writes the account of everybody again, to check that the book can be written.
func (l *Ledger) Probe() error {
	l.mu.Lock()
	found, err := l.find(everybody)
	if err != nil {
		l.mu.Unlock()
		return err
	}
	wait := l.join(found[0])
	wait.probe = true
	l.mu.Unlock()
	<-wait.done
	return wait.err
}

// Close writes the amounts really spent, without the rest of each block, and the counted
// spending.
func (l *Ledger) Close() error {
	l.mu.Lock()
	var wait *batch
	if l.closed = true; len(l.spending) > 0 || l.writing {
		wait = l.begin()
	}
	for _, a := range l.accounts {
		if a.window != "" {
			a.going = true
			wait = l.join(a)
		}
	}
	l.mu.Unlock()
	if wait == nil {
		return nil
	}
	<-wait.done
	return wait.err
}
