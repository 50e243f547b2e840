// Package meaning is Seam's own sentence encoder: two layers that read every word of a text
// in the context of the others, so that texts which mean the same are near each other
// without a shared word. It knows English. train/README.md tells how it was made.
package meaning

import (
	"fmt"

	"seam/shared/embed/encoder"
)

// Name is what the option --embedder calls the model.
const Name = "meaning"

// Load opens what Packed returns, or another packed encoder in its place. The model may keep b.
func Load(b []byte) (*encoder.Model, error) {
	m, err := encoder.OpenPacked(b, Name)
	if err != nil {
		return nil, fmt.Errorf("the model %s: %w", Name, err)
	}
	return m, nil
}
