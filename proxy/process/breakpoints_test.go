package process

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// npy returns a NumPy file with rows of two numbers.
func npy(rows ...[2]float32) []byte {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 2), }", len(rows))
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	b = append(b, head...)
	for _, row := range rows {
		for _, x := range row {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

func TestBreakpoints(t *testing.T) {
	nan := float32(math.NaN())
	x, y := [2]float32{3, 0}, [2]float32{0, 0.5}
	for _, tt := range []struct {
		name string
		rows [][2]float32
		args []string
		want string
		says string
	}{
		{"two alike, two alike, across", [][2]float32{x, x, y, y}, []string{"--method", "percentile", "--threshold", "50"}, `{"distances":[0,1,0],"threshold":0,"boundaries":[1]}`, ""},
		{"a count", [][2]float32{x, x, y, y, x}, []string{"--count", "3"}, `{"distances":[0,1,0,1],"threshold":1,"boundaries":[1,3]}`, ""},
		{"more chunks than sentences", [][2]float32{x, y}, []string{"--count", "9"}, `{"distances":[1],"threshold":1,"boundaries":[0]}`, ""},
		{"one chunk", [][2]float32{x, y}, []string{"--count", "1"}, `{"distances":[1],"threshold":null,"boundaries":[]}`, ""},
		{"no row", nil, nil, `{"distances":[],"threshold":null,"boundaries":[]}`, ""},
		{"one row", [][2]float32{x}, nil, `{"distances":[],"threshold":null,"boundaries":[]}`, ""},
		{"two rows", [][2]float32{x, y}, nil, `{"distances":[1],"threshold":1,"boundaries":[]}`, ""},
		{"no direction", [][2]float32{x, {nan, 1}, {0, 0}, x}, []string{"--method", "notebook-iqr"}, `{"distances":[1,1,1],"threshold":0,"boundaries":[]}`, "2 of 4 rows"},
	} {
		r := run(t, "", append([]string{"breakpoints", "--vectors", file(t, "v.npy", npy(tt.rows...))}, tt.args...)...)
		if r.status != 0 || r.out != tt.want+"\n" || !strings.Contains(r.err, tt.says) || tt.says == "" && r.err != "" {
			t.Errorf("%s: %+v, want %s", tt.name, r, tt.want)
		}
	}
}
