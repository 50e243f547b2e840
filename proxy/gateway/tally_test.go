package gateway

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"seam/shared/protocol"
)

// The first refusal of a kind is logged in each minute, and the others as a count at its
// end. A flood of addresses does not use unlimited memory.
func TestTally(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log := slog.New(slog.NewTextHandler(&b, nil))
		var all tally
		firsts := 0
		for range 2 {
			for range 1000 {
				if all.first(refused{"192.0.2.0/24", protocol.RateLimited}, log) {
					firsts++
				}
			}
			all.first(refused{"198.51.100.0/24", protocol.RateLimited}, log)
			time.Sleep(time.Minute + time.Second)
			synctest.Wait()
		}
		if firsts != 2 || strings.Count(b.String(), "more=999") != 2 || strings.Contains(b.String(), "198.51.100") {
			t.Errorf("%d lines and\n%s", firsts, b.String())
		}
		for i := range 3 * mostTallied {
			all.first(refused{fmt.Sprint(i), protocol.Busy}, log)
		}
		if len(all.left) > mostTallied+1 {
			t.Errorf("%d kinds", len(all.left))
		}
		all.flush()
		if !strings.Contains(b.String(), fmt.Sprintf("address=others code=busy more=%d", 2*mostTallied-1)) {
			t.Error("the others are not counted")
		}
	})
}
