//go:build !unix

package server

import "net"

// descriptors is how many files and connections the process may have open.
func descriptors() int { return 1 << 16 }

// listenPrivately makes a socket file: who may use it, its folder says.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
