//go:build !js

package meaning

import (
	_ "embed"
	"sync"

	"seam/shared/embed/encoder"
)

//go:embed model.bin
var embedded []byte

// Default is the model that the program brings along. In a browser there is none: the page
// fetches model.bin and calls Load.
var Default = sync.OnceValues(func() (*encoder.Model, error) { return Load(embedded) })

// Packed is the file of the model, which is not to be changed.
func Packed() []byte { return embedded }
