// Package archive writes and reads the zip files that bundles are: members in one
// order, of one time, stored or deflated, below 4 GB in all. archive/zip reads every zip
// file that there is, takes 110 kB of the compressed engine, and leaves it to its
// callers to doubt what a file says of itself; this reads what it can check.
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

// Errors, for errors.Is; what is told of them stands around them.
var (
	ErrNotZip   = errors.New("it is no zip file")
	ErrDamaged  = errors.New("the file is damaged")
	ErrTooLarge = errors.New("it would be larger than 4 GB: write it in parts")
)

// damagedf is an ErrDamaged that says where.
func damagedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// What a file may hold.
const (
	MaxMembers = 65534     // zip files of more are of another kind
	maxName    = 1024      // bytes
	maxSize    = 1<<32 - 2 // of the file and of a member: of larger ones, too
	// MaxRatio is how many times its bytes in the file a deflated member may be: text
	// is 3 to 20 times, numbers up to 50. A Writer stores what would be more.
	MaxRatio = 100
	// free is how many bytes a member may be whatever its ratio.
	free = 64 << 10
)

// Info is what is known of a member.
type Info struct {
	Name   string
	Size   int64 // unpacked
	Digest [sha256.Size]byte
}

// The fixed parts of a zip file, by their signatures and lengths.
const (
	localSignature, localSize     = 0x04034b50, 30
	centralSignature, centralSize = 0x02014b50, 46
	endSignature, endSize         = 0x06054b50, 22

	stored, deflated = 0, 8

	// fixedDate is the first day that zip files can name, 1 January 1980: times would
	// make two files of the same content differ.
	fixedDate = 1<<5 | 1
	version   = 20

	flagEncrypted, flagBehind, flagUTF8 = 1 << 0, 1 << 3, 1 << 11
)

// checkName refuses names that are no plain path below a folder, in any system.
func checkName(name string) error {
	bad := name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, `\:`) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
	for part := range strings.SplitSeq(name, "/") {
		bad = bad || part == "" || part == "." || part == ".."
	}
	if bad {
		return damagedf("%.80q is no name of a member", name)
	}
	return nil
}
