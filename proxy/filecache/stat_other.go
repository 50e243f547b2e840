//go:build !linux

package filecache

import "io/fs"

// statOf always returns false, so files are always read. The reliability of metadata was
// checked only on Linux.
func statOf(fs.FileInfo) (stat, bool) { return stat{}, false }

// private trusts the user's folder.
func private(string) error { return nil }
