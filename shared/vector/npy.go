package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrNPY reports bytes that are not a matrix in NumPy's .npy format.
var ErrNPY = errors.New("not a .npy matrix")

// ReadNPY reads a matrix from a .npy file of any version. It has two dimensions, or one,
// which is read as a column. Numbers are little-endian float16, float32 or float64, in C or
// Fortran order. float64 is rounded to float32. If there is not enough memory, the error is
// an ErrTooLarge.
//
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
func ReadNPY(b []byte) (Matrix, error) {
	head, body, err := splitNPY(b)
	if err != nil {
		return Matrix{}, err
	}
	descr, fortran, shape, err := parseNPYHeader(head)
	if err != nil {
		return Matrix{}, err
	}
	if len(shape) == 1 {
		shape = append(shape, 1)
	}
	if len(shape) != 2 {
		return Matrix{}, fmt.Errorf("%w: it has %d dimensions, not 2", ErrNPY, len(shape))
	}
	size := map[string]int{"<f2": 2, "<f4": 4, "<f8": 8}[descr]
	if size == 0 {
		return Matrix{}, fmt.Errorf("%w: numbers of type %q; save them as float32", ErrNPY, descr)
	}
	rows, dim := shape[0], shape[1]
	if dim > 0 && rows > len(body)/size/dim || rows*dim*size != len(body) {
		return Matrix{}, fmt.Errorf("%w: %d×%d numbers of %d bytes do not make its %d bytes", ErrNPY, rows, dim, size, len(body))
	}
	m, err := Make(rows, dim)
	if err != nil {
		return Matrix{}, err
	}
	for i := range m.Data {
		at := i
		if fortran && dim > 0 {
			at = i%dim*rows + i/dim
		}
		m.Data[i] = readFloat(body[at*size:], size)
	}
	return m, nil
}

func splitNPY(b []byte) (head string, body []byte, err error) {
	if len(b) < 10 || string(b[:6]) != "\x93NUMPY" {
		return "", nil, ErrNPY
	}
	n, at := int(binary.LittleEndian.Uint16(b[8:])), 10
	if b[6] > 1 {
		if len(b) < 12 {
			return "", nil, ErrNPY
		}
		n, at = int(binary.LittleEndian.Uint32(b[8:])), 12
	}
	if n > len(b)-at {
		return "", nil, fmt.Errorf("%w: it is cut short", ErrNPY)
	}
	return string(b[at : at+n]), b[at+n:], nil
}

// parseNPYHeader reads the Python dictionary of the header.
func parseNPYHeader(h string) (descr string, fortran bool, shape []int, err error) {
	value := func(key string) string {
		_, rest, _ := strings.Cut(h, "'"+key+"':")
		return strings.TrimSpace(rest)
	}
	d := value("descr")
	if len(d) > 1 && d[0] == '\'' {
		descr, _, _ = strings.Cut(d[1:], "'")
	}
	fortran = strings.HasPrefix(value("fortran_order"), "True")
	s, _, ok := strings.Cut(strings.TrimPrefix(value("shape"), "("), ")")
	if !ok || descr == "" {
		return "", false, nil, fmt.Errorf("%w: its header is damaged", ErrNPY)
	}
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 31)
		if err != nil || n < 0 {
			return "", false, nil, fmt.Errorf("%w: its shape is (%s)", ErrNPY, s)
		}
		shape = append(shape, int(n))
	}
	return descr, fortran, shape, nil
}

func readFloat(b []byte, size int) float32 {
	switch size {
	case 2:
		return half(binary.LittleEndian.Uint16(b))
	case 4:
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	default:
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
}

// half converts an IEEE 754 half precision number.
func half(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch {
	case exp == 31:
		return math.Float32frombits(sign | 255<<23 | frac<<13)
	case exp == 0: // zero or subnormal: frac·2^-24
		f := float32(frac) / (1 << 24)
		if sign != 0 {
			f = -f
		}
		return f
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// npyAlign is the alignment of a .npy header (format version 1.0).
const npyAlign = 64

// NPYHeader returns the header of a .npy file of version 1.0, for numbers of a NumPy type
// ("<f4"), rows×dim in C order.
func NPYHeader(descr string, rows, dim int) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", descr, rows, dim)
	const before = 10 // bytes
	fill := (npyAlign - (before+len(header)+1)%npyAlign) % npyAlign
	b := []byte("\x93NUMPY\x01\x00")
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)+fill+1))
	b = append(append(b, header...), strings.Repeat(" ", fill)...)
	return append(b, '\n')
}

// ParseNPYHeader reads the header at the beginning of b. It returns the type of the
// numbers, which must be in C order, the shape, and the length of the header in bytes.
func ParseNPYHeader(b []byte) (descr string, shape []int, length int, err error) {
	head, body, err := splitNPY(b)
	if err != nil {
		return "", nil, 0, err
	}
	descr, fortran, shape, err := parseNPYHeader(head)
	if err == nil && fortran && len(shape) > 1 {
		err = fmt.Errorf("%w: it is in Fortran order", ErrNPY)
	}
	return descr, shape, len(b) - len(body), err
}

// AppendNPY appends m to b as a .npy file of version 1.0: float32, C order.
func AppendNPY(b []byte, m Matrix) []byte {
	b = append(b, NPYHeader("<f4", m.Rows, m.Dim)...)
	for _, x := range m.Data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
