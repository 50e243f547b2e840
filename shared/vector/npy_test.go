package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// npy returns a file like NumPy's, with the header padded to 64 bytes.
func npy(version byte, header string, body []byte) []byte {
	b := []byte("\x93NUMPY")
	b = append(b, version, 0)
	size := 2
	if version > 1 {
		size = 4
	}
	for (len(b)+size+len(header)+1)%64 != 0 {
		header += " "
	}
	header += "\n"
	if version > 1 {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	}
	return append(append(b, header...), body...)
}

func header(descr, order, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, order, shape)
}

func TestReadNPY(t *testing.T) {
	var f4, f8, columns []byte
	for i := range 6 {
		f4 = binary.LittleEndian.AppendUint32(f4, math.Float32bits(float32(i)+0.5))
		f8 = binary.LittleEndian.AppendUint64(f8, math.Float64bits(float64(i)+0.5))
	}
	for _, i := range []int{0, 3, 1, 4, 2, 5} {
		columns = binary.LittleEndian.AppendUint32(columns, math.Float32bits(float32(i)+0.5))
	}
	// 0.5, 1.5, 2.5, 3.5, 4.5, 5.5 in half precision
	f2 := []byte{0x00, 0x38, 0x00, 0x3e, 0x00, 0x41, 0x00, 0x43, 0x80, 0x44, 0x80, 0x45}
	for name, b := range map[string][]byte{
		"float32":   npy(1, header("<f4", "False", "2, 3"), f4),
		"float64":   npy(1, header("<f8", "False", "2, 3"), f8),
		"float16":   npy(1, header("<f2", "False", "2, 3"), f2),
		"version 2": npy(2, header("<f4", "False", "2, 3"), f4),
		"Fortran":   npy(1, header("<f4", "True", "2, 3"), columns),
	} {
		m, err := ReadNPY(b)
		if err != nil || m.Rows != 2 || m.Dim != 3 {
			t.Errorf("%s: %v, %v", name, m, err)
			continue
		}
		for i, x := range m.Data {
			if x != float32(i)+0.5 {
				t.Errorf("%s: %v", name, m.Data)
				break
			}
		}
	}
	if m, err := ReadNPY(npy(1, header("<f4", "False", "0, 256"), nil)); err != nil || m.Rows != 0 {
		t.Errorf("no rows: %v, %v", m, err)
	}
	if m, err := ReadNPY(npy(1, header("<f4", "False", "6,"), f4)); err != nil || m.Rows != 6 || m.Dim != 1 {
		t.Errorf("a column: %v, %v", m, err)
	}
}

func TestReadNPYRefuses(t *testing.T) {
	body := make([]byte, 24)
	good := npy(1, header("<f4", "False", "2, 3"), body)
	bad := map[string][]byte{
		"another type":     npy(1, header("<i8", "False", "2, 3"), body),
		"three dimensions": npy(1, header("<f4", "False", "1, 2, 3"), body),
		"too short":        good[:len(good)-1],
		"too long":         append(good, 0),
		"huge shape":       npy(1, header("<f4", "False", "2147483647, 2147483647"), body),
		"negative shape":   npy(1, header("<f4", "False", "-2, -3"), body),
		"no shape":         npy(1, "{'descr': '<f4', 'fortran_order': False}", body),
		"text":             []byte("start,end\n1,2\n"),
		"empty":            nil,
	}
	for n := range 80 {
		bad[fmt.Sprintf("cut at %d", n)] = good[:n]
	}
	for name, b := range bad {
		if _, err := ReadNPY(b); !errors.Is(err, ErrNPY) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float32{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 1.0 / (1 << 24), 0x8001: -1.0 / (1 << 24), 0x7c00: float32(math.Inf(1)), 0: 0} {
		if got := half(h); got != want {
			t.Errorf("half(%#x) = %v, want %v", h, got, want)
		}
	}
}

func FuzzReadNPY(f *testing.F) {
	f.Add(npy(1, header("<f4", "False", "2, 3"), make([]byte, 24)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := ReadNPY(b); err == nil {
			if err := m.Check(); err != nil {
				t.Error(err)
			}
		}
	})
}

// The output must equal NumPy's and must be read back unchanged.
func TestAppendNPY(t *testing.T) {
	for _, shape := range [][2]int{{2, 3}, {0, 7}, {1, 1}, {12345678, 0}, {3, 256}} {
		m := New(shape[0], shape[1])
		var body []byte
		for i := range m.Data {
			m.Data[i] = float32(i) - 0.25
			body = binary.LittleEndian.AppendUint32(body, math.Float32bits(m.Data[i]))
		}
		b := AppendNPY([]byte("before"), m)
		if want := "before" + string(npy(1, header("<f4", "False", fmt.Sprintf("%d, %d", m.Rows, m.Dim)), body)); string(b) != want {
			t.Errorf("%v: %q", shape, b[:min(len(b), 140)])
		}
		got, err := ReadNPY(b[len("before"):])
		if err != nil || got.Rows != m.Rows || got.Dim != m.Dim || !slices.Equal(got.Data, m.Data) {
			t.Errorf("%v: %d×%d %v", shape, got.Rows, got.Dim, err)
		}
	}
}
