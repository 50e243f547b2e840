package limit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/shared/protocol"
)

// memory is a Book without a disk, which can fail.
type memory struct {
	mu     sync.Mutex
	spent  map[string]Amount
	uses   map[spending]Use
	writes int
	fail   error // of every call
	noRoom bool  // writes fail
}

// full sets whether the disk is full.
func (m *memory) full(full bool) { m.mu.Lock(); defer m.mu.Unlock(); m.noRoom = full }

func (m *memory) Shared() bool { return false }

func (m *memory) Spent(day string, accounts []string) (all []Balance, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range accounts {
		all = append(all, Balance{m.spent[day+a], m.spent[day+a]})
	}
	return all, m.fail
}

func (m *memory) Spendings(since string) (all []Spending, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, u := range m.uses {
		if k.day >= since {
			all = append(all, Spending{k.day, k.group, k.model, u})
		}
	}
	return all, m.fail
}

func (m *memory) Commit(rows []Row, spent []Spending) (held []Balance, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.noRoom {
		return nil, errors.New("disk full")
	}
	if m.fail != nil {
		return nil, m.fail
	}
	m.writes++
	for _, r := range rows {
		own := r.own(Amount{})
		m.spent[r.Window+r.Account] = own
		held = append(held, Balance{own, own})
	}
	for _, s := range spent {
		if m.uses == nil {
			m.uses = map[spending]Use{}
		}
		k := spending{s.Day, s.Group, s.Model}
		m.uses[k] = m.uses[k].Add(s.Use)
	}
	return held, nil
}

func newLedger(limits Limits) (*Ledger, *memory, *time.Time) {
	now := time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)
	book := &memory{spent: map[string]Amount{}}
	return NewLedger(limits, book, func() time.Time { return now }), book, &now
}

// rowOf returns a row that sets an account in a window to a.
func rowOf(window, account string, a Amount) []Row {
	return []Row{{Window: window, Account: account, Keep: a, Want: a}}
}

func tokens(n int64) Amount { return Amount{Tokens: n} }

func reserve(t *testing.T, l *Ledger, session, caller string, n int64) *Reservation {
	t.Helper()
	r, err := l.Reserve(context.Background(), Payer{Session: session, Caller: caller}, tokens(n))
	if err != nil {
		t.Fatalf("%s at %s, %d tokens: %v", session, caller, n, err)
	}
	return r
}

func refused(t *testing.T, err error, says string) {
	t.Helper()
	var e *protocol.Error
	if !errors.As(err, &e) || e.Code != protocol.BudgetSpent || !strings.Contains(e.Message, says) {
		t.Errorf("%v, want a refusal with %q", err, says)
	}
}

func TestWhoseLimit(t *testing.T) {
	l, _, _ := newLedger(Limits{Session: tokens(100), Caller: tokens(150), Day: tokens(400)})
	first := reserve(t, l, "a", "x", 100)
	_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, tokens(1))
	refused(t, err, "session")
	if err := reserve(t, l, "b", "x", 50).Settle(tokens(50)); err != nil {
		t.Fatal(err)
	}
	if err := first.Settle(tokens(100)); err != nil {
		t.Fatal(err)
	}
	_, err = l.Reserve(context.Background(), Payer{Session: "b", Caller: "x"}, tokens(1))
	refused(t, err, "address")
	var e *protocol.Error
	if errors.As(err, &e); e.RetryAfter != time.Hour {
		t.Errorf("try again after %v, want an hour: until midnight", e.RetryAfter)
	}
	reserve(t, l, "c", "y", 100)
	reserve(t, l, "d", "z", 100)
	_, err = l.Reserve(context.Background(), Payer{Session: "e", Caller: "z"}, tokens(51))
	refused(t, err, "address")
	reserve(t, l, "e", "z", 50)
	_, err = l.Reserve(context.Background(), Payer{Session: "f", Caller: "w"}, tokens(1))
	refused(t, err, "this site")
	if s, err := l.Spent(); s != tokens(400) || err != nil {
		t.Errorf("%+v spent: %v", s, err)
	}
}

