package limit

import (
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// Limits of spending; a number of 0 is no limit.
type Limits struct {
	Session Amount // of one session
	Caller  Amount // of one address in a day; of a /48 of IPv6 Networks times as much
	Day     Amount // of all in a day

	Groups map[string]Budget // of sites and known callers; absent: none
}

// Budget is an amount and when it is renewed.
type Budget struct {
	Amount Amount
	Window Window
}

// Payer is who asks for a reservation.
type Payer struct {
	Session string
	Caller  string // an address, or a known caller
	Group   string // a site or a known caller, as in Limits.Groups; "": neither
}

// Ledger grants spending before it happens, and corrects it afterwards. The
// amounts are written down before they are granted, in blocks, so that most
// requests need no book: what is left of a block when the process is killed
// counts as spent. All who wait for the book at a time are written down together
// (see batch). A book that cannot be read or written grants nothing. Windows are
// those of UTC. It is safe for concurrent use.
//
// Ledgers over one shared book never grant more than a limit in sum: each grants
// from what the book has made its own.
type Ledger struct {
	limits Limits
	book   Book
	shared bool // others write the book, too: what it has said may be old
	now    func() time.Time

	mu       sync.Mutex // never held while the book is read or written
	at       time.Time  // in the hour that accounts are of: no window ends within it
	hour     string
	accounts map[string]*account
	room     int    // how many accounts there may be until some are put away
	gone     int    // counts those that were put away
	next     *batch // what the next write holds; nil: nothing
	writing  bool
	unsure   map[*account]bool // a write of theirs failed, and may have been done all the same

	spending map[spending]Use // that was counted and is not written down
	soon     bool             // it will be
	closed   bool
}

// manyAccounts is when those that nobody uses are put away.
const manyAccounts = 10_000

// account is a limit that is being used up. What is granted and what is written
// down are two things: nothing is granted before kept covers it.
type account struct {
	name   string
	window string // its key; "" of a session, which is in no book
	limit  Amount
	spent  Amount // by this process, what open reservations hold included
	held   Amount // what they hold
	asked  Amount // what waits for the book
	kept   Amount // what the book has at least as this process's
	others Amount // what it had as that of others when it was last asked
	open   int    // reservations that are not settled
	going  bool   // put away with the next write
}

// all is what is spent or waited for, by everybody.
func (a *account) all() Amount { return a.others.plus(a.spent).plus(a.asked) }

// covers reports whether n more than what is spent is covered: by the limit, and by
// what the book has.
func (a *account) covers(n Amount) bool {
	sum := a.spent.plus(n)
	return a.others.plus(sum).within(a.limit) && (a.window == "" || sum.within(a.kept))
}

// Networks is how many addresses' budgets a /48 of IPv6 has in all. A provider gives
// one to a customer, who has 65,536 addresses of /64 in it: so one visitor has four
// budgets at most, and four in one house do not stand in each other's way.
const Networks = 4

// everybody is the account of the day's limit.
const everybody = "*"

// NewLedger makes a ledger over a book.
func NewLedger(limits Limits, book Book, now func() time.Time) *Ledger {
	return &Ledger{limits: limits, book: book, shared: book.Shared(), now: now, accounts: map[string]*account{}, room: manyAccounts,
		unsure: map[*account]bool{}, spending: map[spending]Use{}}
}

// SetLimits changes the limits from now on; what was granted stays granted.
func (l *Ledger) SetLimits(limits Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = limits
	l.hour = "" // windows may be others
	for name, a := range l.accounts {
		a.limit = l.limitOf(name)
	}
}

// accountsOf names all that pays for somebody. A known caller with a budget of its own
// has none of an address beside it.
func (l Limits) accountsOf(who Payer) []string {
	names := []string{"s:" + who.Session}
	_, budget := l.Groups[who.Group]
	if budget {
		names = append(names, "g:"+who.Group)
	}
	if !budget || who.Group != who.Caller {
		names = append(names, "c:"+who.Caller)
	}
	if p, err := netip.ParsePrefix(who.Caller); err == nil && p.Addr().Is6() && p.Bits() > 48 {
		if network, err := p.Addr().Prefix(48); err == nil {
			names = append(names, "n:"+network.String())
		}
	}
	return append(names, everybody)
}

// EndSession forgets a session's account.
func (l *Ledger) EndSession(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.accounts, "s:"+session)
}

