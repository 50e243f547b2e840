package limit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"seam/shared/protocol"
)

func at(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Times around the ends of hours, days, weeks, months, years and leap days, in several time
// zones.
func TestWindows(t *testing.T) {
	for _, tt := range []struct {
		window  Window
		at      string
		key, to string
	}{
		{Hour, "2026-12-31T23:59:59.999999999Z", "2026-12-31 23h", "2027-01-01T00:00:00Z"},
		{Hour, "2027-01-01T00:00:00Z", "2027-01-01 00h", "2027-01-01T01:00:00Z"},
		{Hour, "2027-01-01T05:29:00+05:30", "2026-12-31 23h", "2027-01-01T00:00:00Z"},
		{"", "2028-02-28T23:59:59Z", "2028-02-28", "2028-02-29T00:00:00Z"},
		{Day, "2028-02-29T00:00:00Z", "2028-02-29", "2028-03-01T00:00:00Z"},
		{Day, "2027-02-28T12:00:00Z", "2027-02-28", "2027-03-01T00:00:00Z"},
		{Day, "2027-03-01T01:00:00+02:00", "2027-02-28", "2027-03-01T00:00:00Z"},
		{Week, "2026-11-22T23:59:59Z", "2026-11-16 week", "2026-11-23T00:00:00Z"}, // a Sunday
		{Week, "2026-11-23T00:00:00Z", "2026-11-23 week", "2026-11-30T00:00:00Z"},
		{Week, "2027-01-01T00:00:00Z", "2026-12-28 week", "2027-01-04T00:00:00Z"},
		{Week, "2028-03-01T00:00:00Z", "2028-02-28 week", "2028-03-06T00:00:00Z"},
		{Month, "2026-12-31T23:59:59Z", "2026-12", "2027-01-01T00:00:00Z"},
		{Month, "2027-01-31T00:00:00Z", "2027-01", "2027-02-01T00:00:00Z"},
		{Month, "2028-02-29T23:00:00Z", "2028-02", "2028-03-01T00:00:00Z"},
		{Month, "2028-03-01T00:00:00Z", "2028-03", "2028-04-01T00:00:00Z"},
	} {
		now := at(t, tt.at)
		if _, to := tt.window.bounds(now); tt.window.key(now) != tt.key || !to.Equal(at(t, tt.to)) {
			t.Errorf("%s of %s: %q until %v", tt.window, tt.at, tt.window.key(now), to)
		}
	}
	if !Window("").Valid() || !Week.Valid() || Window("year").Valid() {
		t.Error("valid windows")
	}
}

// Windows follow each other without gaps, and each key belongs to one window.
func TestWindowsFollow(t *testing.T) {
	for _, w := range []Window{Hour, Day, Week, Month} {
		now, keys := time.Date(2027, 12, 25, 3, 4, 5, 6, time.UTC), map[string]bool{}
		for range 3000 {
			from, to := w.bounds(now)
			if now.Before(from) || !now.Before(to) || keys[w.key(now)] || w.key(from) != w.key(to.Add(-1)) {
				t.Fatalf("%s: %v is in %v to %v, %q", w, now, from, to, w.key(now))
			}
			if next, _ := w.bounds(to); !next.Equal(to) {
				t.Fatalf("%s: after %v comes %v", w, to, next)
			}
			keys[w.key(now)] = true
			now = to
		}
	}
}

// A group's budget is shared by its members, lasts as long as its window, and its refusal
// says when it is renewed. Its blocks are not lost at the end of each day.
func TestGroups(t *testing.T) {
	l, book, now := newLedger(Limits{Caller: tokens(1000), Groups: map[string]Budget{
		"site https://docs.example.org": {tokens(100_000), Week}, "caller ci": {tokens(5000), Month},
	}})
	spend := func(caller, group string, n int64) error {
		r, err := l.Reserve(context.Background(), Payer{"s", caller, group}, tokens(n))
		if err == nil {
			err = r.Settle(tokens(n))
		}
		return err
	}
	const docs = "site https://docs.example.org"
	*now = time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC) // a Monday
	for i := range 100 {
		if err := spend(fmt.Sprint(i), docs, 1000); err != nil {
			t.Fatal(err)
		}
		if *now = now.Add(100 * time.Minute); i == 50 {
			l = NewLedger(l.limits, book, func() time.Time { return *now })
		}
	}
	*now = time.Date(2026, 11, 22, 23, 0, 0, 0, time.UTC)
	err := spend("x", docs, 1)
	refused(t, err, "The budget of https://docs.example.org for this week is used up. It is renewed on 2026-11-23 at 00:00 UTC.")
	if e := (*protocol.Error)(nil); !errors.As(err, &e) || e.RetryAfter != time.Hour {
		t.Errorf("%v: not in an hour", err)
	}
	if err := spend("x", "site https://other.example", 1000); err != nil {
		t.Errorf("a site without a budget: %v", err)
	}
	refused(t, spend("x", "site https://other.example", 1), "Your address")
	// A caller's own budget replaces the budget of an address.
	if err := spend("caller ci", "caller ci", 5000); err != nil {
		t.Error(err)
	}
	refused(t, spend("caller ci", "caller ci", 1), "ci for this month is used up. It is renewed on 2026-12-01 at 00:00 UTC.")
	refused(t, spend("caller ci", "caller ci", 6000), "more than the whole budget of ci for this month")
	*now = now.Add(time.Hour)
	if err := spend("x", docs, 1000); err != nil {
		t.Errorf("a new week: %v", err)
	}
	refused(t, spend("caller ci", "caller ci", 1), "ci for this month")
	// After a reload with another amount, and another window.
	limits := l.limits
	limits.Groups = map[string]Budget{"caller ci": {tokens(6000), Month}}
	l.SetLimits(limits)
	if err := spend("caller ci", "caller ci", 1000); err != nil {
		t.Error(err)
	}
	limits.Groups = map[string]Budget{"caller ci": {tokens(6000), Hour}}
	l.SetLimits(limits)
	if err := spend("caller ci", "caller ci", 6000); err != nil {
		t.Error(err)
	}
	refused(t, spend("caller ci", "caller ci", 1), "ci for this hour is used up. It is renewed on 2026-11-23 at 01:00 UTC.")
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	for key, want := range map[string]int64{"2026-11-16 weekg:" + docs: 100_000, "2026-11g:caller ci": 6000, "2026-11-23 00hg:caller ci": 6000, "2026-11-22c:caller ci": 0} {
		if got := book.spent[key].Tokens; got != want {
			t.Errorf("%d in the book for %q, want %d", got, key, want)
		}
	}
}

