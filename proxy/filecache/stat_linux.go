package filecache

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// statOf returns the metadata of a file, or false if it is not sufficient.
func statOf(info fs.FileInfo) (stat, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stat{}, false
	}
	return stat{Size: info.Size(), Mtime: info.ModTime().UnixNano(), Ctime: s.Ctim.Nano(), Inode: s.Ino, Disk: uint64(s.Dev)}, true
}

// private returns an error for a folder that others can write to, because its entries
// cannot be trusted.
func private(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is not a folder")
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && (int(s.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0) {
		return errors.New("the folder belongs to another user, or others can write to it")
	}
	return nil
}
