//go:build !js

package builtin

import (
	_ "embed"
	"sync"
)

//go:embed model.bin
var embedded []byte

// Default loads the model that the program contains. In a browser there is none: the page
// fetches model.bin and calls Load.
var Default = sync.OnceValues(func() (*Model, error) { return Load(embedded) })

// Packed returns the file of the model, which must not be changed.
func Packed() []byte { return embedded }
