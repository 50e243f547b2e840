package eval_test

import (
	"fmt"

	"seam/shared/eval"
)

// Among nine sentences the topic changes after the third and the sixth. The first change
// was found one sentence late.
func ExampleSegment() {
	s := eval.Segment(9, []int{2, 5}, []int{3, 5})
	fmt.Printf("Pk %.2f, WindowDiff %.2f, F1 %.2f, one sentence off allowed %.2f\n", s.Pk, s.WindowDiff, s.F1, s.F1Near)
	// Output: Pk 0.29, WindowDiff 0.29, F1 0.50, one sentence off allowed 1.00
}

// Ten characters answer the question. The chunk found has all of them and thirty others.
func ExampleRetrieve() {
	r := eval.Retrieve(0, []eval.Range{{Start: 20, End: 30}}, []eval.Passage{{Text: 0, Range: eval.Range{Start: 10, End: 50}}})
	fmt.Printf("recall %.2f, precision %.2f, IoU %.2f\n", r.Recall, r.Precision, r.IoU)
	// Output: recall 1.00, precision 0.25, IoU 0.25
}
