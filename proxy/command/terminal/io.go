package terminal

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// EngineError is an error of a search engine. It concerns the whole command, not one file.
type EngineError struct{ Err error }

// Error returns the message of Err.
func (e EngineError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e EngineError) Unwrap() error { return e.Err }

// IO holds the streams of a command.
type IO struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer // for notes and progress, and for errors if Errors is nil
	// Errors takes errors if notes go nowhere (--quiet).
	Errors io.Writer
	// Verbose also prints how files are read and cut.
	Verbose bool
	// AnyText also reads texts that look like no language: see read.ErrNoLanguage.
	AnyText bool
	// Encoding is the encoding of texts, as in charset.Options.Name.
	Encoding string
	// As is the format of the files, a name in files.Kinds; if empty, each file shows its own.
	As string
	// Name is the name of the document on stdin; it may be empty.
	Name string
	// HiddenText also reads text that nobody sees on a page: see text.Page.
	HiddenText bool
}

// To returns the streams with other outputs.
func (std IO) To(out, err io.Writer) IO {
	if std.Out = out; std.Errors == nil {
		std.Err = err
	} else {
		std.Errors = err
	}
	return std
}

// Quiet returns the streams without notes and progress.
func (std IO) Quiet() IO {
	std.Err, std.Errors = io.Discard, std.Err
	return std
}

// Build is the program's version.
type Build string

// UsageError is a mistake in the command line. It ends the program with exit status 2.
type UsageError struct{ Err error }

// Error returns the message of Err.
func (e UsageError) Error() string { return e.Err.Error() }

// Usagef returns a UsageError with a formatted message.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// ErrReported makes a command fail without a message, because its errors are already
// printed.
var ErrReported = errors.New("reported")

// Report prints an error on one line of stderr.
func Report(std IO, err error) {
	to := std.Errors
	if to == nil {
		to = std.Err
	}
	fmt.Fprintf(to, "seam: %s\n", OneLine(err.Error()))
}

// OneLine joins the words of an error with single spaces, because scripts expect one line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ErrNothing makes a command end with status 1 because it found nothing. It is no failure.
var ErrNothing = errors.New("nothing found")

// Failure is an error of a command for which status 1 means that it found nothing. It ends the
// program with status 2.
type Failure struct{ Err error }

// Error returns the message of Err.
func (f Failure) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f Failure) Unwrap() error { return f.Err }

// ErrDry ends a dry run.
var ErrDry = errors.New("nothing was sent")
