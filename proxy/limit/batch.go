package limit

// batch is what one write of the book holds, and those who wait for it. The first
// who needs the book starts a write of its own; who comes while that is under way
// shares the next. So a thousand addresses cost two writes, and nobody waits for
// more than two.
type batch struct {
	accounts map[*account]bool
	waiting  []*Reservation // first come, first served
	probe    bool           // write even where nothing has changed
	done     chan struct{}  // closed when what follows is there
	err      error
}

// entry is an account of a write, and what it has of it then.
type entry struct {
	account *account
	going   bool // put away with this write
	held    Held
}

// join adds an account to the next write, with the lock held.
func (l *Ledger) join(a *account) *batch {
	b := l.begin()
	b.accounts[a] = true
	return b
}

// begin returns the next write, with the lock held. All that was counted until it
// starts goes with it.
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
		var held []Held
		if len(rows)+len(spent) > 0 {
			held, b.err = l.book.Take(rows, spent)
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

// entries say what is to be written, with the lock held: a block more where an
// account has used up what is kept, what was really spent of one that goes. Those with
// a row come first.
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
		e := entry{a, a.going, Held{want, want.plus(a.others)}}
		if want != a.kept || b.probe || shared {
			entries = append(entries, e)
			rows = append(rows, Row{a.window, a.name, keep, want, a.limit})
		} else {
			same = append(same, e)
		}
		a.kept = a.kept.atMost(keep) // the smaller one holds whether the write succeeds or not
	}
	return append(entries, same...), rows
}

// wrote notes what a write has done, with the lock held.
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
			continue // or it has to go since, with the next write
		}
		a.going, put = false, true
		// Without the write the rest of its block counts as spent. Better that than
		// accounts without end while the disk is full.
		if a.open == 0 && a.spent.within(a.kept) && l.accounts[a.name] == a {
			delete(l.accounts, a.name)
			l.gone++
		}
	}
	if put {
		l.room = max(manyAccounts, len(l.accounts)+manyAccounts/10)
	}
}

// mostWaits is for how many writes a reservation waits. One decides, but for where
// something that was under way has cost more than it held.
const mostWaits = 3

// decide grants what the book covers now to those who wait for it, and refuses the
// others, with the lock held.
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

// giveBack lets the next write give others what accounts have in advance beyond a
// block, with the lock held. Nobody waits for it.
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

// makeRoom puts accounts away that nobody uses, where there are many: now where the
// book has them, else with the next write. The lock is held.
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

// Probe writes the account of all once more, to see whether the book can be written.
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

// Close writes down what was really spent, without the rests of blocks, and what was
// counted.
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
