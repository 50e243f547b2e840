package terminal

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// lines records the lines of a terminal; Clear is "".
type lines []string

func (l *lines) show(line string) { *l = append(*l, line) }
func (l *lines) Clear()           { *l = append(*l, "") }

func TestWaitingCountsSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all lines
		stop := (&Meter{on: &all, name: "waiting…"}).wait()
		time.Sleep(2500 * time.Millisecond)
		stop()
		stop()
		time.Sleep(time.Minute)
		if want := []string{"waiting… 1 s (Ctrl-C stops)", "waiting… 2 s (Ctrl-C stops)", ""}; !slices.Equal(all, want) {
			t.Errorf("%q", all)
		}
	})
}
