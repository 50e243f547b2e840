package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// writeOut writes a file of a result: every option that names one ends here. A regular
// file is written beside its place and moved there, so that it is whole or as it was;
// it keeps its permissions, and a link stays a link. What is no regular file, a device
// or a pipe, is written into. "-" is not known here.
func writeOut(name string, write func(io.Writer) error) error { return writeLong(name, nil, write) }

// writeLong is writeOut for a work that may go on where another run has ended; nil: it is
// none.
func writeLong(name string, w *work, write func(io.Writer) error) error {
	if err := writeTo(name, w, write); err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return nil
}

func writeTo(name string, w *work, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(name); err == nil { // a link to a file that is not there yet
			return writeInto(name, os.O_CREATE, write)
		}
		return replace(name, nil, w, write)
	case err != nil:
		return reason(err)
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return writeInto(name, 0, write)
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return reason(err)
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
		return reason(err)
	}
	return reason(errors.Join(write(f), f.Close()))
}

// errNoRoom says that no file can be made beside another.
var errNoRoom = errors.New("its folder takes no new file")

// replace writes a file beside its place, with the permissions of old where there is
// one, and moves it there.
func replace(name string, old fs.FileInfo, w *work, write func(io.Writer) error) error {
	f, err := beside(name, w.mark())
	switch {
	case errors.Is(err, fs.ErrPermission) && old != nil:
		return errNoRoom
	case err != nil:
		return reason(err)
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
	return reason(err)
}

// unfinished is what the names of files begin with that are not yet in their place.
const unfinished = ".seam-"

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

// reason is an error of the file system without the name, which stands before it.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
