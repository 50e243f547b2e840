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

// WriteOut writes a file of a result: every option that names one ends here. A regular
// file is written beside its place and moved there, so that it is whole or as it was;
// it keeps its permissions, and a link stays a link. What is no regular file, a device
// or a pipe, is written into. "-" is not known here.
func WriteOut(name string, write func(io.Writer) error) error { return WriteLong(name, nil, write) }

// WriteLong is writeOut for a work that may go on where another run has ended; nil: it is
// none.
func WriteLong(name string, w *Work, write func(io.Writer) error) error {
	if err := writeTo(name, w, write); err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return nil
}

func writeTo(name string, w *Work, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(name); err == nil { // a link to a file that is not there yet
			return writeInto(name, os.O_CREATE, write)
		}
		return replace(name, nil, w, write)
	case err != nil:
		return Reason(err)
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return writeInto(name, 0, write)
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return Reason(err)
	}
	err = replace(target, info, w, write)
	if errors.Is(err, errNoRoom) { // a folder that takes no new file, with a file that may be written
		return writeInto(target, os.O_TRUNC, write)
	}
	return err
}

// writeInto writes to what is there.
func writeInto(name string, flags int, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|flags, 0o666)
	if err != nil {
		return Reason(err)
	}
	return Reason(errors.Join(write(f), f.Close()))
}

// errNoRoom says that no file can be made beside another.
var errNoRoom = errors.New("its folder takes no new file")

// replace writes a file beside its place, with the permissions of old where there is
// one, and moves it there.
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

// Unfinished is what the names of files begin with that are not yet in their place.
const Unfinished = ".seam-"

// beside makes a new file in the folder of another, as the user's umask has it:
// os.CreateTemp makes such that are nobody else's to read.
func beside(name, mark string) (*os.File, error) {
	for i := 0; ; i++ {
		f, err := os.OpenFile(filepath.Join(filepath.Dir(name), mark+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Reason is an error of the file system without the name, which stands before it.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Enough is how many bytes are written at once.
const Enough = 64 << 10

// WriteFile writes a file whole, or not at all.
func WriteFile(name string, b []byte) error {
	return WriteOut(name, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// WriteJSON writes v on one line. Markup characters stay as they are: the
// output goes to programs, not into a page.
func WriteJSON(out *bufio.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
