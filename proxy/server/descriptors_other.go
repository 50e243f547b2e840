//go:build !unix

package server

// descriptors is how many files and connections the process may have open.
func descriptors() int { return 1 << 16 }
