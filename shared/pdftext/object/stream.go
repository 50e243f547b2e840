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
	raw = bytes.TrimLeft(raw, "\r\n")
	if len(raw) > 2 && raw[0]&0x0f == 8 {
		raw = raw[2:]
	}
	// A failed read still hands over what it had.
	out, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), maxDecode))
	return out
}
