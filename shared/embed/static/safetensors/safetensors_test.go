package safetensors

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func file(head string, data ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		dtype string
		data  []byte
		want  []float32
		ints  []int64
	}{
		{"F32", []byte{0, 0, 128, 63, 0, 0, 0, 192}, []float32{1, -2}, nil},
		{"F16", []byte{0, 60, 0, 192}, []float32{1, -2}, nil},
		{"BF16", []byte{128, 63, 0, 192}, []float32{1, -2}, nil},
		{"F64", []byte{0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 192}, []float32{1, -2}, nil},
		{"I8", []byte{1, 254}, []float32{1, -2}, []int64{1, -2}},
		{"U8", []byte{1, 254}, []float32{1, 254}, []int64{1, 254}},
		{"I16", []byte{1, 0, 254, 255}, []float32{1, -2}, []int64{1, -2}},
		{"U16", []byte{1, 0, 254, 255}, []float32{1, 65534}, []int64{1, 65534}},
		{"I32", []byte{1, 0, 0, 0, 254, 255, 255, 255}, []float32{1, -2}, []int64{1, -2}},
		{"U32", []byte{1, 0, 0, 0, 2, 0, 0, 0}, []float32{1, 2}, []int64{1, 2}},
		{"I64", []byte{1, 0, 0, 0, 0, 0, 0, 0, 254, 255, 255, 255, 255, 255, 255, 255}, []float32{1, -2}, []int64{1, -2}},
	} {
		head := `{"__metadata__":{"a":"b"},"x":{"dtype":"` + c.dtype + `","shape":[2,1],"data_offsets":[0,` + string('0'+rune(len(c.data)/10)) + string('0'+rune(len(c.data)%10)) + `]}}`
		head = strings.Replace(head, "[0,0", "[0,", 1)
		all, err := Parse(file(head, c.data...))
		if err != nil {
			t.Errorf("%s: %v", c.dtype, err)
			continue
		}
		x, got := all["x"], make([]float32, 2)
		if x.Floats(got, 0); !slices.Equal(got, c.want) || !slices.Equal(x.Shape, []int{2, 1}) || x.Len() != 2 {
			t.Errorf("%s: %v in shape %v", c.dtype, got, x.Shape)
		}
		if x.Floats(got[:1], 1); got[0] != c.want[1] {
			t.Errorf("%s: the second is %v", c.dtype, got[0])
		}
		if ints, err := x.Integers(); !slices.Equal(ints, c.ints) || (err == nil) != (c.ints != nil) {
			t.Errorf("%s: %v, %v", c.dtype, ints, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		b    []byte
		says string
	}{
		{nil, "0 bytes"},
		{[]byte("1234567"), "7 bytes"},
		{file("{}")[:9], "does not fit"},
		{append(binary.LittleEndian.AppendUint64(nil, 1<<63), '{'), "does not fit"},
		{file("[]"), "header"},
		{file(strings.Repeat(`{"a":`, 20000)), "header"},
		{file("{}", 1), "1 bytes after"},
		{file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 1), "incomplete"},
		{file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, 1, 2, 3, 4), "damaged"},
		{file(`{"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 1, 2, 3, 4), `"x"`},
		{file(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 1, 2, 3, 4), "do not have"},
		{file(`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`), "too large"},
		{file(`{"x":{"dtype":"F32","shape":[2147483647,2147483647,2147483647],"data_offsets":[0,0]}}`), "too large"},
		{file(`{"x":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}}`, 1), "F8_E4M3"},
		{file(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 1, 2), "overlap"},
		{file(`{"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"y":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 1, 2, 3), "overlap"},
		{file(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, 1, 2, 3), "gap"},
	} {
		if _, err := Parse(c.b); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60q: %v, should say %q", c.b, err, c.says)
		}
	}
}

// Every 16-bit number must convert back unchanged, and a value between two must round to
// the nearer one.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		x := fromHalf(uint16(h))
		if y := RoundHalf(x); y != x && x == x {
			t.Fatalf("%#x is %v and rounds to %v", h, x, y)
		}
		next := fromHalf(uint16(h + 1))
		if h&0x7fff >= 0x7bff {
			continue
		}
		want := x
		if h&1 == 1 {
			want = next // to even
		}
		middle := float32((float64(x) + float64(next)) / 2)
		if got := RoundHalf(middle); got != want {
			t.Fatalf("%v rounds to %v, not %v", middle, got, want)
		}
		if got := RoundHalf(math.Nextafter32(middle, next)); got != next {
			t.Fatalf("above %v rounds to %v, not %v", middle, got, next)
		}
	}
	if !math.IsInf(float64(RoundHalf(65520)), 1) || RoundHalf(65519) != 65504 || RoundHalf(float32(math.NaN())) == 0 {
		t.Error("the ends of the range")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file(`{"x":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},"y":{"dtype":"I8","shape":[1,1],"data_offsets":[4,5]}}`, 1, 2, 3, 4, 5))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := Parse(b)
		if err != nil && !errors.Is(err, ErrFile) {
			t.Fatal(err)
		}
		for _, x := range all {
			x.Floats(make([]float32, x.Len()), 0)
		}
	})
}