// A network of IPv6 has the budgets of a few addresses, however many addresses it has.
func TestNetworks(t *testing.T) {
	l, book, _ := newLedger(Limits{Caller: tokens(100)})
	spend := func(caller string) error {
		r, err := l.Reserve(context.Background(), Payer{Session: "s", Caller: caller}, tokens(100))
		if err == nil {
			err = r.Settle(tokens(100))
		}
		return err
	}
	for i := range 20 {
		err := spend(fmt.Sprintf("2001:db8:7:%x::/64", i))
		if i < Networks && err != nil {
			t.Errorf("address %d: %v", i, err)
		} else if i >= Networks {
			refused(t, err, "Your network")
		}
	}
	for _, other := range []string{"2001:db8:8::/64", "192.0.2.1", "192.0.2.2", "ci", "unreadable 3"} {
		if err := spend(other); err != nil {
			t.Errorf("%s: %v", other, err)
		}
		if len(l.limits.accountsOf(Payer{Session: "s", Caller: other})) == 4 != strings.Contains(other, ":") {
			t.Errorf("%s is in %q", other, l.limits.accountsOf(Payer{Session: "s", Caller: other}))
		}
	}
	if n := book.spent["2026-11-21n:2001:db8:7::/48"]; n != tokens(400) {
		t.Errorf("%+v in the book for the network", n)
	}
	free, _, _ := newLedger(Limits{})
	reserve(t, free, "s", "2001:db8::/64", unlimited)
}

// A refusal says whether anything is left, and when to retry.
func TestWhatARefusalSays(t *testing.T) {
	l, _, _ := newLedger(Limits{Caller: tokens(100)})
	r := reserve(t, l, "a", "x", 60)
	for _, tt := range []struct {
		settle, ask int64 // settle -1: not yet
		says        string
		after       time.Duration
	}{
		{-1, 101, "more than the whole budget of your address", 0},
		{-1, 41, "Running requests may need", heldFor},
		{60, 41, "may not be enough", time.Hour},
		{60, 101, "more than the whole budget", 0},
		{100, 1, "has used up its budget for today", time.Hour},
	} {
		if tt.settle >= 0 {
			_ = r.Settle(tokens(60))
			if tt.settle > 60 {
				_ = reserve(t, l, "a", "x", tt.settle-60).Settle(tokens(tt.settle - 60))
			}
		}
		_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, tokens(tt.ask))
		refused(t, err, tt.says)
		if e := (*protocol.Error)(nil); !errors.As(err, &e) || e.RetryAfter != tt.after {
			t.Errorf("%v: try again after %v, want %v", err, e.RetryAfter, tt.after)
		}
	}
}

// Money has its own limit, and 0 means no limit.
func TestMoney(t *testing.T) {
	l, _, _ := newLedger(Limits{Day: Amount{Micros: 1000}})
	if _, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, Amount{Tokens: 1 << 40, Micros: 1000}); err != nil {
		t.Error(err)
	}
	_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, Amount{Micros: 1})
	refused(t, err, "this site")
	free, _, _ := newLedger(Limits{})
	for range 1000 {
		if _, err := free.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, Amount{1 << 40, 1 << 40}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSettle(t *testing.T) {
	l, book, _ := newLedger(Limits{Day: tokens(100)})
	r := reserve(t, l, "a", "x", 80)
	if err := r.Settle(tokens(10)); err != nil {
		t.Fatal(err)
	}
	if err := r.Settle(tokens(0)); err != nil { // the second call does nothing
		t.Fatal(err)
	}
	if s, _ := l.Spent(); s != tokens(10) {
		t.Errorf("%+v spent, want what it cost", s)
	}
	r = reserve(t, l, "a", "x", 90)
	if err := r.Settle(tokens(500)); err != nil { // the provider counted differently
		t.Fatal(err)
	}
	if s, _ := l.Spent(); s != tokens(510) || book.spent["2026-11-21*"] != tokens(510) {
		t.Errorf("%+v spent, %+v written down", s, book.spent["2026-11-21*"])
	}
	_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, tokens(1))
	refused(t, err, "this site")
}

// A refused request takes nothing from the accounts that would have granted it.
func TestRefusalCostsNothing(t *testing.T) {
	l, _, _ := newLedger(Limits{Session: tokens(100), Day: tokens(50)})
	for range 10 {
		_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, tokens(60))
		refused(t, err, "this site")
	}
	reserve(t, l, "a", "x", 50)
}

func TestDays(t *testing.T) {
	l, book, now := newLedger(Limits{Session: tokens(150), Day: tokens(100)})
	r := reserve(t, l, "a", "x", 100)
	*now = now.Add(2 * time.Hour)
	reserve(t, l, "a", "x", 50) // a new day; the session's limit continues
	_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: "x"}, tokens(1))
	refused(t, err, "session")
	if err := r.Settle(tokens(1)); err != nil {
		t.Error(err)
	}
	if book.spent["2026-11-21*"] != tokens(100) {
		t.Errorf("%+v on the day before", book.spent["2026-11-21*"])
	}
	l.EndSession("a")
	reserve(t, l, "a", "x", 50)
}

