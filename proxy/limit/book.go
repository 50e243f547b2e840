package limit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"seam/proxy/boltfile"
)

// Book keeps what was spent. It is called without any lock of the ledger; Take is
// called by one goroutine at a time.
type Book interface {
	// Shared reports whether other processes may have it open at the same time.
	Shared() bool
	// Spent returns what accounts have in a window: nothing if they are not known.
	Spent(window string, accounts []string) ([]Held, error)
	// Take does what all rows say, and adds what was spent to the days' spending. It
	// returns what is held of the account of each row then. It is safe from a crash when
	// Take returns. After an error it may have been done or not; the same rows may be
	// written again, as their amounts are no differences, and spending is not added twice.
	Take(rows []Row, spent []Spending) ([]Held, error)
	// Spendings returns the spending since a day, like 2026-11-21, by day, group and model.
	Spendings(since string) ([]Spending, error)
}

// Held is what is spent or taken in advance of an account.
type Held struct {
	Own Amount // by this process; in a book that is not shared by those before it, too
	All Amount // by all processes
}

func (h Held) others() Amount { return h.All.minus(h.Own).atLeast(Amount{}) }

// Row makes a part of an account in a window its process's own, in the place of what
// was its own before: as much of Want as the limit leaves when others have theirs, but
// never less than Keep. A window is a day, like 2026-11-21, or a group's (see Window),
// whose key begins with it or with its month.
type Row struct {
	Window, Account string
	Keep, Want      Amount
	Limit           Amount // of all processes
}

// own is what the row makes the process's own.
func (r Row) own(others Amount) Amount { return r.Want.atMost(r.Limit.minus(others)).atLeast(r.Keep) }

// FileBook is a Book in a file. A write is on the disk when it returns.
type FileBook struct {
	file *boltfile.File
	tell func(error)
}

// KeptDays is how long the days of the past are kept.
const KeptDays = 40

// OpenBook opens the file, or makes it, and reads all of it. Another process that has
// it open is an error after a second (boltfile.ErrInUse): two proxies with one budget
// would spend it twice. One that is damaged is an error (boltfile.ErrDamaged).
func OpenBook(path string) (*FileBook, error) {
	file, err := boltfile.Open(path)
	if err == nil {
		if err = file.View(whole); err != nil {
			file.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("budget file %w", err)
	}
	return &FileBook{file, func(error) {}}, nil
}

// whole reads everything, so that a damaged file is found before money is spent.
func whole(tx *bbolt.Tx) error {
	return tx.ForEach(func(window []byte, bucket *bbolt.Bucket) error {
		if bucket == nil {
			return boltfile.Damaged("%q is no window", window)
		}
		return bucket.ForEach(func(_, v []byte) (err error) {
			if strings.HasSuffix(string(window), spendings) {
				_, err = use(v)
			} else {
				_, err = amount(v)
			}
			return err
		})
	})
}

// amount reads a value.
func amount(v []byte) (a Amount, err error) {
	if len(v) != 16 {
		return a, boltfile.Damaged("an amount of %d bytes", len(v))
	}
	a = Amount{int64(binary.LittleEndian.Uint64(v)), int64(binary.LittleEndian.Uint64(v[8:]))}
	if a != a.atLeast(Amount{}) {
		return a, boltfile.Damaged("an amount below nothing")
	}
	return a, nil
}

// Close closes the file.
func (b *FileBook) Close() error { return b.file.Close() }

// Tell lets tell know how each write and each read that failed ended. It is called
// before the book is used.
func (b *FileBook) Tell(tell func(error)) { b.tell = tell }

// Shared implements Book: a file is one process's.
func (b *FileBook) Shared() bool { return false }

// Spent reads what accounts have spent in a window.
func (b *FileBook) Spent(window string, accounts []string) ([]Held, error) {
	spent := make([]Held, len(accounts))
	err := b.file.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(window))
		if bucket == nil {
			return nil
		}
		for i, account := range accounts {
			v := bucket.Get([]byte(account))
			if v == nil {
				continue
			}
			a, err := amount(v)
			if err != nil {
				return err
			}
			spent[i] = Held{a, a}
		}
		return nil
	})
	if err != nil {
		b.tell(err)
	}
	return spent, err
}

// Take does all in one transaction. The first write of a day forgets those of long
// ago.
func (b *FileBook) Take(rows []Row, spent []Spending) ([]Held, error) {
	held := make([]Held, len(rows))
	err := b.file.Update(func(tx *bbolt.Tx) error {
		for i, r := range rows {
			own := r.own(Amount{})
			held[i] = Held{own, own}
			bucket, err := bucketOf(tx, r.Window)
			if err != nil {
				return err
			}
			v := binary.LittleEndian.AppendUint64(nil, uint64(own.Tokens))
			if err := bucket.Put([]byte(r.Account), binary.LittleEndian.AppendUint64(v, uint64(own.Micros))); err != nil {
				return err
			}
		}
		for _, s := range spent {
			if err := addSpending(tx, s); err != nil {
				return err
			}
		}
		return nil
	})
	b.tell(err)
	if err != nil {
		return nil, err
	}
	return held, nil
}

// bucketOf is the bucket of a window. The first one of a day forgets those of long ago.
func bucketOf(tx *bbolt.Tx, window string) (*bbolt.Bucket, error) {
	if b := tx.Bucket([]byte(window)); b != nil {
		return b, nil
	}
	if today, err := time.Parse(time.DateOnly, window); err == nil {
		if err := forget(tx, today); err != nil {
			return nil, err
		}
	}
	return tx.CreateBucket([]byte(window))
}

// forget deletes the windows that began more than KeptDays before.
func forget(tx *bbolt.Tx, today time.Time) error {
	oldest := []byte(today.AddDate(0, 0, -KeptDays).Format(time.DateOnly))
	var old [][]byte
	err := tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		if string(name) < string(oldest) {
			old = append(old, append([]byte{}, name...))
		}
		return nil
	})
	for _, name := range old {
		err = errors.Join(err, tx.DeleteBucket(name))
	}
	return err
}
