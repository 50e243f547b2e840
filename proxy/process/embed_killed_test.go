package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
)

// A killed or stopped run of seam embed loses no complete output. The next run continues,
// and the file is the same as from an undisturbed run, with no temporary files left.
func TestEmbedGoesOn(t *testing.T) {
	texts := make([]string, 12500) // three blocks, and some
	for i := range texts {
		texts[i] = fmt.Sprintf("moth %d", i)
	}
	for format, row := range map[string]int64{"npy": 4 * 384, "jsonl": 4500} {
		t.Run(format, func(t *testing.T) {
			dir := tree(t, map[string]string{"texts.txt": strings.Join(texts, "\n") + "\n"})
			if r := runIn(t, dir, nil, "embed", "--embedder", "meaning", "--format", format, "-o", "peace", "texts.txt"); r.status != 0 {
				t.Fatalf("%+v", r)
			}
			args := []string{"embed", "--embedder", "meaning", "--format", format, "-o", "out", "texts.txt"}
			for i, signal := range []os.Signal{os.Kill, os.Interrupt} {
				said := broken(t, dir, args, signal, int64(i+1)*(4096*row-100_000))
				switch there := goneOn.FindStringSubmatch(said); {
				case i == 0 && there != nil:
					t.Errorf("the first run says %q", said)
				case i > 0 && there == nil:
					t.Errorf("the next run says %q", said)
				case signal == os.Interrupt && !strings.Contains(said, "of 12500 vectors are stored next to out: run the same command again to resume"):
					t.Errorf("stopped, it says %q", said)
				}
			}
			if left := beside(t, dir); len(left) != 1 {
				t.Errorf("beside the texts %q", left)
			}
			r := runIn(t, dir, nil, args...)
			there := goneOn.FindStringSubmatch(r.err)
			if r.status != 0 || there == nil {
				t.Fatalf("%+v", r)
			}
			if n, _ := strconv.Atoi(there[1]); n < 7500 || n >= 12500 {
				t.Errorf("it goes on from %d", n)
			}
			if readFile(t, filepath.Join(dir, "out")) != readFile(t, filepath.Join(dir, "peace")) {
				t.Error("not what a run in peace has written")
			}
			if left := beside(t, dir); len(left) > 0 {
				t.Errorf("left beside it: %q", left)
			}
		})
	}
}

// A temporary file that is damaged or belongs to other texts is not taken for an earlier
// run.
func TestEmbedGoesOnFromNothingElse(t *testing.T) {
	texts := strings.Repeat("A moth.\n", 5000)
	dir := tree(t, map[string]string{"texts.txt": texts, "less.txt": texts[:len(texts)/2+1]})
	args := []string{"embed", "--embedder", "meaning", "--format", "npy", "-o", "out", "texts.txt"}
	broken(t, dir, args, os.Kill, 4096*4*384-100_000)
	left := beside(t, dir)
	if len(left) != 1 {
		t.Fatalf("%q", left)
	}
	for _, damage := range []string{"", "\x93NUMPY", "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (7, 2), }", strings.Repeat("x", 1<<20)} {
		if err := os.WriteFile(left[0], []byte(damage), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := runIn(t, dir, nil, args...); r.status != 0 || r.err != "" {
			t.Fatalf("%q: %+v", damage[:min(6, len(damage))], r)
		}
		if info, err := os.Stat(filepath.Join(dir, "out")); err != nil || info.Size() != 128+5000*4*384 {
			t.Fatal(info, err)
		}
	}
	if left := beside(t, dir); len(left) > 0 {
		t.Errorf("left beside it: %q", left)
	}
}

var goneOn = regexp.MustCompile(`resuming an earlier run that made (\d+) vectors of texts.txt`)

// broken runs the program until it has written least bytes, then ends it. It returns
// stderr.
func broken(t *testing.T, dir string, args []string, signal os.Signal, least int64) string {
	t.Helper()
	before := len(beside(t, dir))
	_, said := endedOnTheWay(t, dir, args, signal, func() bool {
		names := beside(t, dir)
		return len(names) > before && slices.ContainsFunc(names, func(name string) bool {
			info, err := os.Stat(name)
			return err == nil && info.Size() > least
		})
	})
	return said
}

// holdAfter answers n requests like by does, and holds the others until release is called.
func holdAfter(n int, by func(*upstreamtest.Request) upstreamtest.Script) (held func(*upstreamtest.Request) upstreamtest.Script, release func()) {
	hold, answered := make(chan struct{}), 0
	return func(r *upstreamtest.Request) upstreamtest.Script {
		s := by(r)
		if answered++; answered > n {
			s.Hold = hold
		}
		return s
	}, func() { close(hold) }
}

// atATime is how many requests the program has in flight to a chat model, which holds them.
// Once all have come, none arrives after the program has ended.
const atATime = 4

// replies returns the number of complete replies in the run files that match a pattern.
func replies(t *testing.T, pattern string) (n int) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for line := range strings.Lines(readFile(t, name)) {
			if strings.Contains(line, `"reply"`) && strings.HasSuffix(line, "\n") {
				n++
			}
		}
	}
	return n
}

// endedOnTheWay runs the program until a condition holds, and ends it with a signal. It
// returns its exit state and stderr.
func endedOnTheWay(t *testing.T, dir string, args []string, signal os.Signal, until func() bool) (*os.ProcessState, string) {
	t.Helper()
	cmd := exec.Command(seam, args...)
	var errs strings.Builder
	cmd.Dir, cmd.Stderr = dir, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	for !until() {
		select {
		case <-ended:
			t.Fatalf("it ended before it was to: %s", errs.String())
		case <-time.After(time.Millisecond):
		}
	}
	cmd.Process.Signal(signal)
	<-ended
	return cmd.ProcessState, errs.String()
}

// beside returns the temporary files of a folder.
func beside(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".seam-*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}
