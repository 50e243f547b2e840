package cache

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var scope = Scope{Provider: "p", Model: "m"}

// vectorOf returns the fake upstream's vector of a text.
func vectorOf(text string) []float32 { return []float32{float32(len(text)), float32(text[0])} }

// upstream records its calls.
type upstream struct {
	mu    sync.Mutex
	calls [][]string
	hold  chan struct{} // nil: answer at once
	ended atomic.Int32  // number of calls with an ended context
	err   error
}

func (u *upstream) fetch(ctx context.Context, texts []string) ([][]float32, error) {
	u.mu.Lock()
	u.calls = append(u.calls, slices.Clone(texts))
	u.mu.Unlock()
	if u.hold != nil {
		select {
		case <-u.hold:
		case <-ctx.Done():
			u.ended.Add(1)
			return nil, ctx.Err()
		}
	}
	if u.err != nil {
		return nil, u.err
	}
	var out [][]float32
	for _, t := range texts {
		out = append(out, vectorOf(t))
	}
	return out, nil
}

// until waits for an event that must happen.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: never", what)
		}
	}
}

func (u *upstream) count() int { u.mu.Lock(); defer u.mu.Unlock(); return len(u.calls) }

func newCache(t *testing.T, disk Disk) *Cache {
	t.Helper()
	c, err := New([]byte("secret"), 1<<20, disk)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(t *testing.T, c *Cache, u *upstream, texts ...string) (cached int) {
	t.Helper()
	got, cached, err := c.Vectors(context.Background(), scope, texts, u.fetch)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if !reflect.DeepEqual(got[i], vectorOf(text)) {
			t.Errorf("%q has the vector %v", text, got[i])
		}
	}
	return cached
}

// Of N texts with M cached, only N-M are sent, each once, and the order is kept.
func TestOnlyWhatIsMissing(t *testing.T) {
	c, u := newCache(t, nil), &upstream{}
	if n := ask(t, c, u, "a", "bb", "a"); n != 1 {
		t.Errorf("%d of the first were cached, want the repeated one", n)
	}
	if n := ask(t, c, u, "ccc", "bb", "dddd", "a"); n != 2 {
		t.Errorf("%d cached, want 2", n)
	}
	if n := ask(t, c, u, "a", "bb", "ccc", "dddd"); n != 4 {
		t.Errorf("%d cached, want all", n)
	}
	if want := [][]string{{"a", "bb"}, {"ccc", "dddd"}}; !reflect.DeepEqual(u.calls, want) {
		t.Errorf("upstream was asked %q, want %q", u.calls, want)
	}
}

func TestScopesAreApart(t *testing.T) {
	c, u := newCache(t, nil), &upstream{}
	for _, s := range []Scope{{Provider: "p", Model: "m"}, {Provider: "q", Model: "m"}, {Provider: "p", Model: "n"}, {Provider: "p", Model: "m", Dimensions: 5}, {Provider: "p", Model: "m", Name: "x"}, {Provider: "pm"}} {
		if _, n, err := c.Vectors(context.Background(), s, []string{"a"}, u.fetch); n != 0 || err != nil {
			t.Errorf("%+v: %d cached, %v", s, n, err)
		}
	}
}

// The same text from a hundred callers at once makes one call. A caller that leaves does
// not end it for the others.
func TestSingleFlight(t *testing.T) {
	c, u := newCache(t, nil), &upstream{hold: make(chan struct{})}
	gone, leave := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	first := make(chan error, 1)
	go func() {
		_, _, err := c.Vectors(gone, scope, []string{"a"}, u.fetch)
		first <- err
	}()
	until(t, "a call", func() bool { return u.count() > 0 })
	for range 99 {
		wg.Go(func() { ask(t, c, u, "a") })
	}
	until(t, "100 callers", func() bool { return c.Waiting() == 100 })
	leave()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that left: %v", err)
	}
	close(u.hold)
	wg.Wait()
	if u.count() != 1 || u.ended.Load() != 0 {
		t.Errorf("%d calls, %d ended", u.count(), u.ended.Load())
	}
}

// When the last caller has left, the call upstream ends, and the next caller starts a new
// one.
func TestNobodyWaits(t *testing.T) {
	c, u := newCache(t, nil), &upstream{hold: make(chan struct{})}
	ctx, leave := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, _, err := c.Vectors(ctx, scope, []string{"a", "bb"}, u.fetch); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		})
	}
	until(t, "3 callers", func() bool { return c.Waiting() == 3 })
	leave()
	wg.Wait()
	until(t, "the end of the call", func() bool { return u.ended.Load() > 0 })
	close(u.hold)
	if n := ask(t, c, u, "a"); n != 0 || u.count() != 2 {
		t.Errorf("%d cached after %d calls", n, u.count())
	}
}

