package process

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// watcher counts events on the files of a folder, as reported by the kernel.
type watcher struct{ *os.File }

func watch(t *testing.T, dir string) watcher {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	w := watcher{os.NewFile(uintptr(fd), "inotify")}
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_CREATE|syscall.IN_MODIFY|syscall.IN_CLOSE|syscall.IN_ATTRIB|syscall.IN_MOVED_TO|syscall.IN_DELETE); err != nil {
		t.Fatal(err)
	}
	return w
}

// until waits for a number of events, or for stop, and returns how many there were.
func (w watcher) until(events int) (n int) {
	b := make([]byte, 4096)
	for n < events {
		size, err := w.Read(b)
		if err != nil {
			break
		}
		for at := 0; at < size; n++ {
			at += syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[at+syscall.SizeofInotifyEvent-4:]))
		}
	}
	return n
}

// stop ends until.
func (w watcher) stop() { w.SetReadDeadline(time.Unix(1, 0)) }

// Programs are killed at any point. The cache entries are then complete or missing, and the
// next program finds the same hits. `make test-long` (SEAM_LONG=1) kills 200.
func TestKeptByKilledPrograms(t *testing.T) {
	kills := 12
	if os.Getenv("SEAM_LONG") != "" {
		kills = 200
	}
	seed := uint64(time.Now().UnixNano())
	if s, err := strconv.ParseUint(os.Getenv("SEAM_TEST_SEED"), 10, 64); err == nil {
		seed = s
	}
	t.Logf("SEAM_TEST_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir, cache := shelf(t), filepath.Join(t.TempDir(), "cache")
	args := []string{"search", "--json", "-k", "40", "sails", "."}
	want := with(t, dir, "off", args...)
	// search runs with the current cache, and is killed after a number of file events in
	// it.
	search := func(events int) (n int, killed bool) {
		folder := filepath.Join(cache, "files")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		w := watch(t, folder)
		defer w.Close()
		cmd := exec.Command(seam, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SEAM_CACHE="+cache)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			cmd.Wait()
			w.stop()
			close(ended)
		}()
		n = w.until(events)
		cmd.Process.Kill()
		<-ended
		return n, cmd.ProcessState.ExitCode() < 0
	}
	all, _ := search(1 << 30) // of a complete run
	killed := 0
	for i := range kills {
		if random.IntN(2) == 0 { // otherwise it continues with the cache of earlier runs
			os.RemoveAll(cache)
		}
		if _, ok := search(1 + random.IntN(all)); ok {
			killed++
		}
		if got := with(t, dir, cache, args...); got != want {
			t.Fatalf("after kill %d: status %d, %q, %.3000s\nwant %q, %.3000s", i, got.status, got.err, got.out, want.err, want.out)
		}
		if again := with(t, dir, cache, args...); again != want {
			t.Fatalf("after kill %d, from what is kept: %q, %.3000s", i, again.err, again.out)
		}
	}
	t.Logf("%d of %d were killed before their end, of the %d events of a whole run", killed, kills, all)
	if killed == 0 {
		t.Error("none was killed")
	}
}
