package limit

// batch is what one write of the book holds, and those who wait for it. The first
// who needs the disk starts a write of its own; who comes while that is under way
// shares the next. So a thousand addresses cost two writes, and nobody waits for
// more than two.
type batch struct {
	accounts map[*account]bool
	probe    bool          // write even where nothing has changed
	done     chan struct{} // closed when what follows is there
	err      error
}

// entry is an account and what a write makes of it.
type entry struct {
	account *account
	kept    Amount
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

// cover returns the write after which the book covers what accounts have spent; nil
// where it does now.
func (l *Ledger) cover(accounts []*account) (wait *batch) {
	for _, a := range accounts {
		if a.window != "" && !a.spent.within(a.kept) {
			wait = l.join(a)
		}
	}
	return wait
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
		entries, rows := b.entries()
		spent := l.counted()
		l.mu.Unlock()
		if len(rows)+len(spent) > 0 {
			b.err = l.book.Write(rows, spent)
		}
		l.mu.Lock()
		if b.err != nil && len(spent) > 0 {
			l.notCounted(spent)
		}
		l.wrote(entries, b.err)
		l.mu.Unlock()
		close(b.done)
	}
}

// entries say what is to be written, with the lock held: a block more where an
// account has used up what is kept, what was really spent of one that goes.
func (b *batch) entries() (entries []entry, rows []Row) {
	for a := range b.accounts {
		kept := a.kept.plus(a.spent.minus(a.kept).blocks(a.limit)).atMost(a.limit).atLeast(a.spent).atLeast(a.kept)
		if a.going {
			kept = a.spent
		}
		entries = append(entries, entry{a, kept})
		if kept != a.kept || b.probe {
			rows = append(rows, Row{a.window, a.name, kept})
		}
		a.kept = a.kept.atMost(kept) // the smaller one holds whether the write succeeds or not
	}
	return entries, rows
}

// wrote notes what a write has done, with the lock held.
func (l *Ledger) wrote(entries []entry, err error) {
	put := false
	for _, e := range entries {
		a := e.account
		if err == nil {
			a.kept = e.kept
		}
		if !a.going {
			continue
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
