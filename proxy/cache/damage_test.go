package cache

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// told collects the reports of a disk.
type told struct {
	mu  sync.Mutex
	all []string
}

func (r *told) report(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.all = append(r.all, err.Error())
	}
}

func (r *told) String() string { r.mu.Lock(); defer r.mu.Unlock(); return strings.Join(r.all, "\n") }

// A file that is damaged, before the start or while in use, is set aside once, and the next
// one works.
func TestDamagedDisk(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut off": func(path string) error { return os.Truncate(path, int64(2*os.Getpagesize())) },
		"random bytes": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("random bytes", 10_000)), 0o600)
		},
	} {
		for _, running := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "cache.db")
			now, r := time.Now(), &told{}
			open := func() *FileDisk {
				d, err := OpenDisk(path, 1<<20, time.Hour, func() time.Time { return now }, r.report)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return d
			}
			d := open()
			fill := func() {
				for i := range 50 {
					d.Put(map[Key][]float32{{byte(i)}: make([]float32, 500)})
					d.Flush()
				}
			}
			fill()
			if !running {
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			if !running {
				d = open()
			}
			for i := range 50 {
				d.Get(Key{byte(i)})
			}
			fill()
			fill()
			if v := d.Get(Key{7})[Key{7}]; len(v) != 500 {
				t.Errorf("%s, running %v: the file that was begun keeps nothing", name, running)
			}
			if n := strings.Count(r.String(), "is set aside"); n != 1 {
				t.Errorf("%s, running %v: it was set aside %d times: %s", name, running, n, r)
			}
			if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 1 {
				t.Errorf("%s, running %v: %q", name, running, aside)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A disk that damages one file after another is no longer used.
func TestDamagedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	now, r := time.Now(), &told{}
	d, err := OpenDisk(path, 1<<20, time.Hour, func() time.Time { return now }, r.report)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		d.Put(map[Key][]float32{{1}: make([]float32, 5000)})
		d.Flush()
		if err := os.Truncate(path, int64(2*os.Getpagesize())); err != nil {
			t.Fatal(err)
		}
		d.Get(Key{1})
	}
	if len(d.Get(Key{1})) > 0 || strings.Count(r.String(), "is set aside") != 1 || strings.Count(r.String(), "in memory only") != 1 {
		t.Errorf("%s", r)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
