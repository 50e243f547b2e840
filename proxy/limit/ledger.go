package limit

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Limits of spending; a number of 0 is no limit.
type Limits struct {
	Session Amount // of one session
	Caller  Amount // of one address in a day
	Day     Amount // of all in a day
}

// Book keeps what was spent, on disk. It is called with the ledger locked.
type Book interface {
	// Spent returns what an account has spent on that day: nothing if it is not
	// known.
	Spent(day, account string) (Amount, error)
	// Write makes it the new value, safe from a crash when Write returns.
	Write(day, account string, spent Amount) error
}

// Ledger grants spending before it happens, and corrects it afterwards. The
// amounts are written down before they are granted, in blocks, so that most
// requests need no disk: what is left of a block when the process is killed
// counts as spent. A book that cannot be read or written grants nothing. Days are
// those of UTC. It is safe for concurrent use.
type Ledger struct {
	limits Limits
	book   Book
	now    func() time.Time

	mu       sync.Mutex
	day      string
	accounts map[string]*account
}

// manyAccounts is when those that nobody uses are put away.
const manyAccounts = 10_000

// account is a limit that is being used up. Its spending is written - left.
type account struct {
	limit   Amount
	written Amount // in the book
	left    Amount // of what is written, not granted yet
	open    int    // reservations that are not settled
	saved   bool   // in the book: a session's is not
}

// everybody is the account of the day's limit.
const everybody = "*"

// NewLedger makes a ledger over a book.
func NewLedger(limits Limits, book Book, now func() time.Time) *Ledger {
	return &Ledger{limits: limits, book: book, now: now, accounts: map[string]*account{}}
}

// SetLimits changes the limits from now on; what was granted stays granted.
func (l *Ledger) SetLimits(limits Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = limits
	for name, a := range l.accounts {
		a.limit = l.limitOf(name)
	}
}

// Reservation is an amount that was granted.
type Reservation struct {
	ledger   *Ledger
	day      string
	accounts []string
	amount   Amount
	settled  bool
}

// Reserve grants an estimate to a session at an address, or says with a
// *protocol.Error whose limit is reached. Settle has to be called.
func (l *Ledger) Reserve(session, caller string, estimate Amount) (*Reservation, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turnDay()
	r := &Reservation{ledger: l, day: l.day, amount: estimate.atLeast(Amount{})}
	for _, name := range []string{"s:" + session, "c:" + caller, everybody} {
		if err := l.take(name, r.amount); err != nil {
			for _, taken := range r.accounts {
				l.giveBack(taken, r.amount)
			}
			return nil, l.refusal(name, err)
		}
		r.accounts = append(r.accounts, name)
	}
	return r, nil
}

// errSpent says that a limit is reached.
var errSpent = errors.New("limit reached")

// take grants n to an account, out of what is written, or of another block.
func (l *Ledger) take(name string, n Amount) error {
	a, err := l.account(name)
	if err != nil {
		return err
	}
	if !n.within(a.left) {
		short := n.minus(a.left).atLeast(Amount{})
		room := a.limit.minus(a.written).atLeast(Amount{})
		if !short.within(room) {
			return errSpent
		}
		block := short.blocks(a.limit).atMost(room)
		if a.saved {
			if err := l.book.Write(l.day, name, a.written.plus(block)); err != nil {
				return fmt.Errorf("budget of %s: %w", name, err)
			}
		}
		a.written, a.left = a.written.plus(block), a.left.plus(block)
	}
	a.left = a.left.minus(n)
	a.open++
	return nil
}

func (l *Ledger) giveBack(name string, n Amount) {
	if a := l.accounts[name]; a != nil {
		a.left = a.left.plus(n)
		a.open--
	}
}

// Settle corrects the reservation to what it really cost, once. More than was
// granted is written down, too, even beyond a limit: it has been spent.
func (r *Reservation) Settle(cost Amount) error {
	l := r.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turnDay()
	if r.settled || r.day != l.day { // the day it belongs to is closed, with the whole estimate
		r.settled = true
		return nil
	}
	r.settled = true
	var failed error
	for _, name := range r.accounts {
		l.giveBack(name, r.amount.minus(cost))
		a := l.accounts[name]
		if a == nil || a.left.Tokens >= 0 && a.left.Micros >= 0 {
			continue
		}
		over := Amount{}.minus(a.left).atLeast(Amount{})
		if a.saved {
			failed = errors.Join(failed, l.book.Write(l.day, name, a.written.plus(over)))
		}
		a.written, a.left = a.written.plus(over), a.left.plus(over)
	}
	return failed
}

// EndSession forgets a session's account.
func (l *Ledger) EndSession(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.accounts, "s:"+session)
}

// Spent is what all have spent today, reservations included.
func (l *Ledger) Spent() (Amount, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turnDay()
	a, err := l.account(everybody)
	if err != nil {
		return Amount{}, err
	}
	return a.written.minus(a.left), nil
}

// Close writes down what was really spent, without the rests of blocks.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.putAway(func(*account) bool { return true })
}

// account finds an account, or opens it with what the book says.
func (l *Ledger) account(name string) (*account, error) {
	if a := l.accounts[name]; a != nil {
		return a, nil
	}
	if len(l.accounts) >= manyAccounts {
		if err := l.putAway(func(a *account) bool { return a.saved && a.open == 0 }); err != nil {
			return nil, err
		}
	}
	a := &account{limit: l.limitOf(name), saved: name[0] != 's'}
	if a.saved {
		spent, err := l.book.Spent(l.day, name)
		if err != nil {
			return nil, fmt.Errorf("budget of %s: %w", name, err)
		}
		a.written = spent
	}
	l.accounts[name] = a
	return a, nil
}

// putAway writes accounts down and forgets them.
func (l *Ledger) putAway(which func(*account) bool) error {
	for name, a := range l.accounts {
		if !which(a) {
			continue
		}
		if a.saved && a.left != (Amount{}) {
			if err := l.book.Write(l.day, name, a.written.minus(a.left)); err != nil {
				return fmt.Errorf("budget of %s: %w", name, err)
			}
		}
		delete(l.accounts, name)
	}
	return nil
}

func (l *Ledger) limitOf(name string) Amount {
	switch name[0] {
	case 's':
		return l.limits.Session.limits()
	case 'c':
		return l.limits.Caller.limits()
	}
	return l.limits.Day.limits()
}

// turnDay begins a new day's accounts. Sessions go on: their limit is not a
// day's.
func (l *Ledger) turnDay() {
	day := l.now().UTC().Format(time.DateOnly)
	if day == l.day {
		return
	}
	for name, a := range l.accounts {
		if a.saved {
			delete(l.accounts, name)
		}
	}
	l.day = day
}

// refusal says whose limit it was, and when to come back.
func (l *Ledger) refusal(name string, err error) error {
	if !errors.Is(err, errSpent) {
		return &protocol.Error{Code: protocol.Internal, Message: "The budget cannot be checked, so nothing is sent.", Whose: protocol.Proxy}
	}
	e := &protocol.Error{Code: protocol.BudgetSpent, Whose: protocol.Proxy}
	switch name[0] {
	case 's':
		e.Message = "This session has used up its budget."
	case 'c':
		e.Message = "Your address has used up its budget for today."
	default:
		e.Message = "The budget of this site for today is used up."
	}
	if name[0] != 's' {
		now := l.now().UTC()
		e.RetryAfter = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	}
	return e
}
