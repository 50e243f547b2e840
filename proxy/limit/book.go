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

// FileBook is a Book in a file. A write is on the disk when it returns.
type FileBook struct {
	file *boltfile.File
	// Report, where it is not nil, is told how each write and each read that failed
	// ended. It is set before the book is used.
	Report func(error)
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
	return &FileBook{file: file}, nil
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

func (b *FileBook) report(err error) {
	if b.Report != nil {
		b.Report(err)
	}
}

// Spent reads what accounts have spent in a window.
func (b *FileBook) Spent(window string, accounts []string) ([]Amount, error) {
	spent := make([]Amount, len(accounts))
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
			var err error
			if spent[i], err = amount(v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.report(err)
	}
	return spent, err
}

// Write does both in one transaction. The first write of a day forgets those of
// long ago.
func (b *FileBook) Write(rows []Row, spent []Spending) error {
	err := b.file.Update(func(tx *bbolt.Tx) error {
		for _, r := range rows {
			bucket, err := bucketOf(tx, r.Window)
			if err != nil {
				return err
			}
			v := binary.LittleEndian.AppendUint64(nil, uint64(r.Spent.Tokens))
			if err := bucket.Put([]byte(r.Account), binary.LittleEndian.AppendUint64(v, uint64(r.Spent.Micros))); err != nil {
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
	b.report(err)
	return err
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
