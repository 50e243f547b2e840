package breakpoint

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/vector"
)

// TestGolden compares with values from LangChain's and the notebook's own functions. The
// folder's README has the rules.
func TestGolden(t *testing.T) {
	dir := os.Getenv("SEAM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "golden")
	file, err := os.Open(filepath.Join(dir, "breakpoints.json.gz"))
	if err != nil {
		t.Skipf("no golden values: %v (set SEAM_DATA)", err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Cases []struct {
			Set, File string
			Distances []float64
			Runs      []struct {
				Method     string
				X          float64 `json:"threshold_arg"`
				Threshold  *float64
				Boundaries []int
				KnifeEdge  []int `json:"knife_edge"`
			}
		}
	}
	if err := json.NewDecoder(z).Decode(&golden); err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, c := range golden.Cases {
		b, err := os.ReadFile(filepath.Join(dir, c.File))
		if err != nil {
			t.Fatal(err)
		}
		m, err := vector.ReadNPY(b)
		if err != nil {
			t.Fatalf("%s: %v", c.File, err)
		}
		similarities := vector.Adjacent(m)
		for i, s := range similarities {
			if math.Abs(1-s-c.Distances[i]) > 2e-6 {
				t.Errorf("%s: distance %d is %v, want %v", c.Set, i, 1-s, c.Distances[i])
			}
		}
		for _, run := range c.Runs {
			runs++
			r := find(t, run.Method, similarities, run.X)
			scale := 1.0
			if strings.HasSuffix(run.Method, "stddev") || strings.HasSuffix(run.Method, "iqr") {
				scale += math.Abs(run.X)
			}
			if run.Threshold != nil && !(math.Abs(r.Threshold-*run.Threshold) <= 1e-5*scale) {
				t.Errorf("%s %s %v: threshold %v, want %v", c.Set, run.Method, run.X, r.Threshold, *run.Threshold)
			}
			for i := range similarities {
				if slices.Contains(r.Boundaries, i) != slices.Contains(run.Boundaries, i) && !slices.Contains(run.KnifeEdge, i) {
					t.Errorf("%s %s %v: boundaries %v, want %v", c.Set, run.Method, run.X, r.Boundaries, run.Boundaries)
					break
				}
			}
		}
	}
	if runs < 600 {
		t.Errorf("only %d runs", runs)
	}
}
