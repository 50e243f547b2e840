package limit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"seam/proxy/limit/redistest"
	"seam/shared/protocol"
)

// instances returns ledgers over one Redis, as if each were in its own process.
func instances(t *testing.T, s *redistest.Server, n int, limits Limits, now func() time.Time) (all []*Ledger) {
	t.Helper()
	for range n {
		all = append(all, NewLedger(limits, openTestRedis(t, s), now))
	}
	return all
}

// ask reserves n and settles the cost, and reports whether it was granted. Any failure
// other than a refusal ends the test.
func ask(t *testing.T, l *Ledger, who Payer, n, cost int64) bool {
	t.Helper()
	r, err := l.Reserve(context.Background(), who, tokens(n))
	if err == nil {
		err = r.Settle(tokens(cost))
	}
	var e *protocol.Error
	if err != nil && (!errors.As(err, &e) || e.Code != protocol.BudgetSpent) {
		t.Error(err)
	}
	return err == nil
}

// inRedis returns the total of an account over all processes.
func inRedis(t *testing.T, s *redistest.Server, window, account string) Amount {
	t.Helper()
	held, err := openTestRedis(t, s).Spent(window, []string{account})
	if err != nil {
		t.Fatal(err)
	}
	return held[0].All
}

// An amount owned by one process is not available to another. When a process lowers its
// amount, others can take the difference.
func TestSharedRows(t *testing.T) {
	s := redistest.Start(t)
	books := []*RedisBook{openTestRedis(t, s), openTestRedis(t, s)}
	for i, tt := range []struct {
		book           int
		keep, want     Amount
		own, ownOfBoth Amount
	}{
		{0, Amount{}, Amount{60, 10}, Amount{60, 10}, Amount{60, 10}},
		{1, Amount{}, Amount{60, 10}, Amount{40, 10}, Amount{100, 20}},
		{0, Amount{60, 10}, Amount{70, 95}, Amount{60, 90}, Amount{100, 100}},
		{0, Amount{5, 5}, Amount{5, 5}, Amount{5, 5}, Amount{45, 15}},
		{1, Amount{40, 10}, Amount{200, 20}, Amount{95, 20}, Amount{100, 25}},
		{0, Amount{50, 5}, Amount{60, 5}, Amount{50, 5}, Amount{145, 25}}, // already spent
		{1, Amount{90, 20}, Amount{99, 30}, Amount{90, 30}, Amount{140, 35}},
	} {
		held, err := books[tt.book].Commit([]Row{{Day.key(noon), "c:x", tt.keep, tt.want, Amount{100, 100}}}, nil)
		if want := (Balance{tt.own, tt.ownOfBoth}); err != nil || held[0] != want {
			t.Fatalf("row %d: %+v %v, want %+v", i, held, err, want)
		}
		for j, b := range books {
			held, err := b.Spent(Day.key(noon), []string{"c:x"})
			if err != nil || held[0].All != tt.ownOfBoth || (held[0].Own == tt.own) != (j == tt.book) {
				t.Fatalf("row %d, seen by %d: %+v %v", i, j, held, err)
			}
		}
	}
}

