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

// vectorOf is what the fake upstream says of a text.
func vectorOf(text string) []float32 { return []float32{float32(len(text)), float32(text[0])} }

// upstream records what it is asked.
type upstream struct {
	mu    sync.Mutex
	calls [][]string
	hold  chan struct{} // nil: answer at once
	ended atomic.Int32  // calls whose context ended
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

// until waits for what has to happen.
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

// Of N texts, M of which are there, only N-M are sent, each once, and the order
// is kept.
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

// The same text from a hundred callers at once is one call; one that goes away
// does not end it for the others.
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

// When the last caller has gone the call upstream ends, and the next one starts
// anew.
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

// Many callers with overlapping texts: every answer is right, no text is sent
// twice at a time.
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

func openDisk(t *testing.T, path string, bytes int64, now *time.Time) *FileDisk {
	t.Helper()
	d, err := OpenDisk(path, bytes, 10*24*time.Hour, func() time.Time { return *now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.db")
	now := time.Unix(1_790_000_000, 0)
	d := openDisk(t, path, 1<<20, &now)
	u := &upstream{}
	ask(t, newCache(t, d), u, "a", "bb")
	if _, err := OpenDisk(path, 1, time.Hour, time.Now, nil); err == nil || !strings.Contains(err.Error(), "another proxy") {
		t.Errorf("opened twice: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = openDisk(t, path, 1<<20, &now) // the next day, another process
	if n := ask(t, newCache(t, d), u, "a", "bb", "ccc"); n != 2 {
		t.Errorf("%d cached on disk, want 2", n)
	}
	d.Flush()
	if err := d.Purge(); err != nil {
		t.Fatal(err)
	}
	if n := ask(t, newCache(t, d), u, "a", "ccc"); n != 0 {
		t.Errorf("%d cached after a purge", n)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// What is used stays, what is not goes after the age at the latest.
func TestDiskForgets(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	d := openDisk(t, filepath.Join(t.TempDir(), "vectors.db"), 1<<30, &now)
	defer d.Close()
	put := func(i byte) { d.Put(map[Key][]float32{{i}: {float32(i)}}); d.Flush() }
	has := func(i byte) bool { v := d.Get(Key{i})[Key{i}]; d.Flush(); return v != nil && v[0] == float32(i) }
	put(1)
	put(2)
	now = now.Add(6 * 24 * time.Hour)
	put(3) // a new generation
	if !has(1) || !has(2) {
		t.Error("the old generation is gone at half of the age")
	}
	now = now.Add(4 * 24 * time.Hour)
	has(2)
	now = now.Add(2 * 24 * time.Hour)
	put(4) // another one: what was used moved on, all was
	now = now.Add(6 * 24 * time.Hour)
	put(5)
	if has(3) || !has(4) || !has(5) {
		t.Errorf("3: %v, 4: %v, 5: %v", has(3), has(4), has(5))
	}
	now = now.Add(30 * 24 * time.Hour)
	if has(5) {
		t.Error("a vector is found after the age, as nothing was written")
	}
	put(6)
	if has(4) || has(5) || !has(6) {
		t.Error("vectors are kept for longer than the age")
	}
}

func TestDiskKeepsToItsSize(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	d := openDisk(t, filepath.Join(t.TempDir(), "vectors.db"), 200_000, &now)
	defer d.Close()
	v := make([]float32, 1000)
	for i := range 300 {
		d.Put(map[Key][]float32{{byte(i), byte(i >> 8)}: v})
		d.Flush()
	}
	n := 0
	for i := range 300 {
		key := Key{byte(i), byte(i >> 8)}
		if d.Get(key)[key] != nil {
			n++
		}
	}
	if n < 20 || n > 60 {
		t.Errorf("%d vectors of 4 kB are kept in 200 kB", n)
	}
	if len(d.Get(Key{299 & 0xff, 1})) == 0 {
		t.Error("the newest is gone")
	}
}

// Who asks again after a failure does not hear of it a second time.
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

// A vector that cannot be one of the scope is none; one that was let go is none
// either, also on the disk and after another generation has begun.
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
	// Vectors are put after the answer: until the disk has one of so many numbers.
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
	now = now.Add(31 * time.Minute) // the next that is put begins a generation
	length = 16
	for range 2 { // in memory, then on the disk alone
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

// A panic in one call upstream is that call's error.
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

// What waits for a disk that does not follow is bounded, and what is not kept costs
// nobody an answer.
func TestQueueOfTheDisk(t *testing.T) {
	d, err := OpenDisk(filepath.Join(t.TempDir(), "cache.db"), 1<<30, time.Hour, time.Now, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	v := make([]float32, 10_000)
	v[0] = 1
	for i := range byte(60) { // 4 MB each
		some := map[Key][]float32{}
		for j := range byte(100) {
			some[Key{j, i}] = v
		}
		d.Put(some)
		if n := d.queued.Load(); n > queueMost {
			t.Fatalf("%d bytes wait", n)
		}
	}
	d.Flush()
	if n := d.queued.Load(); n != 0 {
		t.Errorf("%d bytes are counted when nothing waits", n)
	}
	if len(d.Get(Key{7, 0})) != 1 {
		t.Error("nothing was kept")
	}
}
