package boltfile

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

var bucket = []byte("bucket")

// filled returns a file with some hundred pages.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(fill); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func fill(tx *bbolt.Tx) error {
	b, err := tx.CreateBucketIfNotExists(bucket)
	for i := uint32(0); err == nil && i < 2000; i++ {
		err = b.Put(binary.BigEndian.AppendUint32(nil, i), make([]byte, 300))
	}
	return err
}

// use reads and writes all of a file.
func use(f *File) error {
	err := f.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucket)
		if b == nil {
			return nil
		}
		return b.ForEach(func(_, v []byte) error {
			if len(v) != 300 {
				return Damaged("%d bytes", len(v))
			}
			return nil
		})
	})
	return errors.Join(err, f.Update(fill))
}

// For any damage by the disk, opening and using a file returns an error at most.
func TestDamaged(t *testing.T) {
	path := filled(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	page := os.Getpagesize()
	for name, damage := range map[string]func([]byte) []byte{
		"cut to nothing":  func(b []byte) []byte { return b[:10] },
		"cut to one page": func(b []byte) []byte { return b[:page] },
		"cut in half":     func(b []byte) []byte { return b[:len(b)/2] },
		"no meta pages":   func(b []byte) []byte { clear(b[:2*page]); return b },
		"random bytes": func(b []byte) []byte {
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			return b
		},
		"pages of zeros": func(b []byte) []byte { clear(b[3*page : len(b)/2]); return b },
		"pages of others": func(b []byte) []byte {
			for i := 3 * page; i < len(b); i++ {
				b[i] = byte(random.Uint32())
			}
			return b
		},
	} {
		path := filepath.Join(t.TempDir(), "b.db") // a damaged file stays locked until the process ends
		if err := os.WriteFile(path, damage(append([]byte{}, whole...)), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err == nil {
			err = use(f)
			if again := f.View(func(*bbolt.Tx) error { return nil }); err != nil && !errors.Is(again, ErrDamaged) {
				t.Errorf("%s: it goes on: %v", name, again)
			}
			if err := f.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Truncating a file in use does not end the process.
func TestCutOffInUse(t *testing.T) {
	path := filled(t)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(2*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if err := use(f); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestErrorsOfTheDisk(t *testing.T) {
	path := filled(t)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(path); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	for _, path := range []string{t.TempDir(), filepath.Join(path, "below"), filepath.Join(t.TempDir(), "no", "folder")} {
		if _, err := Open(path); err == nil || errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	own := errors.New("own")
	if err := f.View(func(*bbolt.Tx) error { return own }); !errors.Is(err, own) || f.damaged.Load() {
		t.Errorf("%v", err)
	}
}

func TestSetAside(t *testing.T) {
	path := filled(t)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for range 3 {
		to, err := SetAside(path, now)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(to); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Second)
	}
	if all, _ := filepath.Glob(path + ".damaged-*"); len(all) != 1 {
		t.Errorf("%q are kept, want the last one", all)
	}
}
