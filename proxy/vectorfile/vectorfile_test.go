package vectorfile

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"seam/shared/embed"
)

var background = context.Background()

func key(i int) embed.Key { return sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(i))) }

func numbers(i, dim int) []float32 {
	v := make([]float32, dim)
	for k := range v {
		v[k] = float32(i) + float32(k)/7
	}
	return v
}

func keep(t *testing.T, f *File, from, to, dim int) {
	t.Helper()
	var keys []embed.Key
	var vectors [][]float32
	for i := from; i < to; i++ {
		keys, vectors = append(keys, key(i)), append(vectors, numbers(i, dim))
	}
	if err := f.Put(background, keys, vectors); err != nil {
		t.Fatal(err)
	}
}

func have(t *testing.T, f *File, n, dim int) (kept []int) {
	t.Helper()
	keys := make([]embed.Key, n)
	for i := range keys {
		keys[i] = key(i)
	}
	got, err := f.Get(background, keys)
	if err != nil || len(got) != n {
		t.Fatalf("%d rows: %v", len(got), err)
	}
	for i, v := range got {
		if v == nil {
			continue
		}
		if !slices.Equal(v, numbers(i, dim)) {
			t.Errorf("vector %d is another", i)
		}
		kept = append(kept, i)
	}
	return kept
}

func TestKeeps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	f := In(dir, DefaultLimit)
	if kept := have(t, f, 3, 5); kept != nil {
		t.Errorf("%v in no file", kept)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("reading has made a folder")
	}
	keep(t, f, 0, 100, 5)
	keep(t, f, 50, 120, 5)
	if kept := have(t, In(dir, DefaultLimit), 130, 5); len(kept) != 120 {
		t.Errorf("%d vectors", len(kept))
	}
	if info, err := os.Stat(filepath.Join(dir, youngName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v %v", info.Mode(), err)
	}
}

// The oldest vectors are removed when the file is full, and used ones stay.
func TestLimit(t *testing.T) {
	const each = headerSize + 4*5
	f := In(t.TempDir(), 20*int64(each))
	for i := range 45 {
		keep(t, f, i, i+1, 5)
		have(t, f, 2, 5) // the first two are used all the time
	}
	kept := have(t, f, 45, 5)
	if len(kept) > 22 || !slices.Contains(kept, 0) || !slices.Contains(kept, 1) || !slices.Contains(kept, 44) || slices.Contains(kept, 5) {
		t.Errorf("kept %v", kept)
	}
}

func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	f := In(dir, DefaultLimit)
	keep(t, f, 0, 500, 8)
	intact, err := os.ReadFile(filepath.Join(dir, youngName))
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]embed.Key, 500)
	for i := range keys {
		keys[i] = key(i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		b := slices.Clone(intact)
		for range 40 {
			b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
		}
		b = b[:len(b)-random.IntN(2)*random.IntN(len(b))]
		if err := os.WriteFile(filepath.Join(dir, youngName), b, 0o600); err != nil {
			t.Fatal(err)
		}
		f := f
		if random.IntN(2) == 0 {
			f = In(dir, DefaultLimit)
		}
		got, err := f.Get(background, keys)
		if err != nil {
			t.Error(err)
		}
		whole := 0
		for i, v := range got {
			if v == nil {
				continue
			}
			if whole++; !slices.Equal(v, numbers(i, 8)) {
				t.Errorf("vector %d is another", i)
			}
		}
		if damaged := 500*len(b)/len(intact) - whole; damaged > 80 {
			t.Errorf("40 damaged bytes cost %d vectors", damaged)
		}
	}
}

// Several programs write at once, and one of them is killed. Everything written before is
// complete.
func TestSeveralPrograms(t *testing.T) {
	if dir := os.Getenv("SEAM_TEST_KEEP"); dir != "" {
		from, _ := strconv.Atoi(os.Getenv("SEAM_TEST_FROM"))
		for i := from; i < from+40; i += 4 {
			keep(t, In(dir, DefaultLimit), i, i+4, 6)
			fmt.Println("kept", i)
		}
		return
	}
	dir := t.TempDir()
	var all sync.WaitGroup
	for p := range 3 {
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestSeveralPrograms$", "-test.v")
			cmd.Env = append(os.Environ(), "SEAM_TEST_KEEP="+dir, fmt.Sprint("SEAM_TEST_FROM=", 40*p))
			out, err := cmd.StdoutPipe()
			if err != nil || cmd.Start() != nil {
				t.Errorf("it did not start: %v", err)
				return
			}
			if p == 2 { // killed after its first write
				buffer := make([]byte, 4096)
				for seen := ""; !strings.Contains(seen, "kept "); {
					n, err := out.Read(buffer)
					if err != nil {
						break
					}
					seen += string(buffer[:n])
				}
				cmd.Process.Kill()
			}
			for buffer := make([]byte, 4096); ; {
				if _, err := out.Read(buffer); err != nil {
					break
				}
			}
			if err := cmd.Wait(); p != 2 && err != nil {
				t.Errorf("program %d: %v", p, err)
			}
		})
	}
	all.Wait()
	kept := have(t, In(dir, DefaultLimit), 120, 6)
	if len(kept) < 84 || !slices.Contains(kept, 79) || !slices.Contains(kept, 80) {
		t.Errorf("%d kept", len(kept))
	}
	keep(t, In(dir, DefaultLimit), 500, 501, 6)
}

// If another program clears and refills the files while they are open, known places hold
// other vectors: the new file may get the old one's inode number.
func TestClearedAndFilledByAnother(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	keep := func(f *File, keys ...byte) {
		t.Helper()
		for _, n := range keys {
			if err := f.Put(t.Context(), []embed.Key{{n}}, [][]float32{{float32(n), 1}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := In(dir, DefaultLimit)
	keep(f, 1)
	if v, err := f.Get(t.Context(), []embed.Key{{1}}); err != nil || v[0] == nil {
		t.Fatal(v, err)
	}
	keep(In(elsewhere, DefaultLimit), 2, 3)
	b, err := os.ReadFile(filepath.Join(elsewhere, youngName))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, youngName), b, 0o600) // the same file, with other bytes
	}
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.Get(t.Context(), []embed.Key{{1}}); err != nil || v[0] != nil {
		t.Errorf("the vector of another key: %v, %v", v, err)
	}
	if v, err := f.Get(t.Context(), []embed.Key{{2}, {3}}); err != nil || len(v[0]) == 0 || v[0][0] != 2 || len(v[1]) == 0 || v[1][0] != 3 {
		t.Errorf("what is there now: %v, %v", v, err)
	}
}
