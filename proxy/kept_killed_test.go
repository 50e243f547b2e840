package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Programs are killed on the way, at any moment: what is kept then is whole or not there,
// and the next one gives the same hits. `make test-long` (SEAM_LONG=1) kills 200.
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
	began := time.Now()
	want := with(t, dir, "off", args...)
	takes := time.Since(began)
	killed := 0
	for i := range kills {
		if random.IntN(2) == 0 { // else it goes on with what others have left
			os.RemoveAll(cache)
		}
		cmd := exec.Command(seam, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SEAM_CACHE="+cache)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(takes + takes/2))))
		cmd.Process.Kill()
		if cmd.Wait() != nil && cmd.ProcessState.ExitCode() < 0 {
			killed++
		}
		if got := with(t, dir, cache, args...); got != want {
			t.Fatalf("after kill %d: status %d, %q, %.3000s\nwant %q, %.3000s", i, got.status, got.err, got.out, want.err, want.out)
		}
		if again := with(t, dir, cache, args...); again != want {
			t.Fatalf("after kill %d, from what is kept: %q, %.3000s", i, again.err, again.out)
		}
	}
	t.Logf("%d of %d were killed before their end", killed, kills)
}