// The book keeps every window while it lasts, and deletes it later.
func TestWindowsInTheBook(t *testing.T) {
	b, err := OpenBook(filepath.Join(t.TempDir(), "budget.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	now := time.Date(2027, 11, 1, 12, 0, 0, 0, time.UTC) // a Monday
	for range 120 {
		for _, w := range []Window{Hour, Week, Month, Day} {
			a, err := b.Spent(w.key(now), []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			days := a[0].Own.Tokens + 1
			if _, err := b.Commit(rowOf(w.key(now), "x", tokens(days)), nil); err != nil {
				t.Fatal(err)
			}
			from, _ := w.bounds(now)
			if n := int64(now.Sub(from).Hours()/24) + 1; days != n {
				t.Fatalf("%d days of the %s at %v, want %d", days, w, now, n)
			}
		}
		now = now.AddDate(0, 0, 1)
	}
	for _, gone := range []string{"2027-12", "2027-12-06 week", "2028-01-01", "2028-01-01 12h"} {
		if a, err := b.Spent(gone, []string{"x"}); err != nil || a[0] != (Balance{}) {
			t.Errorf("%s is kept: %+v %v", gone, a, err)
		}
	}
	if names := strings.Join(windows(t, b), ","); strings.Count(names, ",") > 2*(KeptDays+1)+7+3 {
		t.Errorf("%s", names)
	}
}

// windows returns the windows in a book.
func windows(t *testing.T, b *FileBook) (names []string) {
	t.Helper()
	if err := b.file.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
			names = append(names, string(name))
			return nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	return names
}
