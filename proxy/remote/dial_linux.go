package remote

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// endSilence bounds how long what was sent may stay without the other kernel's word that it
// has come, while which no probes are sent.
func endSilence(_, _ string, c syscall.RawConn) (err error) {
	controlled := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silentWithin.Milliseconds()))
	})
	if controlled != nil {
		return controlled
	}
	return err
}
