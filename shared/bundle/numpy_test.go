//go:build !js

package bundle

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"os"

	"seam/shared/pipeline"
)

// NumPy must open a bundle without help: arrays by name, records and texts as bytes.
func TestNumPyOpensIt(t *testing.T) {
	if err := exec.Command("python3", "-c", "import numpy").Run(); err != nil {
		t.Skip("python3 has no numpy")
	}
	all := items(t, pipeline.Settings{})
	name := filepath.Join(t.TempDir(), "x.seam")
	if err := os.WriteFile(name, write(t, false, all), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", "-c", `
import json, sys, numpy
with numpy.load(sys.argv[1]) as z:
    found = []
    for e in json.loads(z["seam.json"])["documents"]:
        f = e["folder"]
        if f + "/vectors" not in z:
            found.append({"name": e["name"]})
            continue
        v, s = z[f + "/vectors"], z[f + "/sentences"] if f + "/sentences" in z else numpy.zeros((0, 2), "i4")
        text = z[f + "/reading.txt" if f + "/reading.txt" in z else f + "/pages.txt"]
        found.append({"name": e["name"], "type": v.dtype.str + s.dtype.str, "shape": v.shape, "sum": float(v.astype("f8").sum()),
            "sentences": [text[a:b].decode() for a, b in s]})
        if f + "/boxes" in z:
            assert z[f + "/boxes"].shape == (len(z[f + "/words"]), 4)
    json.dump(found, sys.stdout)
`, name).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	var found []struct {
		Name, Type string
		Shape      []int
		Sum        float64
		Sentences  []string
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	for i, it := range all {
		sum := 0.0
		for _, x := range it.Vectors.Data {
			sum += float64(x)
		}
		f := found[i]
		if f.Name != it.Document.Name || f.Type != "<f4<i4" || f.Shape[0] != it.Vectors.Rows || f.Shape[1] != it.Vectors.Dim || f.Sum-sum > 1e-9 || sum-f.Sum > 1e-9 {
			t.Errorf("%+v", f)
		}
		for k, s := range it.Texts() {
			if f.Sentences[k] != s {
				t.Errorf("%q, want %q", f.Sentences[k], s)
			}
		}
	}
}
