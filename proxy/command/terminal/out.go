package terminal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// WriteOut writes a result file. Every option that names an output file uses it. A regular
// file is written next to its place and renamed, so the file is either complete or
// unchanged. It keeps its permissions, and a link stays a link. A device or pipe is written
// directly. "-" has no special meaning here.
func WriteOut(name string, write func(io.Writer) error) error { return WriteLong(name, nil, write) }

// WriteLong is WriteOut for work that can resume where an earlier run ended. w may be nil.
func WriteLong(name string, w *Work, write func(io.Writer) error) error {
	if err := writeTo(name, w, write); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func writeTo(name string, w *Work, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(name); err == nil { // a link to a file that does not exist yet
			return writeInto(name, os.O_CREATE, write)
		}
		return replace(name, nil, w, write)
	case err != nil:
		return Reason(err)
	case info.IsDir():
		return errors.New("is a folder")
	case !info.Mode().IsRegular():
		return writeInto(name, 0, write)
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return Reason(err)
	}
	err = replace(target, info, w, write)
	if errors.Is(err, errNoRoom) { // the folder accepts no new file, but the file itself may be writable
		return writeInto(target, os.O_TRUNC, write)
	}
	return err
}

// writeInto writes to an existing file.
func writeInto(name string, flags int, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|flags, 0o666)
	if err != nil {
		return Reason(err)
	}
	return Reason(errors.Join(write(f), f.Close()))
}

// errNoRoom means that no file can be created next to another.
var errNoRoom = errors.New("cannot create a file in its folder")

// replace writes a file next to its place and moves it there. It keeps the permissions of
// old, unless old is nil.
func replace(name string, old fs.FileInfo, w *Work, write func(io.Writer) error) error {
	f, err := beside(name, w.mark())
	switch {
	case errors.Is(err, fs.ErrPermission) && old != nil:
		return errNoRoom
	case err != nil:
		return Reason(err)
	}
	err = write(f)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	w.end(f.Name(), err)
	return Reason(err)
}

// Unfinished begins the names of files that are not yet in their place.
const Unfinished = ".seam-"

// beside creates a new file in the folder of another, with the permissions of the user's
// umask. os.CreateTemp would create a file that only the user can read.
func beside(name, mark string) (*os.File, error) {
	for i := 0; ; i++ {
		f, err := os.OpenFile(filepath.Join(filepath.Dir(name), mark+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Reason returns an error of the file system without the file's name, for messages that
// already start with it.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// FlushSize is the size at which buffered output is written, in bytes.
const FlushSize = 64 << 10

// WriteFile writes a file completely or not at all.
func WriteFile(name string, b []byte) error {
	return WriteOut(name, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// WriteJSON writes v on one line. It does not escape HTML characters, because the output
// goes to programs and not into a page.
func WriteJSON(out *bufio.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
