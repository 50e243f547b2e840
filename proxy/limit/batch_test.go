package limit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// held is a book with writes that wait until the test releases them.
type held struct {
	memory
	began chan int // receives the number of rows of each write
	let   chan struct{}
}

func (h *held) Commit(rows []Row, spent []Spending) ([]Balance, error) {
	h.began <- len(rows)
	<-h.let
	return h.memory.Commit(rows, spent)
}

func newHeld(limits Limits) (*Ledger, *held) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	h := &held{memory: memory{spent: map[string]Amount{}}, began: make(chan int), let: make(chan struct{})}
	return NewLedger(limits, h, func() time.Time { return now }), h
}

// waiting waits until the next write has n accounts.
func waiting(l *Ledger, n int) {
	for {
		l.mu.Lock()
		got := 0
		if l.next != nil {
			got = len(l.next.accounts)
		}
		l.mu.Unlock()
		if got == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// While the disk is busy, requests that need no write do not wait, and all others share one
// write.
func TestSharedWrite(t *testing.T) {
	l, book := newHeld(Limits{Caller: tokens(1000), Day: tokens(1e9)})
	var all sync.WaitGroup
	ask := func(caller string) {
		all.Go(func() {
			if _, err := l.Reserve(context.Background(), Payer{Session: caller, Caller: caller}, tokens(10)); err != nil {
				t.Errorf("%s: %v", caller, err)
			}
		})
	}
	ask("first")
	if n := <-book.began; n != 2 {
		t.Fatalf("%d rows of one address, want its own and that of all", n)
	}
	book.let <- struct{}{}
	all.Wait()
	ask("second")
	<-book.began
	const addresses = 3000
	for i := range addresses {
		ask(fmt.Sprint(i))
	}
	waiting(l, addresses)
	if s, err := l.Spent(); err != nil || s != tokens(10*(addresses+2)) {
		t.Errorf("%+v spent while the disk is busy: %v", s, err)
	}
	// Fifty requests from an address that is being written wait for one more write.
	for range 50 {
		ask("second")
	}
	for taken := 0; taken < 51; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		taken = l.accounts["c:second"].open
		l.mu.Unlock()
	}
	book.let <- struct{}{}
	if n := <-book.began; n != addresses+1 {
		t.Errorf("%d rows in one write, want those of all addresses", n)
	}
	// An amount that is already written is granted at once, even while the disk is busy.
	if err := reserve(t, l, "other", "first", 0).Settle(Amount{}); err != nil {
		t.Error(err)
	}
	book.let <- struct{}{}
	all.Wait()
	if book.writes != 3 {
		t.Errorf("%d writes for %d addresses, want 3", book.writes, addresses+2)
	}
}

// A caller that stops waiting for the disk has spent nothing.
func TestLeftWhileWriting(t *testing.T) {
	l, book := newHeld(Limits{Caller: tokens(100), Day: tokens(1e9)})
	ctx, leave := context.WithCancel(context.Background())
	left := make(chan error)
	go func() {
		_, err := l.Reserve(ctx, Payer{Session: "s", Caller: "x"}, tokens(100))
		left <- err
	}()
	<-book.began
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	book.let <- struct{}{}
	if s, _ := l.Spent(); s != (Amount{}) {
		t.Errorf("%+v spent by nobody", s)
	}
	go func() {
		for range book.began {
			book.let <- struct{}{}
		}
	}()
	reserve(t, l, "s", "x", 100) // the whole limit
}

// A failed write fails every reservation that waits for it, and none of them costs
// anything.
func TestSharedFailure(t *testing.T) {
	l, book := newHeld(Limits{Caller: tokens(100), Day: tokens(1e9)})
	errs := make(chan error)
	ask := func(caller string) {
		_, err := l.Reserve(context.Background(), Payer{Session: caller, Caller: caller}, tokens(60))
		errs <- err
	}
	go ask("0")
	<-book.began
	for i := range 10 {
		go ask(fmt.Sprint(1 + i))
	}
	waiting(l, 11)
	book.let <- struct{}{}
	if err := <-errs; err != nil {
		t.Error(err)
	}
	<-book.began
	book.full(true)
	book.let <- struct{}{}
	for range 10 {
		if err := <-errs; err == nil {
			t.Error("granted without a book")
		}
	}
	if s, _ := l.Spent(); s != tokens(60) {
		t.Errorf("%+v spent, want that of the one who was granted", s)
	}
}

// Even if the disk stays full, the number of accounts in memory is bounded.
func TestManyCallersOnAFullDisk(t *testing.T) {
	l, book, _ := newLedger(Limits{Caller: tokens(10)})
	for i := range 3 * manyAccounts {
		book.full(i >= 5000)
		_, err := l.Reserve(context.Background(), Payer{Session: "s", Caller: fmt.Sprint(i)}, tokens(4))
		if (err == nil) != (i < 5000) {
			t.Fatalf("address %d: %v", i, err)
		}
	}
	if len(l.accounts) > manyAccounts+manyAccounts/10 {
		t.Errorf("%d accounts are kept", len(l.accounts))
	}
}
