//go:build unix

package server

import (
	"net"
	"syscall"
)

// descriptors is how many files and connections the process may have open. Go has
// raised it as far as it may by now.
func descriptors() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || l.Cur > 1<<20 {
		return 1 << 20
	}
	return int(l.Cur)
}

// listenPrivately makes a socket file that nobody but its owner may ever use.
func listenPrivately(path string) (net.Listener, error) {
	before := syscall.Umask(0o177)
	defer syscall.Umask(before)
	return net.Listen("unix", path)
}
