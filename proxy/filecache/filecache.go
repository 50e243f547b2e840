// Package filecache stores the results for files between runs of seam. An entry is one file
// of a folder, which may be deleted at any time.
//
// An entry is written under another name and renamed when complete, so that it exists
// completely or not at all. Several programs may write at once, and each may be killed at
// any moment. After a power failure an entry may be incomplete: readers must check it with
// their own digests. Only the owner can read the folder, because it contains texts.
package filecache

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultLimit is the default limit of all entries in bytes.
const DefaultLimit = 2 << 30

// An unfinished entry's name begins with unfinished. If it is older than leftBehind, a
// killed program has left it.
const (
	unfinished = ".new-"
	leftBehind = time.Hour
)

// atOnce is how many entries may be written at once, while the work on the next files
// continues.
const atOnce = 8

// Store stores entries in a folder. It is safe for concurrent use, even by several
// programs. The caller must call Close.
type Store struct {
	dir   string
	limit int64
	now   func() time.Time
	began time.Time
	seen  *seen

	slots   chan struct{}
	writing sync.WaitGroup
	once    sync.Once

	mu      sync.Mutex
	byGroup map[string][]string // names of entries
	used    map[string]bool     // names of files of entries that this run has read
	size    int64               // of all entries
	trouble error               // the first error; nothing is written after it
	full    bool                // this run has used as much as the limit
}

// Open returns a Store for a folder, which is created when the first entry is stored. limit
// is the most bytes of all entries. Beyond it, the least recently used ones are evicted. If
// this run has used all of them, nothing more is stored.
func Open(dir string, limit int64) *Store {
	s := &Store{dir: dir, limit: limit, now: time.Now, slots: make(chan struct{}, atOnce), used: map[string]bool{}}
	s.began = s.now()
	s.seen = &seen{path: filepath.Join(dir, seenName)}
	return s
}

// Key identifies an entry. Entries with something in common share a Group.
type Key struct{ Group, Name string }

func (k Key) file() string { return k.Group + "-" + k.Name + extension }

const extension = ".seam"

// list reads the folder, once.
func (s *Store) list() {
	s.once.Do(func() {
		groups, size := map[string][]string{}, int64(0)
		found, err := s.entries()
		if err == nil {
			err = private(s.dir)
		}
		for _, e := range found {
			group, name, _ := strings.Cut(strings.TrimSuffix(e.name, extension), "-")
			groups[group] = append(groups[group], name)
			size += e.size
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.trouble, groups = err, map[string][]string{}
		}
		s.byGroup, s.size = groups, size
	})
}

// Of returns the names of the entries of a group, or nil if the folder cannot be read.
func (s *Store) Of(group string) []string {
	s.list()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.byGroup[group])
}

// marked is how long an entry that was marked as used is not marked again, because marking takes
// as long as reading a small entry.
const marked = 5 * time.Minute

// Get reads an entry and marks it as used now. It returns an error if the entry does not
// exist.
func (s *Store) Get(k Key) ([]byte, error) {
	s.list()
	s.mu.Lock()
	there := slices.Contains(s.byGroup[k.Group], k.Name)
	if there {
		s.used[k.file()] = true
	}
	s.mu.Unlock()
	if !there {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(s.dir, k.file())
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("kept entry: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	var b []byte
	if err == nil {
		b = make([]byte, info.Size())
		_, err = io.ReadFull(f, b)
	}
	if err != nil {
		return nil, fmt.Errorf("kept entry: %w", err)
	}
	if now := s.now(); now.Sub(info.ModTime()).Abs() > marked {
		os.Chtimes(path, now, now) // if this fails, it is evicted earlier
	}
	return b, nil
}

// Put stores an entry, replacing one with the same key. It writes in the background, so the
// caller must not modify b. Errors are returned by Close.
func (s *Store) Put(k Key, b []byte) {
	s.list()
	s.mu.Lock()
	room := s.trouble == nil && !s.full && int64(len(b)) <= s.limit
	s.mu.Unlock()
	if !room {
		return
	}
	s.slots <- struct{}{}
	s.writing.Go(func() {
		defer func() { <-s.slots }()
		err := replace(filepath.Join(s.dir, k.file()), b)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil {
			s.fail(err)
			return
		}
		if s.size += int64(len(b)); s.size > s.limit {
			s.fail(s.prune())
		}
	})
}

// fail records the first error. s.mu must be held.
func (s *Store) fail(err error) {
	if s.trouble == nil {
		s.trouble = err
	}
}

// replace writes a file and creates its folder. If it fails, the file is unchanged.
func replace(path string, b []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	if err := private(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, unfinished+"*") // readable only by the owner
	if err != nil {
		return fmt.Errorf("make an entry: %w", err)
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write an entry: %w", err)
	}
	return nil
}

// Remove removes an invalid entry.
func (s *Store) Remove(k Key) {
	s.list()
	os.Remove(filepath.Join(s.dir, k.file()))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byGroup[k.Group] = slices.DeleteFunc(s.byGroup[k.Group], func(name string) bool { return name == k.Name })
}

// entry is a file of the folder.
type entry struct {
	name string
	size int64
	used time.Time
}

// entries returns the entries of the folder. It removes files left by killed programs.
func (s *Store) entries() ([]entry, error) {
	files, err := os.ReadDir(s.dir)
	var out []entry
	for _, f := range files {
		name := f.Name()
		whole := strings.HasSuffix(name, extension) && !strings.HasPrefix(name, ".")
		if !f.Type().IsRegular() || !whole && !strings.HasPrefix(name, unfinished) {
			continue
		}
		info, err := f.Info()
		switch {
		case err != nil: // another program has removed it
		case whole:
			out = append(out, entry{name, info.Size(), info.ModTime()})
		case s.now().Sub(info.ModTime()) > leftBehind:
			os.Remove(filepath.Join(s.dir, name))
		}
	}
	return out, err
}

// prune evicts entries until there is room for more. s.mu must be held.
func (s *Store) prune() error {
	all, err := s.entries()
	if err != nil {
		return fmt.Errorf("make room for an entry: %w", err)
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name)) })
	s.size = 0
	for _, e := range all {
		s.size += e.size
	}
	for _, e := range all {
		if s.size <= s.limit-s.limit/16 || !e.used.Before(s.began) {
			break
		}
		if s.used[e.name] {
			continue
		}
		if err := os.Remove(filepath.Join(s.dir, e.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("make room for an entry: %w", err)
		}
		s.size -= e.size
	}
	s.full = s.size > s.limit
	return nil
}

// Close waits until everything is written. It returns the first error, which affected no
// result: print it in one line.
func (s *Store) Close() error {
	s.writing.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble == nil && s.seen.changed {
		s.trouble = s.seen.write()
	}
	return s.trouble
}

// Usage returns the number of entries in a folder, and their bytes.
func (s *Store) Usage() (files int, bytes int64, err error) {
	all, err := s.entries()
	for _, e := range all {
		bytes += e.size
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return len(all), bytes, err
}

// Clear removes all entries and the record of files. Other files in the folder stay.
func (s *Store) Clear() error {
	files, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		if name := f.Name(); strings.HasSuffix(name, extension) || strings.HasPrefix(name, unfinished) || name == seenName {
			if gone := os.Remove(filepath.Join(s.dir, name)); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
	}
	return err
}
