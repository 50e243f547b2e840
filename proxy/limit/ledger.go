package limit

import (
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// Limits limits spending. A number of 0 means no limit.
type Limits struct {
	Session Amount // per session
	Caller  Amount // per address and day; a /48 of IPv6 has Networks times as much
	Day     Amount // for all callers per day

	Groups map[string]Budget // of sites and known callers; absent: no limit
}

// Budget is an amount that is renewed in each window.
type Budget struct {
	Amount Amount
	Window Window
}

// Payer identifies the caller of a reservation.
type Payer struct {
	Session string
	Caller  string // an address, or a known caller
	Group   string // a site or a known caller, as in Limits.Groups; "": neither
}

// Ledger grants spending in advance, and corrects it afterwards. Amounts are written to the
// book before they are granted. They are written in blocks, so that most requests need no
// write. If the process is killed, the rest of a block counts as spent. Callers that wait
// for the book at the same time share a write (see batch). If the book cannot be read or
// written, nothing is granted. Windows are in UTC. A Ledger is safe for concurrent use.
//
// Ledgers over one shared book never grant more than a limit in total: each grants only
// from the amount that the book assigns to it.
type Ledger struct {
	limits Limits
	book   Book
	shared bool // others write the book, too, so its values may be outdated
	now    func() time.Time

	mu       sync.Mutex // never held while the book is read or written
	at       time.Time  // a time in the current hour; no window ends within an hour
	hour     string
	accounts map[string]*account
	room     int    // number of accounts at which unused ones are removed
	gone     int    // number of removed accounts
	next     *batch // the next write; nil if there is none
	writing  bool
	unsure   map[*account]bool // accounts with a failed last write, which may have been done anyway

	spending map[spending]Use // counted but not written yet
	soon     bool             // a write of spending is scheduled
	closed   bool
}

// manyAccounts is the number of accounts from which unused ones are removed.
const manyAccounts = 10_000

// account is the use of one limit. Granted and written amounts differ: nothing is granted
// until kept covers it.
type account struct {
	name   string
	window string // key of its window; "" for a session, which is not in the book
	limit  Amount
	spent  Amount // by this process, including open reservations
	held   Amount // the part held by open reservations
	asked  Amount // waits for the book
	kept   Amount // least amount assigned to this process in the book
	others Amount // amount of other processes when the book was last read
	open   int    // unsettled reservations
	going  bool   // remove after the next write
}

// all returns the amount that all processes have spent or asked for.
func (a *account) all() Amount { return a.others.plus(a.spent).plus(a.asked) }

// covers reports whether n more can be granted, according to the limit and to the amount in
// the book.
func (a *account) covers(n Amount) bool {
	sum := a.spent.plus(n)
	return a.others.plus(sum).within(a.limit) && (a.window == "" || sum.within(a.kept))
}

// Networks is how many times the budget of an address all addresses of an IPv6 /48 have
// together. A provider gives a /48 to a customer, with 65,536 address ranges of /64. One
// visitor can therefore use four budgets at most, and four visitors in one house do not
// block each other.
const Networks = 4

// everybody is the account of the day's limit.
const everybody = "*"

// NewLedger returns a ledger over a book.
func NewLedger(limits Limits, book Book, now func() time.Time) *Ledger {
	return &Ledger{limits: limits, book: book, shared: book.Shared(), now: now, accounts: map[string]*account{}, room: manyAccounts,
		unsure: map[*account]bool{}, spending: map[spending]Use{}}
}

// SetLimits changes the limits for future reservations.
func (l *Ledger) SetLimits(limits Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = limits
	l.hour = "" // windows may differ
	for name, a := range l.accounts {
		a.limit = l.limitOf(name)
	}
}

// accountsOf returns the names of the accounts that pay for a request. A known caller with
// its own budget has no account of an address.
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

// Spent returns the amount spent today by all callers, including reservations and, in a
// shared book, the amounts other processes hold in advance.
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
		now := *a // for the name and window
		err = l.read([]*account{&now})
		l.mu.Lock()
		if err != nil {
			return Amount{}, err
		}
		a.others = now.others
	}
	return a.all(), nil
}

// find returns the current accounts of names. The lock must be held; find releases it while
// it reads missing accounts from the book.
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
			continue // outdated: another goroutine may have used and removed the account since the read
		}
		l.makeRoom()
		for _, a := range accounts {
			if l.accounts[a.name] == nil {
				l.accounts[a.name] = a
			}
		}
	}
}

// blank returns new accounts in the current windows, with nothing spent.
func (l *Ledger) blank(names []string) (all []*account) {
	for _, name := range names {
		all = append(all, &account{name: name, window: l.windowOf(name).key(l.at), limit: l.limitOf(name)})
	}
	return all
}

// read fills accounts from the book. The lock must not be held.
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

// windowOf returns the window of an account.
func (l *Ledger) windowOf(name string) Window {
	if name[0] == 'g' {
		return l.limits.Groups[name[len("g:"):]].Window
	}
	return Day
}

// turn removes accounts with an expired window. Sessions stay, because their limit has no
// window.
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