// Any number of instances that share a budget never grant more than its limit in total, at
// any time. At the end, the unused rest is at most the block that each has in advance.
func TestSharedBudget(t *testing.T) {
	for _, n := range []int{2, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := redistest.Start(t)
			const limit, callerLimit, estimate, cost = 40_000, 9_000, 70, 40
			ledgers := instances(t, s, n, Limits{Caller: tokens(callerLimit), Day: tokens(limit)}, atNoon)
			var held, spent atomic.Int64 // held: upper bound of the amount granted now
			var callers [6]atomic.Int64
			spend := func(l *Ledger, i int) bool {
				r, err := l.Reserve(context.Background(), Payer{Session: "s", Caller: fmt.Sprint(i)}, tokens(estimate))
				var e *protocol.Error
				if err != nil {
					if !errors.As(err, &e) || e.Code != protocol.BudgetSpent {
						t.Error(err)
					}
					return false
				}
				if now, of := held.Add(estimate), callers[i].Add(estimate); now > limit || of > callerLimit {
					t.Errorf("%d tokens are granted of %d, %d of %d to one address", now, limit, of, callerLimit)
				}
				held.Add(cost - estimate)
				callers[i].Add(cost - estimate)
				spent.Add(cost)
				if err := r.Settle(tokens(cost)); err != nil {
					t.Error(err)
				}
				return true
			}
			var all sync.WaitGroup
			for _, l := range ledgers {
				for i := range callers {
					for range 3 {
						all.Go(func() {
							for spend(l, i) {
							}
						})
					}
				}
			}
			all.Wait()
			for _, l := range ledgers { // released by the other instances meanwhile
				for _, other := range ledgers {
					atRest(other)
				}
				for i := range callers {
					for spend(l, i) {
					}
				}
			}
			block := int64(limit / 100)
			if got := spent.Load(); got > limit || got < limit-int64(n)*block-estimate {
				t.Errorf("%d tokens are spent of %d by %d instances", got, limit, n)
			}
			t.Logf("%d tokens are spent of %d by %d instances", spent.Load(), limit, n)
			closed(t, s, ledgers, everybody, spent.Load())
			for i := range callers {
				closed(t, s, nil, fmt.Sprint("c:", i), callers[i].Load())
			}
		})
	}
}

// atRest waits until a ledger has nothing to write.
func atRest(l *Ledger) {
	for writing := true; writing; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		writing = l.writing
		l.mu.Unlock()
	}
}

