package pipeline

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"seam/shared/text"
)

// Results must be the same for any number of processors working on one document.
func TestProcessorsChangeNothing(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "Sentence %d is of %s and of %s. ", i, []string{"mills", "looms", "the planets", "glass"}[i/40%4], []string{"wind", "oak", "wool"}[i%3])
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := chunked(t, NewSession(text.NewPlain(b.String())), Settings{})
	if len(want.Chunks) < 10 {
		t.Fatalf("%d chunks", len(want.Chunks))
	}
	for _, processors := range []int{2, 5} {
		runtime.GOMAXPROCS(processors)
		got := chunked(t, NewSession(text.NewPlain(b.String())), Settings{})
		if !reflect.DeepEqual(got.Similarities, want.Similarities) || !reflect.DeepEqual(got.Found, want.Found) || !reflect.DeepEqual(got.Chunks, want.Chunks) {
			t.Errorf("with %d processors it is another result", processors)
		}
	}
}
