package bundle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"seam/shared/bundle/archive"
	"seam/shared/vector"
)

// number is a type of number in a bundle's arrays.
type number interface{ ~int32 | ~float32 }

// array is a matrix for a .npy member, produced row by row.
type array[T number] struct {
	rows, dim int
	row       func(i int, to []T) // fills a row
}

// descr returns NumPy's name of the number type: little-endian, four bytes.
func (a array[T]) descr() string {
	if isFloat[T]() {
		return "<f4"
	}
	return "<i4"
}

func isFloat[T number]() bool { return T(1)/2 != 0 }

// block is the number of bytes converted at once.
const block = 64 << 10

// write writes the array.
func (a array[T]) write(w io.Writer) error {
	if _, err := w.Write(vector.NPYHeader(a.descr(), a.rows, a.dim)); err != nil {
		return err
	}
	buf := make([]byte, 0, block+4*a.dim)
	row := make([]T, a.dim)
	for i := range a.rows {
		a.row(i, row)
		for _, x := range row {
			buf = binary.LittleEndian.AppendUint32(buf, bits(x))
		}
		if len(buf) >= block {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

func bits[T number](x T) uint32 {
	if isFloat[T]() {
		return math.Float32bits(float32(x))
	}
	return uint32(int32(x))
}

func fromBits[T number](b uint32) T {
	if isFloat[T]() {
		return T(math.Float32frombits(b))
	}
	return T(int32(b))
}

// readArray reads an array with dim columns (0 for any number) from a member of size bytes.
// The numbers are row by row. A header that does not match the size is damage, and
// allocates no memory.
func readArray[T number](r io.Reader, size int64, dim int) (rows, columns int, data []T, err error) {
	head := make([]byte, min(size, 128))
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, 0, nil, err
	}
	descr, shape, length, err := vector.ParseNPYHeader(head)
	switch {
	case err != nil:
		return 0, 0, nil, damagedf("%v", err)
	case descr != (array[T]{}).descr() || len(shape) != 2 || dim > 0 && shape[1] != dim:
		return 0, 0, nil, damagedf("its numbers are %s %v", descr, shape)
	}
	rows, columns = shape[0], shape[1]
	n := (size - int64(length)) / 4
	if columns > 0 && int64(rows) > n/int64(columns) || int64(rows)*int64(columns)*4 != size-int64(length) {
		return 0, 0, nil, damagedf("%d×%d numbers do not make its %d bytes", rows, columns, size)
	}
	// The archive reader has checked that the member can be so large.
	data = make([]T, n)
	buf := make([]byte, min(block, 4*len(data)))
	in := io.MultiReader(bytes.NewReader(head[length:]), r)
	for at := 0; at < len(data); {
		k := min(len(buf), 4*(len(data)-at))
		if _, err := io.ReadFull(in, buf[:k]); err != nil {
			return 0, 0, nil, err
		}
		out := data[at:][:k/4]
		for i := range out {
			out[i] = fromBits[T](binary.LittleEndian.Uint32(buf[4*i:]))
		}
		at += k / 4
	}
	return rows, columns, data, archive.End(in)
}

// finite refuses NaN and infinities in rows of dim numbers.
func finite(data []float32, dim int) error {
	const exponent = 0xff << 23 // all ones only in NaN and infinities
	for i, x := range data {
		if math.Float32bits(x)&exponent == exponent {
			return fmt.Errorf("row %d holds NaN or an infinity", i/dim)
		}
	}
	return nil
}