// If the book does not answer, nothing is granted.
func TestFailsClosed(t *testing.T) {
	l, book, _ := newLedger(Limits{Day: tokens(100)})
	reserve(t, l, "a", "x", 1)
	book.fail = errors.New("disk full")
	for _, caller := range []string{"x", "y"} {
		_, err := l.Reserve(context.Background(), Payer{Session: "a", Caller: caller}, tokens(50))
		var e *protocol.Error
		if !errors.As(err, &e) || e.Code != protocol.Internal || strings.Contains(e.Message, "disk") {
			t.Errorf("%s: %v", caller, err)
		}
	}
	book.fail = nil
	if s, _ := l.Spent(); s != tokens(1) {
		t.Errorf("%+v spent", s)
	}
}

// Most requests need no write.
func TestBlocks(t *testing.T) {
	l, book, _ := newLedger(Limits{Day: tokens(1_000_000)})
	for range 10_000 {
		if err := reserve(t, l, "a", "x", 20).Settle(tokens(10)); err != nil {
			t.Fatal(err)
		}
	}
	if book.writes > 40 {
		t.Errorf("%d writes for 10,000 requests", book.writes)
	}
	if err := l.Close(); err != nil || book.spent["2026-11-21*"] != tokens(100_000) {
		t.Errorf("%+v after closing: %v", book.spent["2026-11-21*"], err)
	}
}

// Concurrent requests never exceed a limit, not even by a token.
func TestConcurrent(t *testing.T) {
	l, _, _ := newLedger(Limits{Day: tokens(1000)})
	var wg sync.WaitGroup
	var mu sync.Mutex
	granted := 0
	for i := range 50 {
		wg.Go(func() {
			for range 100 {
				if r, err := l.Reserve(context.Background(), Payer{Session: fmt.Sprint(i), Caller: "x"}, tokens(7)); err == nil {
					mu.Lock()
					granted += 7
					mu.Unlock()
					_ = r.Settle(tokens(7))
				}
			}
		})
	}
	wg.Wait()
	if granted != 994 { // 142 times 7
		t.Errorf("%d tokens granted of 1000", granted)
	}
}

// No account of an ended session remains, even if its last request reaches the ledger
// later.
func TestReserveAfterTheSession(t *testing.T) {
	l, _, _ := newLedger(Limits{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for i := range 10 {
		session := fmt.Sprint(i)
		l.EndSession(session)
		if _, err := l.Reserve(ctx, Payer{Session: session, Caller: "x"}, tokens(1)); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	for name := range l.accounts {
		if name[0] == 's' {
			t.Errorf("the account %s is left", name)
		}
	}
}

func TestManyCallers(t *testing.T) {
	l, book, _ := newLedger(Limits{Caller: tokens(10)})
	for i := range manyAccounts + 500 {
		if err := reserve(t, l, "s", fmt.Sprint(i), 4).Settle(tokens(3)); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.accounts) > manyAccounts {
		t.Errorf("%d accounts are kept", len(l.accounts))
	}
	if book.spent["2026-11-21c:0"] != tokens(3) {
		t.Errorf("%+v of the first caller", book.spent["2026-11-21c:0"])
	}
	reserve(t, l, "s", "0", 7)
	_, err := l.Reserve(context.Background(), Payer{Session: "s", Caller: "0"}, tokens(1))
	refused(t, err, "address")
}

// For any reported cost, no sum becomes negative or overflows, in memory or in the book.
func TestNonsenseCosts(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, most, math.MaxInt64 - 1, math.MaxInt64}
	l, book, _ := newLedger(Limits{})
	for range 10 {
		for _, a := range numbers {
			for _, b := range numbers {
				if err := reserve(t, l, "a", "x", b/8).Settle(Amount{a, b}); err != nil {
					t.Fatal(err)
				}
				if s, err := l.Spent(); err != nil || s.Tokens < 0 || s.Micros < 0 || s.Tokens > unlimited || s.Micros > unlimited {
					t.Fatalf("%+v spent after %d: %v", s, a, err)
				}
			}
		}
	}
	for name, a := range book.spent {
		if a != a.atLeast(Amount{}) {
			t.Errorf("%+v in the book for %s", a, name)
		}
	}
	for _, a := range numbers {
		for _, b := range numbers {
			sum := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
			difference := new(big.Int).Sub(big.NewInt(a), big.NewInt(b))
			if got := add(a, b); sum.IsInt64() && got != sum.Int64() || !sum.IsInt64() && (got < 0) != (sum.Sign() < 0) {
				t.Errorf("%d + %d = %d", a, b, got)
			}
			if got := (Amount{Tokens: a}).minus(Amount{Tokens: b}).Tokens; difference.IsInt64() && b != math.MinInt64 && got != difference.Int64() {
				t.Errorf("%d - %d = %d", a, b, got)
			}
		}
	}
}
