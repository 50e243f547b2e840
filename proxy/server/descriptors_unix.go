//go:build unix

package server

import (
	"net"
	"syscall"
)

// descriptors returns how many files and connections the process may have open. Go has
// raised the limit as far as possible.
func descriptors() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || l.Cur > 1<<20 {
		return 1 << 20
	}
	return int(l.Cur)
}

// listenPrivately creates a socket file that only its owner can use at any time.
func listenPrivately(path string) (net.Listener, error) {
	before := syscall.Umask(0o177)
	defer syscall.Umask(before)
	return net.Listen("unix", path)
}
