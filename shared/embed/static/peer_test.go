//go:build !js

package static

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Compares random models and texts with Python, new ones in every run. SEAM_PYTHON names a
// Python with the packages in testdata/make/requirements.txt, SEAM_SEED a seed to repeat.
func TestEqualsPythonOnFreshTexts(t *testing.T) {
	python := os.Getenv("SEAM_PYTHON")
	if python == "" {
		t.Skip("no peer: set SEAM_PYTHON to a Python with model2vec")
	}
	seed := os.Getenv("SEAM_SEED")
	if seed == "" {
		seed = fmt.Sprint(1 + time.Now().UnixNano()%1_000_000)
	}
	dir := t.TempDir()
	out, err := exec.Command(python, filepath.Join("testdata", "make", "make.py"), dir, seed).CombinedOutput()
	if err != nil {
		t.Fatalf("make.py: %v\n%s", err, out)
	}
	t.Logf("SEAM_SEED=%s", seed)
	equalPython(t, dir)
}
