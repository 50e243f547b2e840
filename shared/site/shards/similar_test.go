package shards

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seam/shared/vector"
)

// random is the index of so many chunks with vectors by chance, none of which is in the
// middle; entry and vectors name its first files.
func random(t *testing.T, rows, dim int) (m vector.Matrix, entry, vectors string, files Files) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	m = vector.New(rows, dim)
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64()) + .3*float32(i%dim%7)
	}
	vector.Normalize(m)
	page := Page{URL: "a.html", Title: "A", Weight: 1}
	for range rows {
		page.Chunks = append(page.Chunks, Chunk{Text: "word"})
	}
	entry, files, err := Build("", "en", []Page{page})
	if err != nil {
		t.Fatal(err)
	}
	vectors, more := BuildMeaning("", Meaning{Model: "m", Vectors: m})
	maps.Copy(files, more)
	return m, entry, vectors, files
}

// opened opens an index with its vectors.
func opened(files Files, entry, vectors string) (*Index, error) {
	x, err := Open(func(name string) ([]byte, error) { return files[name], nil }, entry)
	if err != nil {
		return nil, err
	}
	return x, x.OpenMeaning(vectors)
}

// The signs tell similarities without a bias, and near to what they are.
func TestSigns(t *testing.T) {
	const rows = 400
	m, entry, first, files := random(t, rows, 384)
	x, err := opened(files, entry, first)
	if err != nil {
		t.Fatal(err)
	}
	sum, squares := 0., 0.
	for i := range 20 {
		query := m.Row(i)
		exact := vector.Scores(m, query, nil)
		n, err := x.near(query, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k, g := range n.similarity {
			if k != i {
				d := g - float64(exact[k])
				sum += d
				squares += d * d
			}
		}
		if err := n.weigh(i); err != nil {
			t.Fatal(err)
		}
		if d := math.Abs(n.similarity[i] - float64(exact[i])); d > .005 {
			t.Errorf("chunk %d by its bytes: %v for %v", i, n.similarity[i], exact[i])
		}
	}
	n := float64(20 * (rows - 1))
	if mean, deviation := sum/n, math.Sqrt(squares/n); math.Abs(mean) > .002 || deviation > .05 {
		t.Errorf("similarities by signs are off by %.4f ± %.4f", mean, deviation)
	}
}

// Files of vectors that are damaged are errors that say so, never a panic.
func TestDamagedMeaning(t *testing.T) {
	m, entry, first, files := random(t, 9, 64)
	use := func(files Files) error {
		x, err := opened(files, entry, first)
		if err != nil {
			return err
		}
		n, err := x.near(m.Row(0), 0)
		for i := 0; err == nil && i < m.Rows; i++ {
			err = n.weigh(i)
		}
		return err
	}
	if err := use(files); err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, "v.") && !strings.HasPrefix(name, "n") {
			continue
		}
		whole := files[name]
		for _, b := range [][]byte{nil, whole[:len(whole)/2], append(bytes.Repeat([]byte{0x55}, 40), whole...)} {
			broken := maps.Clone(files)
			broken[name] = b
			if err := use(broken); err == nil {
				t.Errorf("%s, damaged: no error", name)
			}
			damaged++
		}
	}
	if damaged != 3*4 {
		t.Errorf("%d files were damaged, not v and those of 9 vectors", damaged)
	}
}
