// Package archive writes and reads the zip files of bundles. Their members have a fixed
// order and a fixed date, are stored or deflated, and take less than 4 GB in all.
// archive/zip reads every kind of zip file, adds 110 kB to the compressed engine, and leaves
// the checks of a file's claims to its callers. This package reads only files that it can
// check.
//
// The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
package archive

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Errors, for errors.Is. Returned errors wrap them with details.
var (
	ErrNotZip   = errors.New("it is not a zip file")
	ErrDamaged  = errors.New("the file is damaged")
	ErrTooLarge = errors.New("it would be larger than 4 GB: write it in parts")
)

// damagedf returns an ErrDamaged with details.
func damagedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Limits on a file.
const (
	MaxMembers = 65534     // zip files with more members use another format
	maxName    = 1024      // bytes
	maxSize    = 1<<32 - 2 // bytes of the file and of a member; larger ones use another format
	// MaxRatio is the maximum ratio between a deflated member's size and its bytes in the
	// file. Text has a ratio of 3 to 20, numbers up to 50. A Writer stores members that
	// would exceed it.
	MaxRatio = 100
	// free is the size in bytes up to which a member may have any ratio.
	free = 64 << 10
)

// Info describes a member.
type Info struct {
	Name   string
	Size   int64 // uncompressed
	Digest [sha256.Size]byte
}

// Signatures and lengths of the fixed parts of a zip file.
const (
	localSignature, localSize     = 0x04034b50, 30
	centralSignature, centralSize = 0x02014b50, 46
	endSignature, endSize         = 0x06054b50, 22

	stored, deflated = 0, 8

	// fixedDate is the first day that zip files can represent, 1 January 1980. With real
	// times, two files with the same content would differ.
	fixedDate = 1<<5 | 1
	version   = 20

	flagEncrypted, flagBehind, flagUTF8 = 1 << 0, 1 << 3, 1 << 11
)

// checkName refuses names that are not a plain path below a folder on every system.
func checkName(name string) error {
	bad := name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, `\:`) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
	for part := range strings.SplitSeq(name, "/") {
		bad = bad || part == "" || part == "." || part == ".."
	}
	if bad {
		return damagedf("invalid member name %.80q", name)
	}
	return nil
}
