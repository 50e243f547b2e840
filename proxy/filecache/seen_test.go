package filecache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// clock is our clock, which tests set.
type clock struct{ at time.Time }

func (c *clock) open(dir string) *Store {
	s := Open(dir, DefaultLimit)
	s.now = func() time.Time { return c.at }
	return s
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// sum opens a new Store, checks the digest of a file, and returns whether its bytes were
// read.
func sum(t *testing.T, c *clock, dir, path, want string) (read bool) {
	t.Helper()
	s := c.open(dir)
	got, b, known, err := s.Sum(path, nil)
	if err != nil || !known || got != sha256.Sum256([]byte(want)) || b != nil && string(b) != want {
		t.Fatalf("%x of %q, known %v: %v; it holds %q", got, b, known, err, want)
	}
	closed(t, s)
	return b != nil
}

// The bytes of an unchanged file are read twice, a minute apart, and then no more.
func TestReadNoMore(t *testing.T) {
	c, dir, path := &clock{time.Now()}, filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "a.txt")
	write(t, path, "one")
	for i, step := range []struct {
		after time.Duration
		read  bool
	}{{0, true}, {time.Second, true}, {58 * time.Second, true}, {3 * time.Second, true}, {0, false}, {time.Hour, false}, {48 * time.Hour, false}} {
		c.at = c.at.Add(step.after)
		if read := sum(t, c, dir, path, "one"); read != step.read {
			t.Errorf("run %d: the bytes are read: %v", i, read)
		}
	}
	c.at = c.at.Add(-time.Hour * 1000)
	if !sum(t, c, dir, path, "one") {
		t.Error("a clock that was set back is believed")
	}
}

// Every change of a file is noticed: with the same size, with the time set back, with
// another file in its place, and with the same time for both.
func TestChangesAreSeen(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string, before os.FileInfo){
		"same size": func(t *testing.T, path string, _ os.FileInfo) { write(t, path, "two") },
		"same size and time": func(t *testing.T, path string, before os.FileInfo) {
			write(t, path, "two")
			if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
				t.Fatal(err)
			}
		},
		"another file": func(t *testing.T, path string, before os.FileInfo) {
			write(t, path+"2", "two")
			if err := os.Chtimes(path+"2", before.ModTime(), before.ModTime()); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+"2", path); err != nil {
				t.Fatal(err)
			}
		},
		"a link to another": func(t *testing.T, path string, _ os.FileInfo) {
			write(t, path+"2", "two")
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(path+"2", path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		c, dir, path := &clock{time.Now()}, filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "a.txt")
		write(t, path, "one")
		for _, read := range []bool{true, true, false} {
			if sum(t, c, dir, path, "one") != read {
				t.Errorf("%s: the file is read: %v", name, !read)
			}
			c.at = c.at.Add(2 * settled * time.Second)
		}
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		change(t, path, before)
		if !sum(t, c, dir, path, "two") {
			t.Errorf("%s: it was not read", name)
		}
	}
}

// A file written twice within a tick of its disk's clock looks the same both times. The
// test simulates a long tick by storing the new metadata with the old digest.
func TestSameTick(t *testing.T) {
	c, dir, path := &clock{time.Now()}, filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "a.txt")
	write(t, path, "one")
	s := c.open(dir)
	if _, _, _, err := s.Sum(path, nil); err != nil {
		t.Fatal(err)
	}
	write(t, path, "two")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s.seen.files[pathKey(path)].Stat, _ = statOf(info)
	closed(t, s)
	for range 3 {
		c.at = c.at.Add(settled / 3 * time.Second)
		sum(t, c, dir, path, "two")
	}
}

// A damaged list is ignored.
func TestDamagedList(t *testing.T) {
	c, dir, path := &clock{time.Now()}, filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "a.txt")
	write(t, path, "one")
	sum(t, c, dir, path, "one")
	c.at = c.at.Add(2 * settled * time.Second)
	sum(t, c, dir, path, "one")
	list := filepath.Join(dir, seenName)
	whole, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		b := append([]byte{}, whole...)
		b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
		if i%2 == 0 {
			b = whole[:random.IntN(len(whole))]
		}
		if err := os.WriteFile(list, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if s := c.open(dir); !func() bool { _, b, _, _ := s.Sum(path, nil); return string(b) == "one" }() {
			t.Fatalf("a damaged list is believed: %q", b)
		}
	}
}

// A complete list with content that this package never writes is ignored. So is a list in a
// folder that others can write to.
func TestForeignList(t *testing.T) {
	c, dir, path := &clock{time.Now()}, filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "a.txt")
	write(t, path, "one")
	for range 2 {
		sum(t, c, dir, path, "one")
		c.at = c.at.Add(2 * settled * time.Second)
	}
	list := filepath.Join(dir, seenName)
	whole, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	right := fmt.Sprintf("%x", sha256.Sum256([]byte("one")))
	for _, wrong := range []string{right + "00", right[2:], "", "no digest"} {
		_, body, _ := bytes.Cut(bytes.Replace(whole, []byte(right), []byte(wrong), 1), []byte("\n"))
		write(t, list, seenHead(body)+"\n"+string(body))
		if !sum(t, c, dir, path, "one") {
			t.Errorf("the digest %q is believed", wrong)
		}
	}
	write(t, list, string(whole))
	if sum(t, c, dir, path, "one") {
		t.Error("the list that was written is not believed")
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, b, _, err := c.open(dir).Sum(path, nil); string(b) != "one" || err != nil {
		t.Errorf("a list that anybody could have written is believed: %v", err)
	}
}

// Beyond mostSeen, the least recently used files are removed.
func TestMostSeen(t *testing.T) {
	c, dir := &clock{time.Now()}, filepath.Join(t.TempDir(), "cache")
	s := c.open(dir)
	for i := range mostSeen + 10 {
		s.seen.note(pathKey(fmt.Sprint(i)), stat{Size: 1}, [sha256.Size]byte{}, c.at.Add(time.Duration(-i)*time.Second), c.at)
	}
	closed(t, s)
	s = c.open(dir)
	s.seen.load()
	if n := len(s.seen.files); n != mostSeen {
		t.Errorf("%d files are known", n)
	}
	for i, want := range map[int]bool{0: true, mostSeen - 1: true, mostSeen: false, mostSeen + 9: false} {
		if got := s.seen.files[pathKey(fmt.Sprint(i))] != nil; got != want {
			t.Errorf("file %d is known: %v", i, got)
		}
	}
}

// A pipe is not read.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, b, known, err := Open(t.TempDir(), DefaultLimit).Sum(fmt.Sprintf("/dev/fd/%d", r.Fd()), nil); known || b != nil || err != nil {
		t.Errorf("%q of a pipe is known: %v, %v", b, known, err)
	}
	if _, _, known, err := Open(t.TempDir(), DefaultLimit).Sum(t.TempDir(), nil); known || err != nil {
		t.Errorf("a folder is known: %v, %v", known, err)
	}
}
