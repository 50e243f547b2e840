package remote

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// endSilence bounds how long sent data may remain unacknowledged. During that time the
// kernel sends no keep-alive probes.
func endSilence(_, _ string, c syscall.RawConn) (err error) {
	controlled := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silentWithin.Milliseconds()))
	})
	if controlled != nil {
		return controlled
	}
	return err
}
