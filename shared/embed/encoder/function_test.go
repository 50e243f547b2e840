package encoder

import (
	"math"
	"testing"
)

// exp, erf and GELU must be close to their float64 versions over their whole domain.
func TestFunctions(t *testing.T) {
	for x := float32(0); x > leastExp; x -= 0.00317 {
		if want := math.Exp(float64(x)); math.Abs(float64(exp(x))-want) > 2.5e-7*want {
			t.Fatalf("exp(%v) is %v, not %v", x, exp(x), want)
		}
	}
	if exp(-88) != 0 || exp(float32(math.Inf(-1))) != 0 || exp(0) != 1 {
		t.Error("the ends of exp")
	}
	worst := 0.0
	for x := float32(-8); x < 8; x += 0.00173 {
		if d := math.Abs(float64(erf(x)) - math.Erf(float64(x))); d > 1e-6 {
			t.Fatalf("erf(%v) is %.2g off", x, d)
		}
		row := []float32{x, 0, 0, 0, 0, 0, 0, 0}
		gelu(row)
		worst = max(worst, math.Abs(float64(row[0])-float64(x)*(1+math.Erf(float64(x)/math.Sqrt2))/2))
	}
	t.Logf("GELU is at most %.2g off", worst)
	if worst > 2e-6 {
		t.Errorf("GELU is %.2g off", worst)
	}
}
