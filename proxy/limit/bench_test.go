package limit

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// BenchmarkAddresses has 10,000 addresses ask at once, each for the first time: what
// all of them take, and the longest wait of one.
func BenchmarkAddresses(b *testing.B) {
	const addresses = 10_000
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	longest := time.Duration(0)
	for range b.N {
		b.StopTimer()
		book, err := OpenBook(filepath.Join(b.TempDir(), "budget.db"))
		if err != nil {
			b.Fatal(err)
		}
		l := NewLedger(Limits{Caller: tokens(1000), Day: tokens(1e9)}, book, func() time.Time { return now })
		waits := make([]time.Duration, addresses)
		var all sync.WaitGroup
		b.StartTimer()
		for i := range addresses {
			all.Go(func() {
				began := time.Now()
				r, err := l.Reserve(context.Background(), Payer{Session: fmt.Sprint(i), Caller: fmt.Sprint("192.0.", i/256, ".", i%256)}, tokens(10))
				if err != nil {
					b.Error(err)
					return
				}
				waits[i] = time.Since(began)
				if err := r.Settle(tokens(10)); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		b.StopTimer()
		for _, w := range waits {
			longest = max(longest, w)
		}
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(longest.Seconds()*1e3, "ms-longest")
}
