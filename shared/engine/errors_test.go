package engine

import (
	"errors"
	"math"
	"testing"

	"seam/shared/engine/rpc"
	"seam/shared/vector"
)

// Data too large for the memory must give an error with advice.
func TestTooLargeIsTold(t *testing.T) {
	_, err := vector.Make(math.MaxInt32, 1<<20)
	var told *rpc.Error
	if !errors.As(coded(err), &told) || told.Code != rpc.TooLarge || told.Hint == "" || told.Message != err.Error() {
		t.Errorf("%v is told as %+v", err, told)
	}
}
