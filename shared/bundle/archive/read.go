package archive

import (
	"cmp"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

// Reader reads the members of a file. It is safe for concurrent use if the underlying
// io.ReaderAt is.
type Reader struct {
	r       io.ReaderAt
	members []entry // in order of their place in the file
	byName  map[string]int
}

// NewReader reads the directory of a file of size bytes. It refuses a file with impossible
// claims: invalid or repeated names, even in another case, and members that overlap, lie
// outside the file, or claim more than MaxRatio times their packed size. Folders are left
// out.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	list, start, count, err := directory(r, size)
	if err != nil {
		return nil, err
	}
	out := &Reader{r: r, byName: map[string]int{}}
	seen := map[string]string{}
	for range count {
		var e entry
		if e, list, err = next(list); err != nil {
			return nil, err
		}
		if strings.HasSuffix(e.name, "/") && e.size == 0 {
			e.name = strings.TrimSuffix(e.name, "/") // a folder, as listed by other programs
			if err := checkName(e.name); err != nil {
				return nil, err
			}
			continue
		}
		if err := e.check(start); err != nil {
			return nil, err
		}
		lower := strings.ToLower(e.name)
		switch twin, twice := seen[lower]; {
		case twice && twin == e.name:
			return nil, damagedf("the member %s is listed twice", e.name)
		case twice:
			return nil, damagedf("the members %s and %s are one name on some disks", twin, e.name)
		}
		seen[lower] = e.name
		out.members = append(out.members, e)
	}
	if len(list) > 0 {
		return nil, damagedf("its list of members is longer than its count")
	}
	return out, out.order(start)
}

// directory returns the directory, its start, and the number of members it claims.
func directory(r io.ReaderAt, size int64) (list []byte, start int64, count int, err error) {
	tail := make([]byte, min(size, endSize+1<<16))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return nil, 0, 0, err
	}
	var head [4]byte
	if _, err := r.ReadAt(head[:], 0); err != nil || binary.LittleEndian.Uint32(head[:]) != localSignature {
		return nil, 0, 0, ErrNotZip
	}
	le := binary.LittleEndian
	at := len(tail) - endSize
	for ; at >= 0; at-- {
		if le.Uint32(tail[at:]) == endSignature && int(le.Uint16(tail[at+20:])) == len(tail)-at-endSize {
			break
		}
	}
	if at < 0 {
		return nil, 0, 0, damagedf("its end is missing")
	}
	end := tail[at:]
	length, begin := int64(le.Uint32(end[12:])), int64(le.Uint32(end[16:]))
	count = int(le.Uint16(end[10:]))
	behind := size - int64(len(tail)) + int64(at) // the first byte after the directory
	switch {
	case count > MaxMembers || begin == 1<<32-1 || length == 1<<32-1:
		return nil, 0, 0, damagedf("it is a zip64 file, of more than 4 GB or %d members, which bundles never are", MaxMembers)
	case le.Uint32(end[4:]) != 0 || int(le.Uint16(end[8:])) != count:
		return nil, 0, 0, damagedf("it is one of several disks")
	case begin+length != behind:
		return nil, 0, 0, damagedf("its list of members is not where it says")
	case int64(count)*centralSize > length:
		return nil, 0, 0, damagedf("its list of members is too short for %d of them", count)
	}
	list = make([]byte, length)
	if _, err := r.ReadAt(list, begin); err != nil {
		return nil, 0, 0, damagedf("its list of members cannot be read: %v", err)
	}
	return list, begin, count, nil
}

// next takes an entry off the front of the directory.
func next(list []byte) (e entry, rest []byte, err error) {
	le := binary.LittleEndian
	if len(list) < centralSize || le.Uint32(list) != centralSignature {
		return e, nil, damagedf("its list of members is torn")
	}
	names, extra, comment := int(le.Uint16(list[28:])), int(le.Uint16(list[30:])), int(le.Uint16(list[32:]))
	e = entry{flags: le.Uint16(list[8:]), method: le.Uint16(list[10:]), crc: le.Uint32(list[16:]),
		packed: int64(le.Uint32(list[20:])), size: int64(le.Uint32(list[24:])), offset: int64(le.Uint32(list[42:]))}
	rest = list[centralSize:]
	if names+extra+comment > len(rest) {
		return e, nil, damagedf("its list of members is torn")
	}
	e.name = string(rest[:names])
	return e, rest[names+extra+comment:], nil
}