// closed closes ledgers and checks that an account then has exactly the amount spent.
func closed(t *testing.T, s *redistest.Server, ledgers []*Ledger, account string, spent int64) {
	t.Helper()
	for _, l := range ledgers {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := inRedis(t, s, Day.key(noon), account); got != tokens(spent) {
		t.Errorf("%+v in the book for %s, %d are spent", got, account, spent)
	}
}

// An instance refuses a request because of spending at another, and names the right limit.
// An amount released there can be spent here.
func TestSharedRefusals(t *testing.T) {
	s := redistest.Start(t)
	now := noon
	limits := Limits{Caller: tokens(1000), Day: tokens(1e6), Groups: map[string]Budget{"site https://x.example": {tokens(300), Hour}, "caller ci": {tokens(300), Month}}}
	ledgers := instances(t, s, 2, limits, func() time.Time { return now })
	here, there := ledgers[0], ledgers[1]
	says := func(who Payer, n int64, says string) {
		t.Helper()
		_, err := here.Reserve(context.Background(), who, tokens(n))
		refused(t, err, says)
	}
	x, site, ci := Payer{Session: "s", Caller: "x"}, Payer{"s", "y", "site https://x.example"}, Payer{"s", "caller ci", "caller ci"}
	for _, who := range []Payer{x, site, ci} {
		r := reserve(t, here, "s", "z", 0) // loads the day's account
		if err := r.Settle(Amount{}); err != nil {
			t.Fatal(err)
		}
		if !ask(t, there, who, 300, 300) {
			t.Fatalf("%+v is refused", who)
		}
	}
	ask(t, there, x, 700, 700)
	says(x, 1, "Your address has used up its budget for today.")
	says(site, 1, "The budget of https://x.example for this hour is used up. It is renewed on 2100-11-19 at 13:00 UTC.")
	says(ci, 1, "The budget of ci for this month is used up.")
	says(x, 1001, "more than the whole budget of your address")
	if !ask(t, here, Payer{Session: "s", Caller: "z"}, 1000, 10) {
		t.Error("another address is refused")
	}
	now = now.Add(time.Hour)
	if !ask(t, here, site, 300, 300) || ask(t, there, site, 1, 1) {
		t.Error("the new hour is no new budget of both")
	}
	now = now.AddDate(0, 0, 1)
	says(ci, 1, "The budget of ci for this month is used up.")
	open, err := there.Reserve(context.Background(), x, tokens(900))
	if err != nil {
		t.Fatal(err)
	}
	says(x, 200, "The rest of the budget of your address")
	if err := open.Settle(tokens(100)); err != nil {
		t.Fatal(err)
	}
	for !ask(t, here, x, 800, 800) { // until the other has released it
		time.Sleep(time.Millisecond)
	}
	says(x, 101, "The rest of the budget of your address")
}

// Costs above the estimate count, even beyond the limit. A lowered limit applies in every
// ledger that has it.
func TestSharedOverspending(t *testing.T) {
	s := redistest.Start(t)
	ledgers := instances(t, s, 2, Limits{Day: tokens(1000)}, atNoon)
	x := Payer{Session: "s", Caller: "x"}
	if !ask(t, ledgers[0], x, 10, 1500) || ask(t, ledgers[1], x, 1, 1) || ask(t, ledgers[0], x, 1, 1) {
		t.Error("something is left")
	}
	for _, l := range ledgers {
		if spent, err := l.Spent(); err != nil || spent != tokens(1500) {
			t.Errorf("%+v spent: %v", spent, err)
		}
		l.SetLimits(Limits{Day: tokens(2000)})
	}
	if !ask(t, ledgers[1], x, 100, 100) {
		t.Error("refused within the larger limit")
	}
	ledgers[1].SetLimits(Limits{Day: tokens(1600)})
	if ask(t, ledgers[1], x, 1, 1) {
		t.Error("granted beyond the smaller limit")
	}
}

// A report includes every count of every instance exactly once.
func TestSharedReport(t *testing.T) {
	s := redistest.Start(t)
	ledgers := instances(t, s, 3, Limits{}, atNoon)
	for i := range 30 {
		ledgers[i%3].Count("caller ci", fmt.Sprint("m", i%2), Use{1, 10, 100, 1000})
		if i == 10 {
			reported(t, ledgers[1], 1)
		}
	}
	for _, l := range ledgers {
		reported(t, l, 1) // writes its counts
	}
	for _, l := range ledgers {
		got := reported(t, l, 7)
		if u := got[spending{Day.key(noon), "caller ci", "m1"}]; len(got) != 2 || u != (Use{15, 150, 1500, 15000}) {
			t.Errorf("%+v", got)
		}
	}
}

// Redis has keys only for the windows. They expire, and contain nothing sent by a visitor.
func TestRedisKeys(t *testing.T) {
	s := redistest.Start(t)
	l := instances(t, s, 1, Limits{Groups: map[string]Budget{"site https://x.example": {tokens(300), Month}}}, atNoon)[0]
	if !ask(t, l, Payer{"s", "192.0.2.1", "site https://x.example"}, 10, 10) {
		t.Fatal("refused")
	}
	l.Count("site https://x.example", "m", Use{Requests: 1})
	reported(t, l, 1)
	ends := map[string]time.Time{"test:2100-11-19": noon.Truncate(24*time.Hour).AddDate(0, 0, 1+KeptDays), "test:2100-11": time.Date(2100, 12, 1+KeptDays, 0, 0, 0, 0, time.UTC)}
	ends["test:2100-11-19 spending"] = ends["test:2100-11-19"]
	keys := s.Do("KEYS", "*").([]any)
	for _, key := range keys {
		name := string(key.([]byte))
		window := strings.TrimPrefix(name, "test:")
		window, _, _ = strings.Cut(window, ":")
		goes := time.Now().Add(time.Duration(s.Do("TTL", name).(int64)) * time.Second)
		if end, ok := ends["test:"+window]; !ok || goes.Sub(end).Abs() > time.Hour {
			t.Errorf("%q goes at %v", name, goes)
		}
	}
	if len(keys) != 2*len(ends) {
		t.Errorf("%q", keys)
	}
}
