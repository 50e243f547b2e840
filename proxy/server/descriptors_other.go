//go:build !unix

package server

import "net"

// descriptors returns how many files and connections the process may have open.
func descriptors() int { return 1 << 16 }

// listenPrivately creates a socket file. Access depends on its folder.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
