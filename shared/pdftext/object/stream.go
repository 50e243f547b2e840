package object

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
)

// ErrStream reports that a stream could not be decoded completely.
var ErrStream = errors.New("stream is damaged")

// Bytes returns the decoded bytes of stream o. If decoding fails halfway, it returns the
// bytes so far and an ErrStream. For an object that is not a stream it returns no bytes and
// no error.
func (f *File) Bytes(o Object) ([]byte, error) {
	s, ok := f.Resolve(o).(Stream)
	if !ok {
		return nil, nil
	}
	f.extend(&s)
	limit := f.limit(len(s.Raw))
	out, err := f.decoded(s, limit)
	if len(out) > plainRatio*len(s.Raw) {
		f.unfolded += len(out)
	}
	return out, err
}

// Bounds against decompression bombs. A stream that expands to more than plainRatio times
// its size, which text rarely does, is suspicious. The suspicious streams of a file may
// have maxUnfolded bytes in total. After that, no stream may exceed the ratio.
const (
	plainRatio  = 50
	maxUnfolded = 128 << 20
)

// limit returns the number of bytes to which a stream of size bytes may expand.
func (f *File) limit(size int) int {
	if f.unfolded < maxUnfolded {
		return maxDecode
	}
	return min(maxDecode, plainRatio*size)
}

// decoded decodes s as far as possible.
func (f *File) decoded(s Stream, limit int) (out []byte, err error) {
	if flateOnly(&s) {
		out = s.Raw
		for range s.FilterPipeline {
			if out, err = f.inflater.all(out, limit); err != nil {
				return out, err
			}
		}
		return out, nil
	}
	if err := decode(&s, limit); err != nil {
		return salvage(s, limit), fmt.Errorf("%w: %s", ErrStream, oneLine(err))
	}
	return s.Content, nil
}

// extend repairs a stream with a wrong /Length: its data continues up to "endstream". In
// encrypted files the raw bytes no longer match the file.
func (f *File) extend(s *Stream) {
	from := s.StreamOffset
	if f.table.Encrypt != nil || from <= 0 || from > int64(len(f.bytes)) || !bytes.HasPrefix(f.bytes[from:], s.Raw) {
		return
	}
	rest := bytes.TrimLeft(f.bytes[from+int64(len(s.Raw)):], "\r\n\t \x00")
	if bytes.HasPrefix(rest, []byte("end")) {
		return
	}
	if n := bytes.Index(f.bytes[from:], []byte("endstream")); n > 0 {
		s.Raw, s.Content = bytes.TrimRight(f.bytes[from:int(from)+n], "\r\n"), nil
	}
}

// decode sets s.Content.
func decode(s *Stream, limit int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("decoder gave up: %v", r)
		}
	}()
	return s.DecodeWithLimit(int64(limit))
}

// maxFilters is the maximum number of times that a stream may be deflated.
const maxFilters = 4

// flateOnly reports whether s is compressed in the most common way, by deflate alone.
func flateOnly(s *Stream) bool {
	if s.Content != nil || len(s.FilterPipeline) == 0 || len(s.FilterPipeline) > maxFilters {
		return false
	}
	for _, f := range s.FilterPipeline {
		if p := f.DecodeParms.IntEntry("Predictor"); f.Name != filter.Flate || p != nil && *p > 1 {
			return false
		}
	}
	return true
}

// salvage inflates as much of s as possible, because pdfcpu drops everything if the
// compressed data breaks off. Deflate must be the last filter, without a predictor. Other
// filters succeed completely or fail.
func salvage(s Stream, limit int) []byte {
	last := len(s.FilterPipeline) - 1
	if last < 0 || s.FilterPipeline[last].Name != filter.Flate {
		return nil
	}
	if p := s.FilterPipeline[last].DecodeParms.IntEntry("Predictor"); p != nil && *p > 1 {
		return nil
	}
	raw := s.Raw
	if last > 0 {
		first := s
		first.FilterPipeline, first.Content = s.FilterPipeline[:last], nil
		if decode(&first, limit) != nil {
			return nil
		}
		raw = first.Content
	}
	out, _ := new(inflater).all(raw, limit)
	return out
}

// inflate decodes zlib data, ignoring header, checksum and end.
func inflate(raw []byte) []byte {
	out, _ := new(inflater).all(raw, maxDecode)
	return out
}

// maxAhead limits the memory reserved for decoded data.
const maxAhead = 4 << 20

// inflater decodes zlib data, reusing its memory. The zero value is ready to use.
type inflater struct {
	source  bytes.Reader
	decoder io.ReadCloser
}

// all decodes raw up to limit bytes or up to an error, ignoring header and checksum. It
// returns ErrStream if that is not the end of the data.
func (x *inflater) all(raw []byte, limit int) ([]byte, error) {
	raw = bytes.TrimLeft(raw, "\r\n")
	if len(raw) > 2 && raw[0]&0x0f == 8 {
		raw = raw[2:]
	}
	x.source.Reset(raw)
	if x.decoder == nil {
		x.decoder = flate.NewReader(&x.source)
	} else if err := x.decoder.(flate.Resetter).Reset(&x.source, nil); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrStream, oneLine(err))
	}
	// Data read before an error is kept.
	out := bytes.NewBuffer(make([]byte, 0, min(4*len(raw), maxAhead)+bytes.MinRead))
	_, err := out.ReadFrom(io.LimitReader(x.decoder, int64(limit)))
	switch {
	case err != nil:
		return out.Bytes(), fmt.Errorf("%w: %s", ErrStream, oneLine(err))
	case out.Len() == limit:
		return out.Bytes(), fmt.Errorf("%w: it is too long", ErrStream)
	}
	return out.Bytes(), nil
}
