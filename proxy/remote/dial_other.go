//go:build !linux

package remote

import "syscall"

// endSilence leaves it at the probes, and at the time limits of what is asked.
func endSilence(string, string, syscall.RawConn) error { return nil }
