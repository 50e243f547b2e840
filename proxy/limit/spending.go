package limit

import (
	"encoding/binary"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"seam/proxy/boltfile"
)

// Use is the usage of requests.
type Use struct {
	Requests int64
	In, Out  int64 // tokens read and written by models
	Micros   int64 // millionths of a US dollar
}

// Add returns the sum of both.
func (u Use) Add(v Use) Use {
	return Use{add(u.Requests, v.Requests), add(u.In, v.In), add(u.Out, v.Out), add(u.Micros, v.Micros)}
}

// believed limits each number to the range from 0 to most.
func (u Use) believed() Use {
	of := func(n int64) int64 { return min(max(n, 0), most) }
	return Use{of(u.Requests), of(u.In), of(u.Out), of(u.Micros)}
}

// Spending is the usage of a model by a group on a day in UTC, like 2026-11-21.
type Spending struct {
	Day, Group, Model string
	Use
}

const (
	// mostSpendings is how many pairs of group and model are counted separately per day.
	// The rest counts as Other.
	mostSpendings = 1000
	// spentWithin is how long spending may wait to be written if nothing else is. A crash
	// may lose that much of it. Budgets lose nothing.
	spentWithin = time.Second
	// againWithin is the time until a failed write is retried.
	againWithin = 10 * time.Second
)

// Other is the group and model of spending beyond mostSpendings.
const Other = "other"

// spending is the key of a Spending.
type spending struct{ day, group, model string }

// Count adds to today's spending. It does not wait for the disk.
func (l *Ledger) Count(group, model string, u Use) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn()
	l.count(spending{Day.key(l.at), group, model}, u.believed())
	l.writeSoon(spentWithin)
}

// count is Count for callers that hold the lock.
func (l *Ledger) count(s spending, u Use) {
	if _, ok := l.spending[s]; !ok && len(l.spending) >= mostSpendings {
		s.group, s.model = Other, Other
	}
	l.spending[s] = l.spending[s].Add(u)
}

// writeSoon schedules a write of the counted spending. The lock must be held.
func (l *Ledger) writeSoon(after time.Duration) {
	if l.soon || l.closed {
		return
	}
	l.soon = true
	time.AfterFunc(after, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.soon = false; len(l.spending) > 0 && !l.closed {
			l.begin()
		}
	})
}

// counted takes the spending for the next write. The lock must be held.
func (l *Ledger) counted() (all []Spending) {
	for s, u := range l.spending {
		all = append(all, Spending{s.day, s.group, s.model, u})
	}
	clear(l.spending)
	return all
}

// notCounted restores spending that could not be written. The lock must be held.
func (l *Ledger) notCounted(all []Spending) {
	for _, s := range all {
		l.count(spending{s.Day, s.Group, s.Model}, s.Use)
	}
	l.writeSoon(againWithin)
}

// Report returns the spending of the last days, including today, by day, group and model.
// It writes the counted spending first.
func (l *Ledger) Report(days int) ([]Spending, error) {
	l.mu.Lock()
	wait := (*batch)(nil)
	if len(l.spending) > 0 || l.writing {
		wait = l.begin()
	}
	l.mu.Unlock()
	if wait != nil {
		if <-wait.done; wait.err != nil {
			return nil, wait.err
		}
	}
	return l.book.Spendings(Since(days, l.now()))
}

// Since returns the first of that many days, ending today.
func Since(days int, now time.Time) string { return Day.key(now.UTC().AddDate(0, 0, 1-days)) }

// spendings is the suffix of the buckets for spending, after a day.
const spendings = " spending"

// Spendings returns the spending since a day.
func (b *FileBook) Spendings(since string) (all []Spending, err error) {
	err = b.file.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			day, ok := strings.CutSuffix(string(name), spendings)
			if !ok || day < since {
				return nil
			}
			return bucket.ForEach(func(k, v []byte) error {
				u, err := use(v)
				group, model, _ := strings.Cut(string(k), "\x00")
				all = append(all, Spending{day, group, model, u})
				return err
			})
		})
	})
	if err != nil {
		b.tell(err)
		return nil, err
	}
	return all, nil
}

// addSpending adds to the day's bucket, which numbers its keys.
func addSpending(tx *bbolt.Tx, s Spending) error {
	bucket, err := bucketOf(tx, s.Day+spendings)
	if err != nil {
		return err
	}
	const other = Other + "\x00" + Other
	key := s.Group + "\x00" + s.Model
	if bucket.Get([]byte(key)) == nil && key != other {
		if bucket.Sequence() >= mostSpendings {
			key = other
		} else if _, err := bucket.NextSequence(); err != nil {
			return err
		}
	}
	if before := bucket.Get([]byte(key)); before != nil {
		u, err := use(before)
		if err != nil {
			return err
		}
		s.Use = s.Use.Add(u)
	}
	var v []byte
	for _, n := range []int64{s.Requests, s.In, s.Out, s.Micros} {
		v = binary.LittleEndian.AppendUint64(v, uint64(n))
	}
	return bucket.Put([]byte(key), v)
}

// use decodes a value.
func use(v []byte) (u Use, err error) {
	if len(v) != 32 {
		return u, boltfile.Damaged("a use of %d bytes", len(v))
	}
	for i, to := range []*int64{&u.Requests, &u.In, &u.Out, &u.Micros} {
		if *to = int64(binary.LittleEndian.Uint64(v[8*i:])); *to < 0 {
			return u, boltfile.Damaged("a negative use")
		}
	}
	return u, nil
}
