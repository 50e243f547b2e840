package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"seam/proxy/boltfile"
	"seam/proxy/config"
	"seam/proxy/limit"
)

// Files of the state folder that are written constantly, and the alternative to the first.
const (
	budgetFile  = "budget.db"
	budgetRedis = "redis"
	cacheFile   = "cache.db"
)

// book stores budgets, in a file or in a Redis.
type book interface {
	limit.Book
	OnWrite(func(error))
	Close() error
}

// diskState records which files of the state folder work, and whether Redis does. It logs
// one line a minute for each that fails, however often it fails.
type diskState struct {
	log  *slog.Logger
	tell func(file string, works bool) // for metrics
	now  func() time.Time

	mu      sync.Mutex
	failing map[string]error
	said    map[string]time.Time
}

func newDiskState(log *slog.Logger, tell func(string, bool), now func() time.Time, files ...string) *diskState {
	s := &diskState{log: log, tell: tell, now: now, failing: map[string]error{}, said: map[string]time.Time{}}
	for _, file := range files {
		tell(file, true)
	}
	return s
}

// of returns a function to call with the result of each use of a file.
func (s *diskState) of(file string) func(error) {
	return func(err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		before := s.failing[file]
		switch {
		case err != nil:
			s.failing[file] = err
			s.tell(file, false)
			if now := s.now(); now.Sub(s.said[file]) >= time.Minute {
				s.said[file] = now
				s.log.Error("state", "file", file, "error", err)
			}
		case before != nil:
			delete(s.failing, file)
			s.tell(file, true)
			s.log.Info("state works again", "file", file)
		}
	}
}

// works reports whether the last use of a file succeeded.
func (s *diskState) works(file string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failing[file] == nil
}

// openBook opens the budget. A damaged file is an error, because a new one would grant the
// day's limits again. With forget, a new one is started.
func openBook(dir string, forget bool, log *slog.Logger) (book, error) {
	path := filepath.Join(dir, budgetFile)
	b, err := limit.OpenBook(path)
	if err == nil {
		return b, nil
	}
	if !errors.Is(err, boltfile.ErrDamaged) {
		return nil, err
	}
	if !forget {
		return nil, fmt.Errorf("%w\nToday's spending is unknown. Restore a copy of the file, or start with --forget-budget to set the file aside and begin the day with nothing spent", err)
	}
	to, asideErr := boltfile.SetAside(path, time.Now())
	if asideErr != nil {
		return nil, errors.Join(err, asideErr)
	}
	log.Error("state", "file", budgetFile, "error", err, "set_aside", to, "budget", "nothing is spent today")
	if b, err = limit.OpenBook(path); err != nil {
		return nil, err
	}
	return b, nil
}

// redisOf returns the configured book.
func redisOf(c *config.Config, password func() string) (*limit.RedisBook, error) {
	address, err := limit.ParseRedis(c.Budget.Book.Redis)
	if err != nil {
		return nil, fmt.Errorf("budget.book.redis: %w", err)
	}
	return limit.OpenRedis(limit.RedisOptions{Address: address, Password: password, Prefix: c.Budget.Book.Prefix}), nil
}

// checkRedis writes to out whether the book can be reached. It returns an error if Redis
// refuses.
func checkRedis(c *config.Config, password string, out io.Writer) error {
	b, err := redisOf(c, func() string { return password })
	if err != nil {
		return err
	}
	defer b.Close()
	switch err := b.Check(); {
	case errors.Is(err, limit.ErrRefused):
		return fmt.Errorf("budget.book: %w", err)
	case err != nil:
		fmt.Fprintf(out, "Note: %v. Nothing is relayed until it answers.\n", err)
	default:
		fmt.Fprintln(out, "Redis answers. All instances that use it share the budgets.")
	}
	return nil
}

// checkState checks the state folder without creating it: whether it can be created or
// written, and whether the files can be opened. If another proxy has them open, it writes a
// note to out.
func checkState(dir string, out io.Writer, files ...string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		above := dir
		for errors.Is(err, fs.ErrNotExist) && filepath.Dir(above) != above {
			above = filepath.Dir(above)
			_, err = os.Stat(above)
		}
		made, err := os.MkdirTemp(above, ".seam-check-")
		if err != nil {
			return fmt.Errorf("state: %s cannot be created: %w", dir, err)
		}
		return os.Remove(made)
	}
	if err := writable(dir); err != nil {
		return fmt.Errorf("state: %s cannot be written: %w", dir, err)
	}
	var all []error
	for _, name := range files {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := checkFile(path)
		switch {
		case errors.Is(err, boltfile.ErrInUse):
			fmt.Fprintf(out, "Note: %v.\n", err)
		case errors.Is(err, boltfile.ErrDamaged) && name == cacheFile:
			fmt.Fprintf(out, "Note: %v. The next start sets it aside and creates a new one.\n", err)
		case err != nil:
			all = append(all, fmt.Errorf("state: %w", err))
		}
	}
	return errors.Join(all...)
}

// checkFile opens a file. It reads all of the budget.
func checkFile(path string) error {
	if filepath.Base(path) == budgetFile {
		book, err := limit.OpenBook(path)
		if err == nil {
			err = book.Close()
		}
		return err
	}
	file, err := boltfile.Open(path)
	if err == nil {
		err = file.Close()
	}
	return err
}

// writable writes a temporary file of 4096 bytes into a folder and deletes it.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".seam-check-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}
