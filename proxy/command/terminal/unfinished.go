package terminal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Work is a long job that writes its result from beginning to end. If a run ends early, its
// partial file stays next to the result, named after the digest of everything that decides
// the result. The next run of the same work resumes from it. Parallel runs of the same work
// do not interfere: each has its own file and copies from others.
type Work struct {
	Digest string
	Worth  func() bool // called when a run fails: whether its output is worth keeping

	own  string           // the file of this run; "": it cannot be taken over
	seen map[string]int64 // files of other runs, with their size when this one began
}

// mark returns the prefix of the work's file names.
func (w *Work) mark() string {
	if w == nil {
		return Unfinished
	}
	return Unfinished + w.Digest + "-"
}

// TakeOver begins this run's file with the output of an earlier run, and returns the number
// of bytes copied. whole returns how many bytes of a file are complete, because a killed
// run ends anywhere. TakeOver returns 0 if there is nothing to copy, or if to is not a file
// of the work.
func (w *Work) TakeOver(to io.Writer, whole func(f *os.File, size int64) (int64, error)) (int64, error) {
	own, ok := to.(*os.File)
	if !ok || w == nil || !strings.HasPrefix(filepath.Base(own.Name()), w.mark()) {
		return 0, nil
	}
	w.own, w.seen = own.Name(), map[string]int64{}
	best := ""
	for _, name := range w.files(w.own) {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && name != w.own {
			if w.seen[name] = info.Size(); best == "" || info.Size() > w.seen[best] {
				best = name
			}
		}
	}
	f, err := os.Open(best)
	if err != nil {
		return 0, nil // missing, deleted, or another user's: this run starts from the beginning
	}
	defer f.Close()
	n, err := whole(f, w.seen[best])
	if err != nil || n == 0 {
		return 0, nil
	}
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		_, err = io.CopyN(own, f, n)
	}
	if err != nil {
		return 0, fmt.Errorf("resume an earlier run: %w", Reason(err))
	}
	return n, nil
}

// Resumable reports whether a later run can continue from this failed one.
func (w *Work) Resumable() bool { return w != nil && w.own != "" && w.Worth() }

// files returns the work's files in the folder of the named file.
func (w *Work) files(beside string) []string {
	entries, _ := os.ReadDir(filepath.Dir(beside))
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), w.mark()) {
			names = append(names, filepath.Join(filepath.Dir(beside), e.Name()))
		}
	}
	return names
}

// end finishes a run: err is its failure, or nil if the result is in place. After success
// it removes the files of other runs, except files that have grown in the meantime.
func (w *Work) end(name string, err error) {
	if err != nil && !w.Resumable() {
		os.Remove(name)
		return
	}
	if w == nil {
		return
	}
	for name, size := range w.seen {
		if info, err := os.Lstat(name); err == nil && info.Size() == size {
			os.Remove(name)
		}
	}
}
