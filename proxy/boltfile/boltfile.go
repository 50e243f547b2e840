// Package boltfile opens bbolt files that the disk may have damaged. bbolt panics on
// damaged files, at the start or later at any page, and a truncated file causes a memory
// fault. This package returns errors for both.
package boltfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// Reasons why a file cannot be used, for errors.Is. Other errors are from the disk: it is
// full, or access is denied.
var (
	ErrInUse   = errors.New("is in use: another proxy runs with it")
	ErrDamaged = errors.New("is damaged")
)

// File is an open file. It is safe for concurrent use. After ErrDamaged it returns no other
// result.
type File struct {
	path    string
	db      *bbolt.DB
	file    *os.File // the file of db
	damaged atomic.Bool
}

// Open opens or creates the file. Errors begin with the path. If another process has it
// open, Open returns an error after a second.
//
// Free pages are found by length. A search from the first free page took a sixth of the
// time to write a cache's vectors. The list of free pages is kept in the file. Without it,
// bbolt walks all pages at the start in a separate goroutine, where a panic would end the
// process.
func Open(path string) (*File, error) {
	f := &File{path: path}
	o := bbolt.Options{Timeout: time.Second, FreelistType: bbolt.FreelistMapType, OpenFile: func(name string, flag int, mode os.FileMode) (file *os.File, err error) {
		file, err = os.OpenFile(name, flag, mode)
		f.file = file
		return file, err
	}}
	err := guard(func() (err error) {
		f.db, err = bbolt.Open(path, 0o600, &o)
		return err
	})
	if err != nil && f.file != nil {
		f.file.Close() // a panic has left it open
	}
	var disk syscall.Errno
	var file *fs.PathError
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s %w", path, ErrInUse)
	case errors.As(err, &file): // it names the file itself
		return nil, err
	case errors.As(err, &disk):
		return nil, fmt.Errorf("%s: %w", path, err)
	case !errors.Is(err, ErrDamaged):
		err = fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return nil, fmt.Errorf("%s %w", path, err)
}

// View is bbolt's View.
func (f *File) View(do func(*bbolt.Tx) error) error {
	return f.run(func() error { return f.db.View(do) })
}

// Update is bbolt's Update.
func (f *File) Update(do func(*bbolt.Tx) error) error {
	return f.run(func() error { return f.db.Update(do) })
}

// Close closes the file. For a damaged one, bbolt's locks and a part of the address space
// remain until the process ends: see SetAside.
func (f *File) Close() error {
	if f.damaged.Load() {
		return f.file.Close()
	}
	return f.db.Close()
}

// Damaged returns an ErrDamaged, for do to return if something in the file is invalid.
func Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

func (f *File) run(do func() error) error {
	if f.damaged.Load() {
		return fmt.Errorf("%s %w", f.path, ErrDamaged)
	}
	err := guard(do)
	if errors.Is(err, ErrDamaged) {
		f.damaged.Store(true)
		return fmt.Errorf("%s %w", f.path, err)
	}
	if file := (*fs.PathError)(nil); err == nil || errors.As(err, &file) { // that names the file itself
		return err
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

// guard turns panics into errors, and memory faults on a truncated file.
func guard(do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return do()
}

// SetAside renames a damaged file, so that another can be begun, and returns its new name.
// It removes a file that was set aside before.
func SetAside(path string, now time.Time) (to string, err error) {
	before, err := filepath.Glob(path + ".damaged-*")
	if err != nil {
		return "", err
	}
	to = path + ".damaged-" + now.UTC().Format("20060102T150405Z")
	if err := os.Rename(path, to); err != nil {
		return "", err
	}
	for _, old := range before {
		if old != to {
			_ = os.Remove(old)
		}
	}
	return to, nil
}
