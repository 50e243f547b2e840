package breakpoint_test

import (
	"fmt"

	"seam/shared/breakpoint"
)

// similarities belong to five sentences with four gaps. The third gap is the widest.
var similarities = []float64{0.9, 0.8, 0.1, 0.7}

func ExampleMethod_Find() {
	m, err := breakpoint.Lookup("percentile")
	if err != nil {
		panic(err)
	}
	r, err := m.Find(similarities, 75)
	if err != nil {
		panic(err)
	}
	fmt.Printf("distances %.1f, threshold %.2f, a break after sentence %d\n", r.Curve, r.Threshold, r.Boundaries)
	// Output: distances [0.1 0.2 0.9 0.3], threshold 0.45, a break after sentence [2]
}

// A line dragged to 0.25 corresponds to the percentile that cuts there.
func ExampleMethod_At() {
	m, err := breakpoint.Lookup("percentile")
	if err != nil {
		panic(err)
	}
	r := m.At(similarities, 0.25)
	fmt.Printf("breaks after %d, as at percentile %.0f\n", r.Boundaries, r.Setting)
	// Output: breaks after [2 3], as at percentile 50
}

// n = 2 gives exactly three chunks.
func ExampleLargest() {
	fmt.Println(breakpoint.Largest(similarities, 2).Boundaries)
	// Output: [2 3]
}
