package vector

import (
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestMake(t *testing.T) {
	for _, shape := range [][2]int{{0, 0}, {0, 256}, {3, 4}, {5000, 256}} {
		m, err := Make(shape[0], shape[1])
		if err != nil || m.Check() != nil || m.Rows != shape[0] || m.Dim != shape[1] {
			t.Errorf("%v: %d×%d, %v", shape, m.Rows, m.Dim, err)
		}
	}
	// More than a browser has, more than any host has, and more than can be represented.
	for _, shape := range [][2]int{{1 << 32, 1024}, {1 << 40, 1 << 20}, {math.MaxInt, 2}, {math.MaxInt, math.MaxInt}} {
		if _, err := Make(shape[0], shape[1]); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v: %v", shape, err)
		}
	}
	for _, shape := range [][2]int{{-1, 3}, {3, -1}, {-1, -1}} {
		if _, err := Make(shape[0], shape[1]); err == nil {
			t.Errorf("%v is made", shape)
		}
	}
	if _, err := Make(2<<20, 1024); runtime.GOOS == "js" && !errors.Is(err, ErrTooLarge) {
		t.Errorf("8 GB in WebAssembly: %v", err)
	}
}

// The host's limit must hold, and a size reported to fit must fit.
func TestMakeKeepsTheLimit(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("a page sets no limit")
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(s.Sys) + 64<<20))
	_, err := Make(1<<20, 256)
	if !errors.Is(err, ErrTooLarge) {
		t.Fatalf("1 GB within 64 MB: %v", err)
	}
	if want := "1048576 vectors of 256 numbers need 1024 MB, but "; !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if _, err := Make(10_000, 256); err != nil {
		t.Errorf("10 MB within 64 MB: %v", err)
	}
}

func TestFits(t *testing.T) {
	if err := fits(10, 100, 4000); err != nil {
		t.Error(err)
	}
	err := fits(11<<20, 100, 400<<20+399)
	if want := "too large for the memory: 11534336 vectors of 100 numbers need 4400 MB, but only 400 MB are free, enough for 1048576"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
