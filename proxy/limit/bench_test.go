package limit

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"seam/proxy/limit/redistest"
)

// BenchmarkAddresses benchmarks both books.
func BenchmarkAddresses(b *testing.B) {
	b.Run("file", func(b *testing.B) {
		addresses(b, func() book {
			f, err := OpenBook(filepath.Join(b.TempDir(), "budget.db"))
			if err != nil {
				b.Fatal(err)
			}
			return f
		})
	})
	b.Run("redis", func(b *testing.B) {
		s := redistest.Start(b)
		addresses(b, func() book {
			s.Do("FLUSHALL")
			return openTestRedis(b, s)
		})
	})
}

// book is a Book that can be closed.
type book interface {
	Book
	Close() error
}

// addresses measures 10,000 addresses that ask at once, each for the first time: the total
// time and the longest wait.
func addresses(b *testing.B, open func() book) {
	const addresses = 10_000
	longest := time.Duration(0)
	for range b.N {
		b.StopTimer()
		book := open()
		l := NewLedger(Limits{Caller: tokens(1000), Day: tokens(1e9)}, book, atNoon)
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
