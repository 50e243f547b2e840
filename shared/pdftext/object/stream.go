package object

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
)

// ErrStream says that a stream could not be decoded to its end.
var ErrStream = errors.New("stream is damaged")

// Bytes returns the decoded bytes of stream o. Where decoding breaks off it
// returns what came before, and an error that is ErrStream. What is no stream
// has no bytes and no error.
func (f *File) Bytes(o Object) ([]byte, error) {
	s, ok := f.Resolve(o).(Stream)
	if !ok {
		return nil, nil
	}
	f.extend(&s)
	if flateOnly(&s) {
		return f.inflater.all(s.Raw)
	}
	err := decode(&s)
	if err == nil {
		return s.Content, nil
	}
	return salvage(s), fmt.Errorf("%w: %s", ErrStream, oneLine(err))
}

// extend mends a stream whose /Length is wrong: its data go on until
// "endstream". In encrypted files the raw bytes are no longer those of the
// file.
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
func decode(s *Stream) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("decoder gave up: %v", r)
		}
	}()
	return s.DecodeWithLimit(maxDecode)
}

// flateOnly reports whether s is compressed in the most common way: deflated,
// and no more.
func flateOnly(s *Stream) bool {
	if s.Content != nil || len(s.FilterPipeline) != 1 || s.FilterPipeline[0].Name != filter.Flate {
		return false
	}
	p := s.FilterPipeline[0].DecodeParms.IntEntry("Predictor")
	return p == nil || *p <= 1
}

// salvage inflates as much of s as it can: pdfcpu drops everything where the
// compressed data break off. It needs deflate to be the last filter, without
// predictor; all others come whole or not at all.
func salvage(s Stream) []byte {
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
		if decode(&first) != nil {
			return nil
		}
		raw = first.Content
	}
	return inflate(raw)
}

// inflate decodes zlib data without regard to header, checksum and end.
func inflate(raw []byte) []byte {
	out, _ := new(inflater).all(raw)
	return out
}

// maxAhead bounds the memory that is set aside for what is decoded.
const maxAhead = 4 << 20

// inflater decodes zlib data, in the same memory each time. The zero value is
// ready.
type inflater struct {
	source  bytes.Reader
	decoder io.ReadCloser
}

// all decodes raw up to where it breaks off, without regard to header and
// checksum. The error is ErrStream if that is not its end.
func (x *inflater) all(raw []byte) ([]byte, error) {
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
	// A failed read still hands over what it had.
	out := bytes.NewBuffer(make([]byte, 0, min(4*len(raw), maxAhead)+bytes.MinRead))
	_, err := out.ReadFrom(io.LimitReader(x.decoder, maxDecode))
	switch {
	case err != nil:
		return out.Bytes(), fmt.Errorf("%w: %s", ErrStream, oneLine(err))
	case out.Len() == maxDecode:
		return out.Bytes(), fmt.Errorf("%w: it is too long", ErrStream)
	}
	return out.Bytes(), nil
}
