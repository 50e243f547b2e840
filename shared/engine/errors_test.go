package engine

import (
	"errors"
	"math"
	"testing"

	"seam/shared/engine/rpc"
	"seam/shared/vector"
)

// What does not fit into the memory is told with what to do.
func TestTooLargeIsTold(t *testing.T) {
	_, err := vector.Make(math.MaxInt32, 1<<20)
	var told *rpc.Error
	if !errors.As(coded(err), &told) || told.Code != rpc.TooLarge || told.Hint == "" || told.Message != err.Error() {
		t.Errorf("%v is told as %+v", err, told)
	}
}
