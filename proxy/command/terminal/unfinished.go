package terminal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Work is one whose result is written from its beginning to its end over a long time. What
// a run that ends early has written stays beside the place of the result, under the digest
// of all that decides what it is, and the next run of the same work goes on from there.
// Runs of the same work beside each other do not see to each other: each has a file of its
// own, and copies what it takes over.
type Work struct {
	Digest string
	Worth  func() bool // at the end of a run that failed: what is written is to be kept

	own  string           // the file of this run; "": it has none that can be taken over
	seen map[string]int64 // files of other runs, with their bytes when this one began
}

// mark is what the names of the work's files begin with.
func (w *Work) mark() string {
	if w == nil {
		return Unfinished
	}
	return Unfinished + w.Digest + "-"
}

// TakeOver begins the file of this run with what another has written. whole says how many
// bytes of that are whole: a killed run ends anywhere. It returns that number; 0 where
// there is nothing, or to is no file of the work.
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
		return 0, nil // there is none, it has gone, or is another user's: this run begins anew
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
		return 0, fmt.Errorf("go on from what an earlier run has written: %w", Reason(err))
	}
	return n, nil
}

// Resumable reports whether what a run that failed has written can be taken over.
func (w *Work) Resumable() bool { return w != nil && w.own != "" && w.Worth() }

// files are those of the work in the folder of one.
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

// end is told how writing the file of a run has ended: it has failed, or the file has its
// place. What other runs have left goes then, unless one of them has written more meanwhile.
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
