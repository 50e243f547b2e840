package limit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/proxy/limit/redistest"
	"seam/shared/protocol"
)

// noon is in the future, because Redis expires old windows by the machine's clock.
var noon = time.Date(2100, 11, 19, 12, 0, 0, 0, time.UTC) // a Friday

func atNoon() time.Time { return noon }

// openTestRedis opens a book like a separate process would.
func openTestRedis(t testing.TB, s *redistest.Server) *RedisBook {
	t.Helper()
	a, err := ParseRedis(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	b := OpenRedis(RedisOptions{Address: a, Prefix: "test:"})
	t.Cleanup(func() { b.Close() })
	return b
}

// eachBook runs a test over an empty book of each kind.
func eachBook(t *testing.T, test func(t *testing.T, b Book)) {
	t.Run("file", func(t *testing.T) {
		b, err := OpenBook(filepath.Join(t.TempDir(), "budget.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		test(t, b)
	})
	t.Run("redis", func(t *testing.T) { test(t, openTestRedis(t, redistest.Start(t))) })
}

// A row assigns Want within its limit, and never less than Keep. Writing it twice has the
// same result. Windows and accounts are independent.
func TestBooks(t *testing.T) {
	eachBook(t, func(t *testing.T, b Book) {
		day, week := Day.key(noon), Week.key(noon)
		for _, tt := range []struct {
			keep, want, limit, own Amount
		}{
			{Amount{}, Amount{10, 20}, Amount{100, 100}, Amount{10, 20}},
			{Amount{10, 20}, Amount{10, 20}, Amount{100, 100}, Amount{10, 20}},
			{Amount{10, 20}, Amount{110, 90}, Amount{100, 100}, Amount{100, 90}},
			{Amount{50, 120}, Amount{60, 130}, Amount{100, 100}, Amount{60, 120}},
			{Amount{5, 6}, Amount{5, 6}, Amount{100, 100}, Amount{5, 6}},
			{Amount{1 << 40, 7}, Amount{1 << 52, 8}, Amount{unlimited, unlimited}, Amount{1 << 52, 8}},
		} {
			for range 2 {
				held, err := b.Commit([]Row{{week, "c:x", Amount{1, 1}, Amount{1, 1}, Amount{9, 9}}, {day, "c:x", tt.keep, tt.want, tt.limit}, {day, "g:caller a b", tokens(3), tokens(3), tokens(3)}}, nil)
				if want := (Balance{tt.own, tt.own}); err != nil || held[1] != want || held[0].All != (Amount{1, 1}) || held[2].Own != tokens(3) {
					t.Fatalf("%+v: %+v %v", tt, held, err)
				}
			}
			held, err := b.Spent(day, []string{"c:y", "c:x"})
			if want := (Balance{tt.own, tt.own}); err != nil || held[1] != want || held[0] != (Balance{}) {
				t.Errorf("%+v: %+v %v", tt, held, err)
			}
		}
		if held, err := b.Spent(Hour.key(noon), []string{"c:x"}); err != nil || held[0] != (Balance{}) {
			t.Errorf("another window: %+v %v", held, err)
		}
		var rows []Row
		for i := range 2*rowsAtOnce + 7 {
			rows = append(rows, rowOf([]string{day, week}[i%2], fmt.Sprint("c:", i), tokens(int64(i)))...)
		}
		held, err := b.Commit(rows, []Spending{{day, "site a", "m", Use{1, 2, 3, 4}}})
		if err != nil || len(held) != len(rows) {
			t.Fatal(err)
		}
		for i, h := range held {
			if h.Own != tokens(int64(i)) {
				t.Fatalf("row %d: %+v", i, h)
			}
		}
	})
}

// Spending is summed, and returned by day, group and model.
func TestBooksSpendings(t *testing.T) {
	eachBook(t, func(t *testing.T, b Book) {
		var want []Spending
		for day := range 3 {
			for _, group := range []string{"caller a\"b", "site https://x.example"} {
				s := Spending{Day.key(noon.AddDate(0, 0, day)), group, "m", Use{1, 2, 3, 4}}
				for range 2 {
					if _, err := b.Commit(nil, []Spending{s, s}); err != nil {
						t.Fatal(err)
					}
				}
				s.Use = Use{4, 8, 12, 16}
				want = append(want, s)
			}
		}
		for day := range 4 {
			got, err := b.Spendings(Day.key(noon.AddDate(0, 0, day)))
			if left := want[min(2*day, len(want)):]; err != nil || !slices.Equal(got, left) {
				t.Errorf("since day %d: %+v %v, want %+v", day, got, err, left)
			}
		}
	})
}

// Refusals name the exhausted limit over each book, and a new window has a new budget.
func TestRefusalsOverBooks(t *testing.T) {
	eachBook(t, func(t *testing.T, b Book) {
		now := noon
		l := NewLedger(Limits{Session: tokens(1000), Caller: tokens(500), Day: tokens(900), Groups: map[string]Budget{"site https://x.example": {tokens(200), Week}}}, b, func() time.Time { return now })
		spend := func(session, caller, group string, n int64) error {
			r, err := l.Reserve(context.Background(), Payer{session, caller, group}, tokens(n))
			if err == nil {
				err = r.Settle(tokens(n))
			}
			return err
		}
		ok := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		ok(spend("a", "x", "", 500))
		refused(t, spend("b", "x", "", 1), "Your address has used up its budget for today.")
		ok(spend("b", "y", "site https://x.example", 200))
		refused(t, spend("c", "z", "site https://x.example", 1), "The budget of https://x.example for this week is used up.")
		ok(spend("b", "z", "", 150))
		refused(t, spend("b", "z", "", 51), "The rest of the budget of this site for today may not be enough")
		ok(spend("b", "z", "", 50))
		refused(t, spend("d", "w", "", 1), "The budget of this site for today is used up.")
		now = now.AddDate(0, 0, 1) // the same week
		ok(spend("a", "x", "", 500))
		refused(t, spend("a", "w", "", 1), "This session")
		refused(t, spend("c", "z", "site https://x.example", 1), "for this week is used up")
		now = now.AddDate(0, 0, 2)
		ok(spend("c", "z", "site https://x.example", 200))
		if s, err := l.Spent(); err != nil || s != tokens(200) {
			t.Errorf("%+v spent: %v", s, err)
		}
	})
}

// Over each book, concurrent requests never exceed a limit, not even by a token.
func TestConcurrentOverBooks(t *testing.T) {
	eachBook(t, func(t *testing.T, b Book) {
		l := NewLedger(Limits{Day: tokens(1000)}, b, func() time.Time { return noon })
		var all sync.WaitGroup
		var mu sync.Mutex
		granted := int64(0)
		for i := range 50 {
			all.Go(func() {
				for range 100 {
					r, err := l.Reserve(context.Background(), Payer{Session: fmt.Sprint(i), Caller: fmt.Sprint(i % 7)}, tokens(7))
					var e *protocol.Error
					if err != nil && (!errors.As(err, &e) || e.Code != protocol.BudgetSpent) {
						t.Error(err)
					}
					if err == nil {
						mu.Lock()
						granted += 7
						mu.Unlock()
						if err := r.Settle(tokens(7)); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		all.Wait()
		if granted != 994 { // 142 times 7
			t.Errorf("%d tokens granted of 1000", granted)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		held, err := b.Spent(Day.key(noon), []string{everybody})
		if err != nil || held[0].All != tokens(994) {
			t.Errorf("%+v in the book: %v", held, err)
		}
	})
}

func TestFileBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budget.db")
	b, err := OpenBook(path)
	if err != nil {
		t.Fatal(err)
	}
	for day := range 50 {
		d := time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		if _, err := b.Commit(rowOf(d, "x", Amount{int64(day), 7}), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := OpenBook(path); err == nil || !strings.Contains(err.Error(), "another proxy") {
		t.Errorf("opened twice: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if b, err = OpenBook(path); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if a, err := b.Spent("2026-02-19", []string{"y", "x"}); err != nil || a[0] != (Balance{}) || a[1].Own != (Amount{49, 7}) {
		t.Errorf("%+v: %v", a, err)
	}
	if a, err := b.Spent("2026-01-05", []string{"x"}); err != nil || a[0] != (Balance{}) {
		t.Errorf("%+v of a day long ago: %v", a, err)
	}
	if _, err := OpenBook(t.TempDir()); err == nil {
		t.Error("a folder is a book")
	}
}
