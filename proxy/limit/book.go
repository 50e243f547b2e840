package limit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// FileBook is a Book in a file. A write is on the disk when it returns.
type FileBook struct{ db *bbolt.DB }

// keptDays is how long the days of the past are kept.
const keptDays = 40

// OpenBook opens the file, or makes it. Another process that has it open is an
// error after a second: two proxies with one budget would spend it twice.
func OpenBook(path string) (*FileBook, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, fmt.Errorf("budget file %s is in use: another proxy runs with it", path)
	}
	if err != nil {
		return nil, fmt.Errorf("budget file %s: %w", path, err)
	}
	return &FileBook{db}, nil
}

// Close closes the file.
func (b *FileBook) Close() error { return b.db.Close() }

// Spent reads what accounts have spent on a day.
func (b *FileBook) Spent(day string, accounts []string) ([]Amount, error) {
	spent := make([]Amount, len(accounts))
	err := b.db.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(day))
		if bucket == nil {
			return nil
		}
		for i, account := range accounts {
			v := bucket.Get([]byte(account))
			if v == nil {
				continue
			}
			if len(v) != 16 {
				return fmt.Errorf("%d bytes for %s of %s", len(v), account, day)
			}
			spent[i] = Amount{int64(binary.LittleEndian.Uint64(v)), int64(binary.LittleEndian.Uint64(v[8:]))}
			if spent[i] != spent[i].atLeast(Amount{}) {
				return fmt.Errorf("less than nothing for %s of %s", account, day)
			}
		}
		return nil
	})
	return spent, err
}

// Write sets them in one transaction. The first write of a day forgets those of
// long ago.
func (b *FileBook) Write(rows []Row) error {
	return b.db.Update(func(tx *bbolt.Tx) error {
		for _, r := range rows {
			bucket := tx.Bucket([]byte(r.Day))
			if bucket == nil {
				if err := forget(tx, r.Day); err != nil {
					return err
				}
				var err error
				if bucket, err = tx.CreateBucket([]byte(r.Day)); err != nil {
					return err
				}
			}
			v := binary.LittleEndian.AppendUint64(nil, uint64(r.Spent.Tokens))
			if err := bucket.Put([]byte(r.Account), binary.LittleEndian.AppendUint64(v, uint64(r.Spent.Micros))); err != nil {
				return err
			}
		}
		return nil
	})
}

func forget(tx *bbolt.Tx, day string) error {
	today, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return err
	}
	oldest := []byte(today.AddDate(0, 0, -keptDays).Format(time.DateOnly))
	var old [][]byte
	err = tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
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
