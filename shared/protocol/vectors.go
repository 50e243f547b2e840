package protocol

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"unsafe"
)

// HeaderSize is the length of a binary frame's header. It keeps the numbers after it
// aligned to four bytes.
const HeaderSize = 16

// The content and number type of a binary frame.
const (
	KindVectors = 1
	Float32     = 0
)

// Header begins a binary frame, in little-endian order:
//
//	id uint32 | kind uint8 | dtype uint8 | dims uint16 | first uint32 | count uint32
//
// It is followed by Count×Dims numbers: the vectors of the texts First … First+Count-1 of
// request ID.
type Header struct {
	ID           uint32
	Dims         int // 1 to 65535
	First, Count int
}

// Frames returns the binary frames for the vectors of request id. Each has at most
// MaxBinary bytes or holds a single vector, and the receiver may keep it. All vectors must
// have the same length, from 1 to 65535 numbers; otherwise Frames returns an error.
func Frames(id uint32, vectors [][]float32) (iter.Seq[[]byte], error) {
	if len(vectors) == 0 {
		return func(func([]byte) bool) {}, nil
	}
	dims := len(vectors[0])
	if dims == 0 || dims > math.MaxUint16 {
		return nil, fmt.Errorf("vectors of %d numbers", dims)
	}
	for _, v := range vectors {
		if len(v) != dims {
			return nil, fmt.Errorf("vectors of %d and of %d numbers", dims, len(v))
		}
	}
	return frames(id, vectors, dims), nil
}

// frames is Frames for vectors that have been checked.
func frames(id uint32, vectors [][]float32, dims int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for first := 0; first < len(vectors); {
			n := min(max(1, (MaxBinary-HeaderSize)/(4*dims)), len(vectors)-first)
			frame := make([]byte, HeaderSize+4*dims*n)
			binary.LittleEndian.PutUint32(frame, id)
			frame[4], frame[5] = KindVectors, Float32
			binary.LittleEndian.PutUint16(frame[6:], uint16(dims))
			binary.LittleEndian.PutUint32(frame[8:], uint32(first))
			binary.LittleEndian.PutUint32(frame[12:], uint32(n))
			numbers := frame[HeaderSize:]
			for _, v := range vectors[first : first+n] {
				PutFloats(numbers, v)
				numbers = numbers[4*dims:]
			}
			first += n
			if !yield(frame) {
				return
			}
		}
	}
}

// ParseFrame reads the header of a binary frame. It returns the bytes of its numbers, and
// checks that there are exactly as many as the header says.
func ParseFrame(frame []byte) (h Header, numbers []byte, err error) {
	if len(frame) < HeaderSize || len(frame) > MaxBinary+4*math.MaxUint16 {
		return h, nil, Errorf(BadRequest, "a binary frame of %d bytes", len(frame))
	}
	if frame[4] != KindVectors || frame[5] != Float32 {
		return h, nil, Errorf(BadRequest, "a binary frame of kind %d with numbers of type %d", frame[4], frame[5])
	}
	h = Header{
		ID: binary.LittleEndian.Uint32(frame), Dims: int(binary.LittleEndian.Uint16(frame[6:])),
		First: int(binary.LittleEndian.Uint32(frame[8:])), Count: int(binary.LittleEndian.Uint32(frame[12:])),
	}
	numbers = frame[HeaderSize:]
	if h.ID == 0 || h.Dims == 0 || h.Count == 0 || len(numbers)%(4*h.Dims) != 0 || len(numbers)/(4*h.Dims) != h.Count {
		return h, nil, Errorf(BadRequest, "a binary frame of %d bytes says it holds %d×%d numbers for request %d", len(frame), h.Count, h.Dims, h.ID)
	}
	return h, numbers, nil
}

// Rows collects the vectors of one request from its frames.
type Rows struct {
	Dims int       // 0 before the first frame
	Data []float32 // count×Dims, row after row

	count, got int
	have       []bool
}

// NewRows returns Rows for a request of count texts.
func NewRows(count int) *Rows { return &Rows{count: count, have: make([]bool, count)} }

// Add takes a frame's header and numbers from ParseFrame. It returns an error for rows that
// were not requested, that are already there, that have another length, or that contain NaN
// or an infinity.
func (r *Rows) Add(h Header, numbers []byte) error {
	if r.Dims == 0 {
		r.Dims = h.Dims
		r.Data = make([]float32, r.count*h.Dims)
	}
	if h.Dims != r.Dims {
		return fmt.Errorf("vectors of %d numbers after vectors of %d", h.Dims, r.Dims)
	}
	if h.First > r.count || h.Count > r.count-h.First {
		return fmt.Errorf("vectors %d to %d of %d texts", h.First, h.First+h.Count-1, r.count)
	}
	for i := h.First; i < h.First+h.Count; i++ {
		if r.have[i] {
			return fmt.Errorf("vector %d came twice", i)
		}
		r.have[i] = true
		r.got++
	}
	part := r.Data[h.First*r.Dims : (h.First+h.Count)*r.Dims]
	GetFloats(part, numbers)
	if i := NotFinite(part); i >= 0 {
		return fmt.Errorf("vector %d holds NaN or an infinity", h.First+i/r.Dims)
	}
	return nil
}

// NotFinite returns the index of the first number of v that is NaN or an infinity, or -1 if
// there is none. Usually there is none, so it checks eight at once: x-x is 0 for every
// finite number.
func NotFinite(v []float32) int {
	i := 0
	for ; i+8 <= len(v); i += 8 {
		w := v[i : i+8 : i+8]
		a, b := (w[0]-w[0])+(w[1]-w[1]), (w[2]-w[2])+(w[3]-w[3])
		c, d := (w[4]-w[4])+(w[5]-w[5]), (w[6]-w[6])+(w[7]-w[7])
		if (a+b)+(c+d) != 0 {
			break
		}
	}
	for ; i < len(v); i++ {
		if v[i]-v[i] != 0 {
			return i
		}
	}
	return -1
}

// Complete reports whether the vectors of all texts have been added.
func (r *Rows) Complete() bool { return r.got == r.count }

// littleEndian reports whether float32 in memory have the byte order of frames.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// GetFloats reads len(to) float32 in little-endian order. On nearly all machines this is a
// plain copy; a loop over the numbers would cost five times as much. from may be
// BytesOf(to).
func GetFloats(to []float32, from []byte) {
	if littleEndian {
		copy(BytesOf(to), from[:4*len(to)])
		return
	}
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
	}
}

// PutFloats writes float32 in little-endian order: 4*len(from) bytes.
func PutFloats(to []byte, from []float32) {
	if littleEndian {
		copy(to[:4*len(from)], BytesOf(from))
		return
	}
	for i, x := range from {
		binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(x))
	}
}

// FrameOrder returns v as bytes in little-endian order. Callers must not change them: on a
// little-endian machine they are v's own memory.
func FrameOrder(v []float32) []byte {
	if littleEndian {
		return BytesOf(v)
	}
	b := make([]byte, 4*len(v))
	PutFloats(b, v)
	return b
}

// BytesOf returns the memory of v, 4*len(v) bytes. Writing to it changes v.
func BytesOf(v []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}
