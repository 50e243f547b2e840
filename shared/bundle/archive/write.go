package archive

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"strings"
)

// Writer writes members one after another. Make one with NewWriter, and call Close at the
// end. After an error, every later call returns that error.
type Writer struct {
	w     io.Writer
	at    int64
	heads []entry
	names map[string]bool
	err   error
}

// entry holds the fields of a member's two headers.
type entry struct {
	name         string
	size, packed int64
	crc          uint32
	method       uint16
	flags        uint16
	offset       int64
}

// NewWriter returns a Writer to w. It does not close w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, names: map[string]bool{}} }

// sums computes the size and checksums of a member.
type sums struct {
	size int64
	crc  uint32
	sha  hash.Hash
}

func (s *sums) Write(b []byte) (int, error) {
	s.size += int64(len(b))
	s.crc = crc32.Update(s.crc, crc32.IEEETable, b)
	return s.sha.Write(b)
}

// Write adds a member. write produces its bytes, and must produce the same ones if it is
// called a second time. With pack, the member is deflated if that makes it smaller, and the
// packed bytes stay in memory until they are written. Otherwise it is stored without being
// held in memory.
func (w *Writer) Write(name string, pack bool, write func(io.Writer) error) (Info, error) {
	if w.err != nil {
		return Info{}, w.err
	}
	info, err := w.member(name, pack, write)
	if err != nil {
		w.err = fmt.Errorf("%s: %w", name, err)
	}
	return info, w.err
}

func (w *Writer) member(name string, pack bool, write func(io.Writer) error) (Info, error) {
	lower := strings.ToLower(name)
	switch err := checkName(name); {
	case err != nil:
		return Info{}, err
	case w.names[lower]:
		return Info{}, errors.New("it already exists")
	case len(w.heads) == MaxMembers:
		return Info{}, fmt.Errorf("%d members are the most a zip file can hold", MaxMembers)
	}
	w.names[lower] = true
	sum := &sums{sha: sha256.New()}
	var packed bytes.Buffer
	if pack {
		f, _ := flate.NewWriter(&packed, flate.DefaultCompression) // only an invalid level gives an error
		if err := errors.Join(write(io.MultiWriter(sum, f)), f.Close()); err != nil {
			return Info{}, err
		}
	} else if err := write(sum); err != nil {
		return Info{}, err
	}
	e := entry{name: name, size: sum.size, packed: int64(packed.Len()), crc: sum.crc, method: deflated, offset: w.at}
	if !pack || e.packed >= e.size || !plausible(e.size, e.packed) {
		e.method, e.packed = stored, e.size
	}
	if e.size > maxSize || w.at+localSize+int64(len(name))+e.packed > maxSize {
		return Info{}, ErrTooLarge
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r > '~' }) {
		e.flags = flagUTF8
	}
	w.heads = append(w.heads, e)
	if err := w.put(append(e.local(), name...)); err != nil {
		return Info{}, err
	}
	return Info{name, e.size, [sha256.Size]byte(sum.sha.Sum(nil))}, w.body(e, packed.Bytes(), write)
}

// body writes the bytes of a member.
func (w *Writer) body(e entry, packed []byte, write func(io.Writer) error) error {
	if e.method == deflated {
		return w.put(packed)
	}
	again := &sums{sha: sha256.New()}
	err := write(io.MultiWriter(again, w.w))
	w.at += again.size
	if err == nil && (again.size != e.size || again.crc != e.crc) {
		err = errors.New("it changed while it was written")
	}
	return err
}

func (w *Writer) put(b []byte) error {
	n, err := w.w.Write(b)
	w.at += int64(n)
	return err
}

// common appends the fields that both headers of a member have.
func (e entry) common(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint16(b, version)
	b = le.AppendUint16(b, e.flags)
	b = le.AppendUint16(b, e.method)
	b = le.AppendUint16(b, 0) // time
	b = le.AppendUint16(b, fixedDate)
	b = le.AppendUint32(b, e.crc)
	b = le.AppendUint32(b, uint32(e.packed))
	b = le.AppendUint32(b, uint32(e.size))
	b = le.AppendUint16(b, uint16(len(e.name)))
	return le.AppendUint16(b, 0) // extra fields
}

func (e entry) local() []byte {
	return e.common(binary.LittleEndian.AppendUint32(nil, localSignature))
}

func (e entry) central() []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, centralSignature)
	b = e.common(le.AppendUint16(b, version)) // made by MS-DOS, whose files have no permissions
	b = append(b, make([]byte, 2+2+2+4)...)   // comment, disk, attributes
	return append(le.AppendUint32(b, uint32(e.offset)), e.name...)
}

// Close writes the directory. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	le, start := binary.LittleEndian, w.at
	var list []byte
	for _, e := range w.heads {
		list = append(list, e.central()...)
	}
	n := uint16(len(w.heads))
	end := le.AppendUint32(nil, endSignature)
	end = le.AppendUint32(end, 0) // disks
	end = le.AppendUint16(le.AppendUint16(end, n), n)
	end = le.AppendUint32(end, uint32(len(list)))
	end = le.AppendUint32(end, uint32(start))
	end = le.AppendUint16(end, 0) // comment
	if start+int64(len(list)) > maxSize {
		w.err = ErrTooLarge
		return w.err
	}
	if w.err = w.put(append(list, end...)); w.err == nil {
		w.err = errClosed
		return nil
	}
	return w.err
}

var errClosed = errors.New("the archive is closed")

// plausible reports whether a member may be so much larger than its packed data.
func plausible(size, packed int64) bool { return size <= free || size/MaxRatio <= packed }
