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

// Book stores spending. It is called without a lock of the ledger. Take is not called
// concurrently.
type Book interface {
	// Shared reports whether other processes may have it open at the same time.
	Shared() bool
	// Spent returns the amounts of accounts in a window, zero for unknown ones.
	Spent(window string, accounts []string) ([]Balance, error)
	// Commit writes all rows, and adds spent to the spending by day. It returns the amounts
	// then held for the account of each row. They survive a crash once Commit has returned.
	// If it returns an error, the write may or may not have been done. The same rows may be
	// written again, because their amounts are totals, and spending is not added twice.
	Commit(rows []Row, spent []Spending) ([]Balance, error)
	// Spendings returns the spending since a day, like 2026-11-21, by day, group and model.
	Spendings(since string) ([]Spending, error)
}

// Balance is the amount of an account that is spent or held in advance.
type Balance struct {
	Own Amount // by this process; in a book that is not shared, also by earlier ones
	All Amount // by all processes
}

func (h Balance) others() Amount { return h.All.minus(h.Own).atLeast(Amount{}) }

// Row sets this process's amount of an account in a window, replacing its earlier amount.
// The amount becomes Want if the limit leaves as much after other processes' amounts,
// otherwise less, but never less than Keep. A window is a day, like 2026-11-21, or the
// window of a group (see Window), with a key that begins with its first day or its month.
type Row struct {
	Window, Account string
	Keep, Want      Amount
	Limit           Amount // for all processes
}

// own returns the amount that the row assigns to this process.
func (r Row) own(others Amount) Amount { return r.Want.atMost(r.Limit.minus(others)).atLeast(r.Keep) }

// FileBook is a Book in a file. A write is on the disk when it returns.
type FileBook struct {
	file *boltfile.File
	tell func(error)
}

// KeptDays is how many days of the past are kept.
const KeptDays = 40

// OpenBook opens or creates the file, and reads all of it. If another process has it open,
// it returns boltfile.ErrInUse after a second, because two proxies with one budget would
// spend it twice. If the file is damaged, it returns boltfile.ErrDamaged.
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
			return boltfile.Damaged("unknown window %q", window)
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

// amount decodes a value.
func amount(v []byte) (a Amount, err error) {
	if len(v) != 16 {
		return a, boltfile.Damaged("an amount of %d bytes", len(v))
	}
	a = Amount{int64(binary.LittleEndian.Uint64(v)), int64(binary.LittleEndian.Uint64(v[8:]))}
	if a != a.atLeast(Amount{}) {
		return a, boltfile.Damaged("a negative amount")
	}
	return a, nil
}

// Close closes the file.
func (b *FileBook) Close() error { return b.file.Close() }

// OnWrite sets a function that is called with the error, or nil, of each write and each failed
// read. It must be called before the book is used.
func (b *FileBook) OnWrite(tell func(error)) { b.tell = tell }

// Shared implements Book. It returns false, because one process has the file.
func (b *FileBook) Shared() bool { return false }

// Spent returns the amounts spent by accounts in a window.
func (b *FileBook) Spent(window string, accounts []string) ([]Balance, error) {
	spent := make([]Balance, len(accounts))
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
			spent[i] = Balance{a, a}
		}
		return nil
	})
	if err != nil {
		b.tell(err)
	}
	return spent, err
}

// Commit writes everything in one transaction. The first write of a day deletes old windows.
func (b *FileBook) Commit(rows []Row, spent []Spending) ([]Balance, error) {
	held := make([]Balance, len(rows))
	err := b.file.Update(func(tx *bbolt.Tx) error {
		for i, r := range rows {
			own := r.own(Amount{})
			held[i] = Balance{own, own}
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

// bucketOf returns the bucket of a window. The first one of a day deletes old windows.
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

// forget deletes the windows that began more than KeptDays ago.
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
