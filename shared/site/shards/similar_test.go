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

// random returns an index of chunks with random vectors that are not centred on zero. Each
// chunk has two vectors, except the last. entry and vectors name its first files.
func random(t *testing.T, rows, dim int) (m vector.Matrix, entry, vectors string, files Files) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	m = vector.New(rows, dim)
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64()) + .3*float32(i%dim%7)
	}
	vector.Normalize(m)
	page := Page{URL: "a.html", Title: "A", Weight: 1}
	var parts []int
	for at := 0; at < rows; at += 2 {
		page.Chunks = append(page.Chunks, Chunk{Text: "word"})
		parts = append(parts, min(2, rows-at))
	}
	entry, files, err := Build("", "en", []Page{page})
	if err != nil {
		t.Fatal(err)
	}
	vectors, more := BuildMeaning("", Meaning{Model: "m", Vectors: m, Parts: parts})
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

// similar returns the similarities of random's chunks to a query.
func similar(m vector.Matrix, query []float32) (out []float64) {
	exact := vector.Scores(m, query, nil)
	for at := 0; at < m.Rows; at += 2 {
		var t inParts
		for _, s := range exact[at:min(at+2, m.Rows)] {
			t.add(float64(s))
		}
		out = append(out, t.similarity())
	}
	return out
}

// The similarity of a chunk depends on its parts, mostly on the best one.
func TestInParts(t *testing.T) {
	var one, two inParts
	one.add(-.5)
	two.add(-.5)
	two.add(.5)
	if one.similarity() != -.5 || two.similarity() != ofBest*.5 {
		t.Errorf("parts of −.5: %v, of −.5 and .5: %v", one.similarity(), two.similarity())
	}
}

// Estimates from codes must be close and, if the axes span everything, unbiased. Those from
// bytes must be closer.
func TestCodes(t *testing.T) {
	const rows = 399
	m, entry, first, files := random(t, rows, mostAxes)
	x, err := opened(files, entry, first)
	if err != nil {
		t.Fatal(err)
	}
	sum, squares, count := 0., 0., 0.
	for i := range 20 {
		query := m.Row(i)
		exact := similar(m, query)
		n, err := x.near(query, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k, g := range n.similarity {
			if k != i/2 {
				d := g - exact[k]
				sum, squares, count = sum+d, squares+d*d, count+1
			}
		}
		for _, c := range []int{i / 2, rows / 2} {
			if err := n.weigh(c); err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(n.similarity[c] - exact[c]); d > .005 {
				t.Errorf("chunk %d by its bytes: %v for %v", c, n.similarity[c], exact[c])
			}
		}
	}
	if mean, deviation := sum/count, math.Sqrt(squares/count); math.Abs(mean) > .008 || deviation > .03 {
		t.Errorf("similarities by codes are off by %.4f ± %.4f", mean, deviation)
	}
}

// An index of another version must be refused with advice on how to fix it.
func TestOldMeaning(t *testing.T) {
	_, entry, first, files := random(t, 9, 64)
	b := &builder{files: files}
	old := b.put("old", []byte{1})
	if _, err := opened(files, entry, old); err == nil || !strings.Contains(err.Error(), "have version 1, but this program reads version 3: rebuild the index") {
		t.Errorf("vectors of version 1: %v", err)
	}
	if _, err := opened(files, entry, first); err != nil {
		t.Error(err)
	}
}

// Damaged vector files must give errors that say so, never a panic.
func TestDamagedMeaning(t *testing.T) {
	m, entry, first, files := random(t, 9, 64)
	use := func(files Files) error {
		x, err := opened(files, entry, first)
		if err != nil {
			return err
		}
		n, err := x.near(m.Row(0), 0)
		for i := 0; err == nil && i < x.chunks(); i++ {
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
	if damaged != 3*2 {
		t.Errorf("%d files were damaged, not v and the one of the chunks", damaged)
	}
}