func TestFailuresAreNotKept(t *testing.T) {
	c, u := newCache(t, nil), &upstream{err: errors.New("no")}
	if _, _, err := c.Vectors(context.Background(), scope, []string{"a"}, u.fetch); err != u.err {
		t.Errorf("%v", err)
	}
	u.err = nil
	ask(t, c, u, "a")
	short := func(context.Context, []string) ([][]float32, error) { return nil, nil }
	if _, _, err := c.Vectors(context.Background(), scope, []string{"zz"}, short); err == nil || !strings.Contains(err.Error(), "0 vectors for 1") {
		t.Errorf("%v", err)
	}
}

// With many callers and overlapping texts, every answer is right, and no text is sent twice
// at a time.
func TestOverlap(t *testing.T) {
	c, u := newCache(t, nil), &upstream{}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for j := range 50 {
				ask(t, c, u, fmt.Sprint("t", (i+j)%40), fmt.Sprint("t", (i*j)%40), fmt.Sprint("t", j%40))
			}
		})
	}
	wg.Wait()
	sent := map[string]int{}
	for _, call := range u.calls {
		for _, text := range call {
			sent[text]++
		}
	}
	for text, n := range sent {
		if n > 1 {
			t.Errorf("%q was sent %d times", text, n)
		}
	}
}

// A failed call does not fail a later request for the same text.
func TestAgainAfterFailure(t *testing.T) {
	c, err := New([]byte("secret"), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for i := range 3000 {
		texts := []string{fmt.Sprint(i)}
		if _, _, err := c.Vectors(context.Background(), Scope{}, texts, func(context.Context, []string) ([][]float32, error) { return nil, broken }); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		if _, _, err := c.Vectors(context.Background(), Scope{}, texts, func(context.Context, []string) ([][]float32, error) { return [][]float32{{1}}, nil }); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
	}
}

// A vector of the wrong length counts as missing. So does a forgotten one, even on the disk
// and after a new generation has begun.
func TestForgetAndLength(t *testing.T) {
	now := time.Now()
	disk, err := OpenDisk(filepath.Join(t.TempDir(), "cache.db"), 1<<20, time.Hour, func() time.Time { return now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	length := 8
	calls := 0
	ask := func(c *Cache, want int) []float32 {
		t.Helper()
		v, _, err := c.Vectors(context.Background(), Scope{Provider: "p", Length: want}, []string{"text"}, func(context.Context, []string) ([][]float32, error) {
			calls++
			return [][]float32{make([]float32, length)}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
	open := func() *Cache {
		c, err := New([]byte("secret"), 1<<20, disk)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	// Vectors are stored after the answer, so wait until the disk has one of that length.
	stored := func(c *Cache, n int) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
			disk.Flush()
			key := c.keys(Scope{Provider: "p"}, []string{"text"})[0]
			if len(disk.Get(key)[key]) == n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("the disk has no vector of %d numbers", n)
			}
		}
	}
	c := open()
	ask(c, 0)
	stored(c, 8)
	now = now.Add(31 * time.Minute) // the next Put begins a generation
	length = 16
	for range 2 { // in memory, then only on the disk
		if n := len(ask(c, 16)); n != 16 || calls != 2 {
			t.Fatalf("%d numbers after %d calls, want 16 of another", n, calls)
		}
		stored(c, 16)
		c = open()
	}
	c.Forget(Scope{Provider: "p"}, []string{"text"})
	stored(c, 0)
	if ask(open(), 0); calls != 3 {
		t.Errorf("%d calls: what was let go is still there", calls)
	}
}

// A panic in one call upstream becomes that call's error.
func TestPanicOfAFetch(t *testing.T) {
	c, err := New([]byte("secret"), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Vectors(context.Background(), scope, []string{"text"}, func(context.Context, []string) ([][]float32, error) { panic("a slice") }); err == nil {
		t.Error("it passes")
	}
	if _, _, err := c.Vectors(context.Background(), scope, []string{"text"}, func(context.Context, []string) ([][]float32, error) { return [][]float32{{1}}, nil }); err != nil {
		t.Errorf("the next one: %v", err)
	}
}
