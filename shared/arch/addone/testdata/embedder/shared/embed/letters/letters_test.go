package letters

import (
	"errors"
	"testing"

	"seam/shared/vector"
)

func TestLetters(t *testing.T) {
	m, err := Embedder{}.Embed(t.Context(), []string{"Windmills turn.", "A windmill turned.", "Nobody ate cheese.", ""}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if near, far := vector.Dot(m.Row(0), m.Row(1)), vector.Dot(m.Row(0), m.Row(2)); near < .4 || far > .2 {
		t.Errorf("%g of like texts, %g of others", near, far)
	}
	if own := vector.Dot(m.Row(3), m.Row(3)); own != 0 {
		t.Errorf("nothing has a vector of length %g", own)
	}
	stop := errors.New("stop")
	if _, err := (Embedder{}).Embed(t.Context(), []string{"a"}, func(int, int) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}
