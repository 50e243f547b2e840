package filecache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func key(i int) Key { return Key{fmt.Sprintf("%032x", i), "text"} }

// get returns the bytes of an entry, or nil.
func get(t *testing.T, s *Store, k Key) []byte {
	t.Helper()
	b, err := s.Get(k)
	if err != nil {
		return nil
	}
	return b
}

func closed(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestKeeps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	s := Open(dir, DefaultLimit)
	if get(t, s, key(1)) != nil {
		t.Error("an entry of no folder")
	}
	closed(t, s)
	if _, err := os.Stat(dir); err == nil {
		t.Error("reading has made a folder")
	}
	for i := range 40 {
		s.Put(key(i), bytes.Repeat([]byte{byte(i)}, 1000+i))
	}
	closed(t, s)
	s = Open(dir, DefaultLimit)
	for i := range 40 {
		if b := get(t, s, key(i)); !bytes.Equal(b, bytes.Repeat([]byte{byte(i)}, 1000+i)) {
			t.Errorf("entry %d has %d bytes", i, len(b))
		}
	}
	if names := s.Of(key(7).Group); len(names) != 1 || names[0] != "text" {
		t.Errorf("%q", names)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, key(1).file()): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	if files, size, err := s.Usage(); files != 40 || size != 40*1000+39*20 || err != nil {
		t.Errorf("%d files, %d bytes, %v", files, size, err)
	}
	s.Remove(key(3))
	if get(t, s, key(3)) != nil {
		t.Error("what was removed is there")
	}
	stranger := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(stranger, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Clear(); err != nil {
		t.Fatal(err)
	}
	if files, _, _ := s.Usage(); files != 0 {
		t.Errorf("%d files after all were taken away", files)
	}
	if _, err := os.Stat(stranger); err != nil {
		t.Error("a file that is none of the store's has gone")
	}
}

// The least recently used entries are evicted, but not the entries of the current run. If
// only those are left, nothing more is stored.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	run := func(do func(s *Store)) {
		now = now.Add(time.Minute)
		s := Open(dir, 10_000)
		s.now = func() time.Time { return now }
		s.began = now
		do(s)
		closed(t, s)
		for i := range 100 { // as if the disk had this clock
			path := filepath.Join(dir, key(i).file())
			if info, err := os.Stat(path); err == nil && info.ModTime().After(now) {
				os.Chtimes(path, now, now)
			}
		}
	}
	now = now.Add(-time.Hour)
	for i := range 9 {
		run(func(s *Store) { s.Put(key(i), make([]byte, 1000)) })
	}
	run(func(s *Store) { get(t, s, key(0)) })
	run(func(s *Store) { s.Put(key(9), make([]byte, 1000)); s.Put(key(10), make([]byte, 1000)) })
	run(func(s *Store) {
		for i, want := range map[int]bool{0: true, 1: false, 2: false, 3: true, 9: true, 10: true} {
			if got := get(t, s, key(i)) != nil; got != want {
				t.Errorf("entry %d is there: %v", i, got)
			}
		}
		s.Put(key(50), make([]byte, 10_001)) // too large for the limit
	})
	run(func(s *Store) {
		for i := 20; i < 60; i++ {
			s.Put(key(i), make([]byte, 1000))
			s.writing.Wait()
		}
	})
	s := Open(dir, 10_000)
	if _, size, _ := s.Usage(); size > 11_000 {
		t.Errorf("%d bytes are kept", size)
	}
	if get(t, s, key(20)) == nil || get(t, s, key(59)) != nil {
		t.Error("a run takes its own entries away")
	}
}

// Files left by killed programs are removed.
func TestLeftBehind(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{unfinished + "1": 2 * leftBehind, unfinished + "2": 0} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if files, _, err := Open(dir, DefaultLimit).Usage(); files != 0 || err != nil {
		t.Errorf("%d entries, %v", files, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, unfinished+"*")); len(left) != 1 || !strings.HasSuffix(left[0], "2") {
		t.Errorf("left: %q", left)
	}
}

// A failed write loses only the entry, and is reported once.
func TestTrouble(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open := t.TempDir()
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{blocked, filepath.Join(blocked, "below"), open} {
		s := Open(dir, DefaultLimit)
		s.Put(key(1), []byte("text"))
		s.Put(key(2), []byte("text"))
		if get(t, s, key(1)) != nil {
			t.Errorf("%s keeps entries", dir)
		}
		s.Remove(key(1))
		if err := s.Close(); err == nil {
			t.Errorf("%s: no word of it", dir)
		}
	}
}
