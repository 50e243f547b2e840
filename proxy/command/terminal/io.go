package terminal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// EngineError is an error of a collection, which is none of one file.
type EngineError struct{ Err error }

// Error returns the error as it was.
func (e EngineError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e EngineError) Unwrap() error { return e.Err }

// IO is what a command reads from and writes to.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
}

// Build is the program's version.
type Build string

// UsageError is an error of the caller's: it ends with exit status 2.
type UsageError struct{ Err error }

// Error returns the error as it was.
func (e UsageError) Error() string { return e.Err.Error() }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// ErrReported ends a command as failed when its errors were printed already.
var ErrReported = errors.New("reported")

// Report prints an error as the one line that it is.
func Report(std IO, err error) { fmt.Fprintf(std.Err, "seam: %s\n", OneLine(err.Error())) }

// OneLine keeps an error on the one line that scripts expect.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// mostInput is how many bytes of a file are read: what is longer is no document, but the
// image of a disk or a log without an end, and would end the program without a word.
const mostInput = 4 << 30

// ReadInput reads a file, or stdin for "-". Errors name the file.
func ReadInput(std IO, name string) ([]byte, error) {
	if name == "-" {
		if in, ok := std.In.(*stdin); ok && in.ended {
			return nil, Usagef("stdin can be read once: - stands for two files")
		}
		b, err := io.ReadAll(io.LimitReader(std.In, mostInput+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("read stdin: %w", err)
		case int64(len(b)) > mostInput:
			return nil, fmt.Errorf("stdin is longer than %d GB, which seam reads at most: cut it up first", mostInput>>30)
		}
		return b, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file in it", Shown(name))
	} else if err == nil && info.Size() > mostInput {
		return nil, fmt.Errorf("%s has %d GB, and seam reads %d GB at most: cut it up first", Shown(name), info.Size()>>30, mostInput>>30)
	}
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", Shown(name))
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: no permission to read it", Shown(name))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", Shown(name), err)
	}
	return b, nil
}

// ErrDry ends a command that was only to say what it would send.
var ErrDry = errors.New("nothing was sent")
