package cache

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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

// Used vectors stay, and unused ones are removed after the age at the latest.
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
	put(4) // another generation; all used vectors have moved on
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

// If the clock was ahead when a generation began, no vector is kept beyond the age.
func TestDiskOfAClockThatWasAhead(t *testing.T) {
	now := time.Unix(1_790_000_000, 0).AddDate(10, 0, 0)
	d := openDisk(t, filepath.Join(t.TempDir(), "vectors.db"), 1<<30, &now)
	defer d.Close()
	put := func(i byte) { d.Put(map[Key][]float32{{i}: {float32(i)}}); d.Flush() }
	put(1)
	now = now.AddDate(-10, 0, 0)
	put(2)
	if found := d.Get(Key{1}, Key{2}); len(found) != 2 {
		t.Errorf("%v is there", found)
	}
	now = now.Add(11 * 24 * time.Hour)
	if found := d.Get(Key{1}, Key{2}); len(found) != 0 {
		t.Errorf("%v is kept beyond the age", found)
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

// The queue for a slow disk is bounded, and a vector that is not stored does not delay an
// answer.
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
