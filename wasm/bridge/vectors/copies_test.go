package vectors

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"seam/shared/embed"
)

// folder is a folder on this machine.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), name) }

func (f folder) Append(_ context.Context, name string, b []byte) error {
	file, err := os.OpenFile(f.path(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	return errors.Join(err, file.Close())
}

func (f folder) Size(_ context.Context, name string) (int64, error) {
	info, err := os.Stat(f.path(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f folder) Read(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(f.path(name))
}

func (f folder) Remove(_ context.Context, names []string) (err error) {
	for _, name := range names {
		err = errors.Join(err, os.Remove(f.path(name)))
	}
	return err
}

func (f folder) Names(context.Context) (names []string, err error) {
	all, err := os.ReadDir(string(f))
	for _, entry := range all {
		names = append(names, entry.Name())
	}
	return names, err
}

const numbersEach = 10

// one returns a vector and its key.
func one(i byte) (embed.Key, []float32) {
	v := make([]float32, numbersEach)
	for k := range v {
		v[k] = float32(i) / float32(k+1)
	}
	return embed.Key{i}, v
}

func add(t *testing.T, c *Copies, i byte) {
	t.Helper()
	key, v := one(i)
	if err := c.Add(t.Context(), []embed.Key{key}, [][]float32{v}); err != nil {
		t.Fatal(err)
	}
}

// readable returns the first bytes of the keys of all readable vectors, and compares each
// vector with the one added.
func readable(t *testing.T, c *Copies) (found []byte) {
	t.Helper()
	err := c.Read(t.Context(), func(keys []embed.Key, vectors [][]float32) error {
		for i, key := range keys {
			if wantKey, want := one(key[0]); key != wantKey || !slices.Equal(vectors[i], want) {
				t.Errorf("%v: %v", key, vectors[i])
			}
			found = append(found, key[0])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

func TestCopiesOfEarlierVisits(t *testing.T) {
	in := folder(t.TempDir())
	for visit := range byte(3) {
		c := NewCopies(in)
		add(t, c, 2*visit)
		add(t, c, 2*visit+1)
	}
	if names, _ := in.Names(t.Context()); len(names) != 3 {
		t.Errorf("%q: not a file a visit", names)
	}
	c := NewCopies(in)
	if got := readable(t, c); !slices.Equal(got, []byte{0, 1, 2, 3, 4, 5}) {
		t.Errorf("%v", got)
	}
	if err := c.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names, _ := in.Names(t.Context()); len(names) > 0 {
		t.Errorf("%q are left", names)
	}
	add(t, c, 7)
	if got := readable(t, c); !slices.Equal(got, []byte{7}) {
		t.Errorf("%v", got)
	}
}

// Damage of a file by a kill, a full disk or a power cut loses only the entries after it.
func TestDamagedCopies(t *testing.T) {
	const entry = len(embed.Key{}) + 4 + 4*numbersEach + 4
	for name, damage := range map[string]struct {
		do   func(b []byte) []byte
		want []byte
	}{
		"half an entry":    {func(b []byte) []byte { return b[:2*entry-5] }, []byte{0, 9}},
		"half a head":      {func(b []byte) []byte { return b[:entry+20] }, []byte{0, 9}},
		"zeros at the end": {func(b []byte) []byte { clear(b[2*entry:]); return b }, []byte{0, 1, 9}},
		"another number":   {func(b []byte) []byte { b[entry+len(embed.Key{})+6]++; return b }, []byte{0, 9}},
		"a length of 4 GB": {func(b []byte) []byte { copy(b[len(embed.Key{}):], "\xff\xff\xff\xff"); return b }, []byte{9}},
		"nothing":          {func([]byte) []byte { return nil }, []byte{9}},
		"no file of vectors": {func([]byte) []byte {
			return []byte("half of another file, which is longer than an entry of vectors: ....................................................")
		}, []byte{9}},
	} {
		t.Run(name, func(t *testing.T) {
			in := folder(t.TempDir())
			c := NewCopies(in)
			for i := range byte(3) {
				add(t, c, i)
			}
			b, err := in.Read(t.Context(), c.name)
			if err != nil || len(b) != 3*entry {
				t.Fatal(len(b), err)
			}
			if err := os.WriteFile(in.path(c.name), damage.do(b), 0o600); err != nil {
				t.Fatal(err)
			}
			c = NewCopies(in)
			add(t, c, 9)
			if got := readable(t, c); !slices.Equal(got, damage.want) {
				t.Errorf("%v, want %v", got, damage.want)
			}
		})
	}
}

func TestOldCopiesGo(t *testing.T) {
	in := folder(t.TempDir())
	c := NewCopies(in)
	c.limit, c.part = 2000, 500
	for i := range byte(100) {
		add(t, c, i)
		names, err := in.Names(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var total int64
		for _, name := range names {
			size, _ := in.Size(t.Context(), name)
			total += size
		}
		if total > 2000+100 { // and an entry
			t.Fatalf("%d bytes after %d vectors", total, i+1)
		}
	}
	got := readable(t, c)
	if last := got[len(got)-1]; last != 99 || len(got) < 15 || int(got[0]) != 100-len(got) {
		t.Errorf("%v, not the last ones", got)
	}
}

// full is a folder on a full disk: files can be created but not written.
type full struct {
	folder
	room *bool
}

func (f full) Append(ctx context.Context, name string, b []byte) error {
	if *f.room {
		return f.folder.Append(ctx, name, b)
	}
	return errors.Join(errors.New("no room"), f.folder.Append(ctx, name, nil))
}

func TestAFullDiskLeavesNoFiles(t *testing.T) {
	room := false
	in := full{folder(t.TempDir()), &room}
	c := NewCopies(in)
	for i := range byte(20) {
		key, v := one(i)
		if err := c.Add(t.Context(), []embed.Key{key}, [][]float32{v}); err == nil {
			t.Fatal("it is full")
		}
	}
	room = true
	add(t, c, 20)
	if names, err := in.Names(t.Context()); err != nil || len(names) != 1 {
		t.Errorf("%d files, %v", len(names), err)
	}
	if got := readable(t, c); !slices.Equal(got, []byte{20}) {
		t.Errorf("%v", got)
	}
}
