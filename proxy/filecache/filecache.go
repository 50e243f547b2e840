// Package filecache keeps what was made of files between runs of seam: an entry is one
// file of a folder, which may go at any time.
//
// Entries are written under another name and moved to their own when they are whole, so
// that one is there whole or not at all: several programs may write at once, and each may
// be killed at any moment. After a machine has lost its power an entry may be torn: whether
// one is what it should be is for those who read it to see, by digests of its own. Nobody
// but the owner can read the folder, as it holds texts.
package filecache

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultLimit is how many bytes of entries are kept.
const DefaultLimit = 2 << 30

// A new entry is called so until it is whole. What has that name for so long was left
// behind by a program that was killed.
const (
	unfinished = ".new-"
	leftBehind = time.Hour
)

// atOnce is how many entries may be on their way to the disk: the work on the next files
// does not wait for it.
const atOnce = 8

// Store keeps entries in a folder. It is safe for concurrent use, also by several
// programs. Close it in the end.
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
	size    int64               // of all entries
	trouble error               // the first; from then on nothing is written
	full    bool                // of entries that this run has used
}

// Open begins with a folder, which is made when there is something to keep. limit is how
// many bytes the entries may have: where there are more, those that were not used for the
// longest time go, and where this run has used all of them, nothing more is kept.
func Open(dir string, limit int64) *Store {
	s := &Store{dir: dir, limit: limit, now: time.Now, slots: make(chan struct{}, atOnce)}
	s.began = s.now()
	s.seen = &seen{path: filepath.Join(dir, seenName)}
	return s
}

// Key names an entry: Group is for what several entries have in common.
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

// Of returns the names of the entries of a group, none where the folder cannot be read.
func (s *Store) Of(group string) []string {
	s.list()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.byGroup[group])
}

// Get opens an entry, which then was used just now; an error where it is not there.
func (s *Store) Get(k Key) (*os.File, int64, error) {
	s.list()
	s.mu.Lock()
	there := slices.Contains(s.byGroup[k.Group], k.Name)
	s.mu.Unlock()
	if !there {
		return nil, 0, fs.ErrNotExist
	}
	path := filepath.Join(s.dir, k.file())
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("kept entry: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("kept entry: %w", err)
	}
	now := s.now()
	os.Chtimes(path, now, now) // where that is not possible it goes earlier
	return f, info.Size(), nil
}

// Put keeps an entry, in the place of one of the same name. The bytes go to the disk while
// the caller goes on, and are not to be changed. What does not work is told by Close.
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

// fail notes trouble. s.mu is held.
func (s *Store) fail(err error) {
	if s.trouble == nil {
		s.trouble = err
	}
}

// replace writes a file, which is there as it was before or whole, and makes its folder.
func replace(path string, b []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	if err := private(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, unfinished+"*") // for nobody else to read
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

// Remove takes an entry away that is not what it should be.
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

// entries are those of the folder. Files that were left behind go.
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
		case err != nil: // another program has just taken it away
		case whole:
			out = append(out, entry{name, info.Size(), info.ModTime()})
		case s.now().Sub(info.ModTime()) > leftBehind:
			os.Remove(filepath.Join(s.dir, name))
		}
	}
	return out, err
}

// prune lets entries go until there is room for some more. s.mu is held.
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
		if err := os.Remove(filepath.Join(s.dir, e.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("make room for an entry: %w", err)
		}
		s.size -= e.size
	}
	s.full = s.size > s.limit
	return nil
}

// Close waits until all is written. Its error is the first trouble that there was,
// which has cost no result: it is for one line to the user.
func (s *Store) Close() error {
	s.writing.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble == nil && s.seen.changed {
		s.trouble = s.seen.write()
	}
	return s.trouble
}

// Usage is how many entries a folder has, and their bytes.
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

// Clear takes all entries away, and what is known of files. What is not the Store's stays.
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