// Spent is what all have spent today, reservations included; of a shared book what
// others have taken in advance, too.
func (l *Ledger) Spent() (Amount, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, err := l.find(everybody)
	if err != nil {
		return Amount{}, err
	}
	a := found[0]
	if l.shared {
		l.mu.Unlock()
		now := *a // its name and window
		err = l.read([]*account{&now})
		l.mu.Lock()
		if err != nil {
			return Amount{}, err
		}
		a.others = now.others
	}
	return a.all(), nil
}

// find returns accounts of now, with the lock held. Those that it has to read
// from the book it reads without the lock.
func (l *Ledger) find(names ...string) ([]*account, error) {
	for {
		l.turn()
		var found []*account
		var missing []string
		for _, name := range names {
			a := l.accounts[name]
			if a == nil && name[0] == 's' {
				a = &account{name: name, limit: l.limitOf(name)}
				l.accounts[name] = a
			}
			if found = append(found, a); a == nil {
				missing = append(missing, name)
			}
		}
		if missing == nil {
			return found, nil
		}
		accounts, hour, gone := l.blank(missing), l.hour, l.gone
		l.mu.Unlock()
		err := l.read(accounts)
		l.mu.Lock()
		if err != nil {
			return nil, err
		}
		if hour != l.hour || gone != l.gone {
			continue // what was read may be old: another has used the account and put it away
		}
		l.makeRoom()
		for _, a := range accounts {
			if l.accounts[a.name] == nil {
				l.accounts[a.name] = a
			}
		}
	}
}

// blank makes accounts of now, as if nothing were spent.
func (l *Ledger) blank(names []string) (all []*account) {
	for _, name := range names {
		all = append(all, &account{name: name, window: l.windowOf(name).key(l.at), limit: l.limitOf(name)})
	}
	return all
}

// read fills accounts from the book, without the lock.
func (l *Ledger) read(accounts []*account) error {
	by := map[string][]*account{}
	for _, a := range accounts {
		by[a.window] = append(by[a.window], a)
	}
	for window, some := range by {
		var names []string
		for _, a := range some {
			names = append(names, a.name)
		}
		held, err := l.book.Spent(window, names)
		if err != nil {
			return fmt.Errorf("budget of %s: %w", window, err)
		}
		for i, a := range some {
			a.spent, a.kept, a.others = held[i].Own, held[i].Own, held[i].others()
		}
	}
	return nil
}

func (l *Ledger) limitOf(name string) Amount {
	switch name[0] {
	case 's':
		return l.limits.Session.limits()
	case 'c':
		return l.limits.Caller.limits()
	case 'n':
		return l.limits.Caller.times(Networks).limits()
	case 'g':
		return l.limits.Groups[name[len("g:"):]].Amount.limits()
	}
	return l.limits.Day.limits()
}

// windowOf is when an account of the book is renewed.
func (l *Ledger) windowOf(name string) Window {
	if name[0] == 'g' {
		return l.limits.Groups[name[len("g:"):]].Window
	}
	return Day
}

// turn ends the accounts whose window is over. Sessions go on: their limit is none of
// a time.
func (l *Ledger) turn() {
	now := l.now()
	hour := Hour.key(now)
	if hour == l.hour {
		return
	}
	l.at, l.hour = now, hour
	for name, a := range l.accounts {
		if a.window != "" && a.window != l.windowOf(name).key(now) {
			delete(l.accounts, name)
		}
	}
}
