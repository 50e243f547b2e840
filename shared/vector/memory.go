package vector

import (
	"errors"
	"fmt"
	"math"
)

// ErrTooLarge reports that a matrix does not fit in memory.
var ErrTooLarge = errors.New("too large for the memory")

// Make is New for a matrix that may be too large, because a program that runs out of memory
// ends. If the matrix does not fit, the error is an ErrTooLarge that says how much would.
// The limit is the host's memory: 4 GB in a browser, otherwise Room, or GOMEMLIMIT if it is set.
func Make(rows, dim int) (Matrix, error) {
	if rows < 0 || dim < 0 {
		return Matrix{}, fmt.Errorf("a matrix of %d×%d", rows, dim)
	}
	if float64(rows)*float64(dim)*4 > unasked {
		if err := fits(rows, dim, room(float64(rows)*float64(dim)*4)); err != nil {
			return Matrix{}, err
		}
	}
	return New(rows, dim), nil
}

// Room, if not nil, returns the memory that a program may still take for a matrix of so many
// bytes. Make asks it before each large matrix.
var Room func(bytes float64) float64

func room(bytes float64) float64 {
	if Room != nil {
		return Room(bytes)
	}
	return free()
}

// unasked is the size in bytes up to which Make does not check free memory, because the
// check stops the world for some microseconds.
const unasked = 1 << 20

// fits returns an error if a matrix does not fit in the given number of bytes.
func fits(rows, dim int, free float64) error {
	const megabyte = 1 << 20
	if bytes := float64(rows) * float64(dim) * 4; bytes > free {
		return fmt.Errorf("%w: %d vectors of %d numbers need %.0f MB, but only %.0f MB are free, enough for %.0f",
			ErrTooLarge, rows, dim, bytes/megabyte, free/megabyte, math.Floor(free/float64(dim)/4))
	}
	return nil
}
