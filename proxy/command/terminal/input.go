package terminal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// mostInput is the largest file read, in bytes. A longer file is not a document but a disk
// image or an endless log, and would crash the program without a message. mostStream is the
// same for a pipe, a device or a file of /proc, which do not say how long they are.
const mostInput, mostStream = 4 << 30, 512 << 20

// A file longer than LongFile is checked by its first HeadOfLong bytes before the rest is read.
const LongFile, HeadOfLong = 16 << 20, 1 << 20

// ReadInput reads a file, or stdin for "-". Errors name the file.
func ReadInput(std IO, name string) ([]byte, error) { return ReadChecked(std, name, nil) }

// ReadChecked is ReadInput for inputs that may turn out to be useless. Of a long file or stream
// it calls check with the beginning, and reads the rest only if check returns nil.
func ReadChecked(std IO, name string, check func(name string, head []byte) error) ([]byte, error) {
	if name == "-" {
		if in, ok := std.In.(*stdin); ok && in.ended {
			return nil, Usagef("stdin can be read only once: - is given for two files")
		}
		return readStream("stdin", std.In, mostStream, func(head []byte) error { return checked(check, name, head) })
	}
	f, info, err := openInput(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	shown := Shown(name)
	most := int64(mostInput)
	if !info.Mode().IsRegular() || info.Size() == 0 {
		most = mostStream
	}
	if info.Size() > LongFile {
		return readLong(shown, f, info.Size(), func(head []byte) error { return checked(check, name, head) })
	}
	return readStream(shown, f, most, func(head []byte) error { return checked(check, name, head) })
}

// readLong reads a file of a size, unless check refuses its beginning.
func readLong(shown string, f *os.File, size int64, check func(head []byte) error) ([]byte, error) {
	head := make([]byte, HeadOfLong)
	_, err := io.ReadFull(f, head)
	if err == nil {
		if err := check(head); err != nil {
			return nil, err
		}
		b := make([]byte, size)
		var n int
		if n, err = io.ReadFull(f, b[copy(b, head):]); err == nil || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return b[:len(head)+n], nil
		}
	}
	return nil, fmt.Errorf("%s: %w", shown, Reason(err))
}

func checked(check func(string, []byte) error, name string, head []byte) error {
	if check == nil {
		return nil
	}
	return check(name, head)
}

// openInput opens a file that is short enough.
func openInput(name string) (*os.File, fs.FileInfo, error) {
	f, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("%s: no such file", Shown(name))
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, fmt.Errorf("%s: no permission to read it", Shown(name))
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", Shown(name), Reason(err))
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", Shown(name), Reason(err))
	case info.IsDir():
		err = fmt.Errorf("%s is a folder: give a file in it", Shown(name))
	case info.Size() > mostInput:
		err = fmt.Errorf("%s is %d GB, and seam reads at most %d GB: split it first", Shown(name), info.Size()>>30, mostInput>>30)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// readStream reads to the end of a stream, but at most most bytes. shown names it.
func readStream(shown string, from io.Reader, most int64, check func(head []byte) error) ([]byte, error) {
	head, err := io.ReadAll(io.LimitReader(from, HeadOfLong))
	if err != nil {
		return nil, streamError(shown, err)
	}
	if len(head) < HeadOfLong {
		return head, nil
	}
	if err := check(head); err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(from, most-HeadOfLong+1))
	switch size := int64(len(head) + len(rest)); {
	case err != nil:
		return nil, streamError(shown, err)
	case size > most:
		return nil, fmt.Errorf("%s gives more than %d MB, and may never end: save a part of it in a file, and give the file", shown, most>>20)
	}
	return append(head, rest...), nil
}

func streamError(shown string, err error) error {
	if shown == "stdin" {
		return fmt.Errorf("read stdin: %w", err)
	}
	return fmt.Errorf("%s: %w", shown, Reason(err))
}
