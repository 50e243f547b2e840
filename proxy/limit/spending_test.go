package limit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"seam/proxy/boltfile"
)

// reported returns a ledger's report, by day, group and model.
func reported(t *testing.T, l *Ledger, days int) map[spending]Use {
	t.Helper()
	rows, err := l.Report(days)
	if err != nil {
		t.Fatal(err)
	}
	all := map[spending]Use{}
	for _, r := range rows {
		all[spending{r.Day, r.Group, r.Model}] = r.Use
	}
	if len(all) != len(rows) {
		t.Error("two rows of the same")
	}
	return all
}

// Everything counted is reported exactly once, across days and restarts, for the requested
// days that the book still keeps.
func TestSpending(t *testing.T) {
	b, err := OpenBook(filepath.Join(t.TempDir(), "budget.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	now := time.Date(2028, 1, 20, 12, 0, 0, 0, time.UTC) // a leap year
	clock := func() time.Time { return now }
	random := rand.New(rand.NewPCG(1, 2))
	want := map[spending]Use{}
	l := NewLedger(Limits{}, b, clock)
	for range 60 {
		for range random.IntN(20) {
			group, model := []string{"site https://docs.example.org", "caller ci", "caller a,\"b\""}[random.IntN(3)], fmt.Sprint("m", random.IntN(3))
			u := Use{random.Int64N(3), random.Int64N(1000), random.Int64N(1000), random.Int64N(1000)}
			l.Count(group, model, u)
			s := spending{now.Format(time.DateOnly), group, model}
			want[s] = want[s].Add(u)
		}
		r := reserve(t, l, "s", "x", 1) // a write of an account includes the counted spending
		if err := r.Settle(tokens(1)); err != nil {
			t.Fatal(err)
		}
		if random.IntN(3) == 0 {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			l = NewLedger(Limits{}, b, clock)
		}
		for _, days := range []int{1, 7, KeptDays} {
			got, since := reported(t, l, days), now.AddDate(0, 0, 1-days).Format(time.DateOnly)
			recent := maps.Clone(want)
			maps.DeleteFunc(recent, func(s spending, _ Use) bool { return s.day < since })
			if !maps.Equal(got, recent) {
				t.Fatalf("%d days until %v: %+v, want %+v", days, now, got, recent)
			}
		}
		now = now.AddDate(0, 0, 1)
	}
	rows, err := b.Spendings("")
	if err != nil || rows[0].Day < now.AddDate(0, 0, -KeptDays-1).Format(time.DateOnly) {
		t.Errorf("%+v is kept: %v", rows[0], err)
	}
	if !slices.IsSortedFunc(rows, func(a, b Spending) int {
		return slices.Compare([]string{a.Day, a.Group, a.Model}, []string{b.Day, b.Group, b.Model})
	}) {
		t.Error("the rows are in no order")
	}
}

// A day has a limited number of rows, and one for the rest.
func TestManySpendings(t *testing.T) {
	b, err := OpenBook(filepath.Join(t.TempDir(), "budget.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	l := NewLedger(Limits{}, b, func() time.Time { return now })
	var want Use
	for round := range 3 {
		for i := range 3 * mostSpendings {
			u := Use{1, int64(i), 2, 3}
			l.Count(fmt.Sprint("site ", i*(round+1)), "m", u)
			want = want.Add(u)
		}
		var got Use
		rows := reported(t, l, 1)
		for _, u := range rows {
			got = got.Add(u)
		}
		if len(rows) != mostSpendings+1 || got != want || rows[spending{"2026-11-21", Other, Other}].Requests < int64(2*mostSpendings) {
			t.Errorf("%d rows with %+v, want %+v", len(rows), got, want)
		}
	}
	if len(l.spending) > 0 {
		t.Error("what was written is kept")
	}
}

// Spending is written without a request for a report. While the disk is full it is kept in
// memory, and the error is reported.
func TestSpendingOnAFullDisk(t *testing.T) {
	l, book, _ := newLedger(Limits{})
	l.Count("caller ci", "m", Use{In: 1})
	for written := false; !written; time.Sleep(time.Millisecond) {
		rows, err := book.Spendings("")
		written = err == nil && len(rows) == 1
	}
	book.full(true)
	l.Count("caller ci", "m", Use{In: 2})
	for range 3 {
		if rows, err := l.Report(1); err == nil {
			t.Errorf("%+v", rows)
		}
	}
	if _, err := l.Reserve(context.Background(), Payer{"s", "x", ""}, tokens(1)); err == nil {
		t.Error("granted without a book")
	}
	book.full(false)
	l.Count("caller ci", "m", Use{In: math.MaxInt64, Out: -1})
	if got := reported(t, l, 1); len(got) != 1 || got[spending{"2026-11-21", "caller ci", "m"}] != (Use{In: 3 + most}) {
		t.Errorf("%+v", got)
	}
	l.Count("caller ci", "m", Use{Requests: 1})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if rows, _ := book.Spendings(""); len(rows) != 1 || rows[0].Requests != 1 {
		t.Errorf("after closing: %+v", rows)
	}
}

// An invalid value is found when the book is opened.
func TestDamagedSpending(t *testing.T) {
	for _, v := range [][]byte{make([]byte, 16), append(make([]byte, 31), 0x80)} {
		path := filepath.Join(t.TempDir(), "budget.db") // a damaged file stays locked until the process ends
		b, err := OpenBook(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.file.Update(func(tx *bbolt.Tx) error {
			bucket, err := bucketOf(tx, "2026-11-21"+spendings)
			if err != nil {
				return err
			}
			return bucket.Put([]byte("x"), v)
		}); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenBook(path); !errors.Is(err, boltfile.ErrDamaged) {
			t.Errorf("%v", err)
		}
	}
}
