// Package safetensors reads files of tensors. They consist of eight bytes of length, a JSON
// header, and the numbers of the tensors one after another
// (https://github.com/huggingface/safetensors, "Format").
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrFile reports bytes that are not a file of tensors.
var ErrFile = errors.New("not a safetensors file")

// Tensor is an array of numbers, stored in the file's own bytes, little endian.
type Tensor struct {
	Type  string // "F32", "F16", "I8", …
	Shape []int
	data  []byte
}

// sizes holds the size in bytes of a number of each type.
var sizes = map[string]int{
	"F64": 8, "F32": 4, "F16": 2, "BF16": 2,
	"I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}

// longestHeader is the reference implementation's limit.
const longestHeader = 100_000_000

// Parse returns the tensors of a file by name. They share its memory. Every byte after the
// header must belong to exactly one tensor.
func Parse(b []byte) (map[string]Tensor, error) {
	if len(b) < 8 {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrFile, len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	if n > longestHeader || n > uint64(len(b)-8) {
		return nil, fmt.Errorf("%w: a header of %d bytes does not fit into %d; it is damaged or incomplete", ErrFile, n, len(b))
	}
	head, data := b[8:8+n], b[8+n:]
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(head, &raw); err != nil {
		return nil, fmt.Errorf("%w: its header: %w", ErrFile, err)
	}
	delete(raw, "__metadata__")
	ends := map[int]int{} // end of each tensor by its start; empty tensors are left out
	var starts []int
	tensors := make(map[string]Tensor, len(raw))
	for name, r := range raw {
		var info struct {
			Dtype   string    `json:"dtype"`
			Shape   []uint64  `json:"shape"`
			Offsets [2]uint64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(r, &info); err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %w", ErrFile, name, err)
		}
		from, to := info.Offsets[0], info.Offsets[1]
		if from > to || to > uint64(len(data)) {
			return nil, fmt.Errorf("%w: tensor %q is at bytes %d to %d of %d; the file is damaged or incomplete", ErrFile, name, from, to, len(data))
		}
		shape, err := check(info.Dtype, info.Shape, to-from)
		if err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %w", ErrFile, name, err)
		}
		tensors[name] = Tensor{info.Dtype, shape, data[from:to]}
		if from < to {
			starts, ends[int(from)] = append(starts, int(from)), int(to)
		}
	}
	slices.Sort(starts)
	at := 0
	for _, from := range starts { // refuses the second of two tensors at one place
		if from != at {
			return nil, fmt.Errorf("%w: its tensors overlap or leave a gap at byte %d", ErrFile, at)
		}
		at = ends[from]
	}
	if at != len(data) {
		return nil, fmt.Errorf("%w: %d bytes after its tensors", ErrFile, len(data)-at)
	}
	return tensors, nil
}

// check returns the shape if its number of values matches the number of bytes.
func check(dtype string, shape []uint64, bytes uint64) ([]int, error) {
	size, ok := sizes[dtype]
	if !ok {
		return nil, fmt.Errorf("numbers of type %q are not supported", dtype)
	}
	total := uint64(size)
	out := make([]int, len(shape))
	for i, n := range shape {
		if n > math.MaxInt32 || n > 0 && total > math.MaxInt64/n {
			return nil, fmt.Errorf("shape %d is too large", shape)
		}
		total *= n
		out[i] = int(n)
	}
	if total != bytes {
		return nil, fmt.Errorf("%d numbers of type %s do not have %d bytes", shape, dtype, bytes)
	}
	return out, nil
}

// Len returns the number of values.
func (t Tensor) Len() int { return len(t.data) / max(sizes[t.Type], 1) }

// Floats writes the values starting at index at to dst, rounded to float32.
func (t Tensor) Floats(dst []float32, at int) {
	le := binary.LittleEndian
	switch t.Type {
	case "F32":
		for i := range dst {
			dst[i] = math.Float32frombits(le.Uint32(t.data[4*(at+i):]))
		}
	case "F16":
		for i := range dst {
			dst[i] = fromHalf(le.Uint16(t.data[2*(at+i):]))
		}
	case "BF16":
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(le.Uint16(t.data[2*(at+i):])) << 16)
		}
	case "F64":
		for i := range dst {
			dst[i] = float32(math.Float64frombits(le.Uint64(t.data[8*(at+i):])))
		}
	default:
		for i := range dst {
			dst[i] = float32(t.integer(at + i))
		}
	}
}

// integer returns value i of a tensor of integers. A uint64 above int64 becomes negative.
func (t Tensor) integer(i int) int64 {
	le := binary.LittleEndian
	switch t.Type {
	case "I8":
		return int64(int8(t.data[i]))
	case "U8", "BOOL":
		return int64(t.data[i])
	case "I16":
		return int64(int16(le.Uint16(t.data[2*i:])))
	case "U16":
		return int64(le.Uint16(t.data[2*i:]))
	case "I32":
		return int64(int32(le.Uint32(t.data[4*i:])))
	case "U32":
		return int64(le.Uint32(t.data[4*i:]))
	}
	return int64(le.Uint64(t.data[8*i:]))
}

// Integers returns the values of a tensor of integers.
func (t Tensor) Integers() ([]int64, error) {
	switch t.Type {
	case "F64", "F32", "F16", "BF16":
		return nil, fmt.Errorf("numbers of type %s are not integers", t.Type)
	}
	out := make([]int64, t.Len())
	for i := range out {
		out[i] = t.integer(i)
	}
	return out, nil
}
