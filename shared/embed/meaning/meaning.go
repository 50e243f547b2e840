// Package meaning is Seam's own sentence encoder. Its two layers read every word of a text
// in the context of the others, so texts with the same meaning are near each other even
// without a shared word. It knows English. train/README.md describes how it was made.
package meaning

import (
	"fmt"

	"seam/shared/embed/encoder"
)

// Name is the model's name in the option --embedder.
const Name = "meaning"

// Load opens the bytes from Packed, or another packed encoder. The model may keep b.
func Load(b []byte) (*encoder.Model, error) {
	m, err := encoder.OpenPacked(b, Name)
	if err != nil {
		return nil, fmt.Errorf("the model %s: %w", Name, err)
	}
	return m, nil
}
