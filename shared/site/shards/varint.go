package shards

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// ErrDamaged is the error for a file that Build did not write.
var ErrDamaged = errors.New("the file is damaged")

// packer appends numbers and words to bytes. Numbers are unsigned LEB128. Words omit the
// bytes they share with the word before.
type packer struct {
	b    []byte
	last string
}

func (p *packer) uint(n int) { p.b = binary.AppendUvarint(p.b, uint64(n)) }

func (p *packer) word(s string) {
	shared := 0
	for shared < len(s) && shared < len(p.last) && s[shared] == p.last[shared] {
		shared++
	}
	p.uint(shared)
	p.string(s[shared:])
	p.last = s
}

func (p *packer) string(s string) {
	p.uint(len(s))
	p.b = append(p.b, s...)
}

// unpacker reads the output of a packer. After the first error it returns zeros.
type unpacker struct {
	b    []byte
	last string
	err  error
}

func (u *unpacker) fail(what string) {
	if u.err == nil {
		u.err = fmt.Errorf("%w: %s", ErrDamaged, what)
	}
	u.b = nil
}

func (u *unpacker) uint() int {
	n, size := binary.Uvarint(u.b)
	if size <= 0 || n > 1<<31-1 {
		u.fail("a number")
		return 0
	}
	u.b = u.b[size:]
	return int(n)
}

// count reads the number of following items, which take at least one byte each.
func (u *unpacker) count() int {
	n := u.uint()
	if n > len(u.b) {
		u.fail("a count")
		return 0
	}
	return n
}

func (u *unpacker) take(n int) []byte {
	if n > len(u.b) {
		u.fail("its end is missing")
		return make([]byte, 0)
	}
	out := u.b[:n]
	u.b = u.b[n:]
	return out
}

func (u *unpacker) byte() byte {
	if b := u.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (u *unpacker) string() string { return string(u.take(u.uint())) }

func (u *unpacker) word() string {
	shared := u.uint()
	if shared > len(u.last) {
		u.fail("a word")
		return ""
	}
	u.last = u.last[:shared] + u.string()
	return u.last
}

// longest is the largest length that fits in a byte.
const longest = 31 << 14

// lengthCode encodes a length in a byte: exactly below 32, with five significant bits
// above.
func lengthCode(n int) byte {
	n = min(n, longest)
	if n < 32 {
		return byte(n)
	}
	e := bits.Len(uint(n)) - 5
	return byte(16 + e*16 + (n>>e - 16))
}

// lengthOf returns the length for a code: the middle of its range.
func lengthOf(code byte) int {
	if code < 32 {
		return int(code)
	}
	e := int(code-16) >> 4
	return (16+int(code-16)&15)<<e + 1<<e>>1
}