// check refuses an entry that cannot be a member of a bundle. start is the start of the
// directory.
func (e entry) check(start int64) error {
	if err := checkName(e.name); err != nil {
		return err
	}
	switch {
	case e.flags&flagEncrypted != 0:
		return damagedf("the member %s is encrypted", e.name)
	case e.method != stored && e.method != deflated:
		return damagedf("the member %s has an unknown compression method (%d)", e.name, e.method)
	case e.size > maxSize || e.packed > maxSize || e.offset > maxSize:
		return damagedf("the member %s is of a zip64 file, which bundles never are", e.name)
	case e.method == stored && e.packed != e.size:
		return damagedf("the member %s has two sizes", e.name)
	case e.offset+localSize+int64(len(e.name))+e.packed > start:
		return damagedf("the member %s overruns its place", e.name)
	case !plausible(e.size, e.packed):
		return damagedf("the member %s claims to unpack to %d bytes from %d", e.name, e.size, e.packed)
	}
	return nil
}

// order sorts the members by their place, checks the header of each, and refuses members
// that overlap.
func (r *Reader) order(start int64) error {
	slices.SortFunc(r.members, func(a, b entry) int { return cmp.Compare(a.offset, b.offset) })
	var end int64
	for i := range r.members {
		e := &r.members[i]
		if e.offset < end {
			return damagedf("the members %s and %s share bytes", r.members[i-1].name, e.name)
		}
		if err := r.local(e); err != nil {
			return err
		}
		if end = e.offset + e.packed; end > start {
			return damagedf("the member %s overruns its place", e.name)
		}
		r.byName[e.name] = i
	}
	return nil
}

// local compares the header at a member's place with the directory, and moves the member's
// offset to its data.
func (r *Reader) local(e *entry) error {
	le := binary.LittleEndian
	b := make([]byte, localSize+len(e.name))
	if _, err := r.r.ReadAt(b, e.offset); err != nil {
		return damagedf("the member %s cannot be read: %v", e.name, err)
	}
	same := le.Uint32(b) == localSignature && le.Uint16(b[8:]) == e.method && int(le.Uint16(b[26:])) == len(e.name) && string(b[localSize:]) == e.name
	if le.Uint16(b[6:])&flagBehind == 0 { // otherwise they follow the member
		same = same && le.Uint32(b[14:]) == e.crc && int64(le.Uint32(b[18:])) == e.packed && int64(le.Uint32(b[22:])) == e.size
	}
	if !same {
		return damagedf("the member %s differs between its place and the list", e.name)
	}
	e.offset += int64(len(b)) + int64(le.Uint16(b[28:]))
	return nil
}

// Size returns the uncompressed size of a member in bytes, and false if there is no member
// with this name.
func (r *Reader) Size(name string) (int64, bool) {
	i, ok := r.byName[name]
	if !ok {
		return 0, false
	}
	return r.members[i].size, true
}

// Open returns a reader for a member, and the member's size in bytes. The reader reports
// damage if the data ends early, is too long, or has another checksum. A wrong checksum is
// reported in place of io.EOF.
func (r *Reader) Open(name string) (io.Reader, int64, error) {
	i, ok := r.byName[name]
	if !ok {
		return nil, 0, damagedf("the member %s is missing", name)
	}
	e := r.members[i]
	var in io.Reader = io.NewSectionReader(r.r, e.offset, e.packed)
	if e.method == deflated {
		in = flate.NewReader(in)
	}
	return &checked{r: in, entry: e, left: e.size}, e.size, nil
}

// Whole returns all size bytes of a member opened by Open. NewReader has checked that the
// size is plausible.
func Whole(r io.Reader, size int64) ([]byte, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	return b, End(r)
}

// End reads the end of a member, where its checksum is checked.
func End(r io.Reader) error {
	switch _, err := io.ReadFull(r, make([]byte, 1)); err {
	case io.EOF:
		return nil
	case nil:
		return damagedf("it has data after its end")
	default:
		return err
	}
}

// checked reads a member and compares it with its entry.
type checked struct {
	r io.Reader
	entry
	left int64
	sum  uint32
	err  error // the error at the end
}

func (c *checked) Read(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	// Ask for one byte more than claimed, to notice if there is one.
	if int64(len(b)) > c.left+1 {
		b = b[:c.left+1]
	}
	n, err := c.r.Read(b)
	if int64(n) > c.left {
		c.err = damagedf("the member %s is larger than it says", c.name)
		return int(c.left), c.err
	}
	c.left -= int64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, b[:n])
	switch {
	case err == nil:
		return n, nil
	case err != io.EOF:
		err = damagedf("the member %s cannot be unpacked: %v", c.name, err)
	case c.left > 0:
		err = damagedf("the member %s ends early", c.name)
	case c.sum != c.crc:
		err = damagedf("the member %s has a wrong checksum", c.name)
	}
	c.err = err
	return n, err
}

// Names returns the names of the members in file order.
func (r *Reader) Names() []string {
	names := make([]string, len(r.members))
	for i, e := range r.members {
		names[i] = e.name
	}
	return names
}
