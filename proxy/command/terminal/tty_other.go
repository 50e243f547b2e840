//go:build !linux

package terminal

import "os"

// isTerminal reports whether f is a terminal, as far as its kind of file shows.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !(nullErr == nil && os.SameFile(info, null))
}
