//go:build !js

package meaning

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"

	"seam/shared/embed/encoder"
)

//go:embed model.bin.gz
var compressed []byte

// Default loads the model that the program contains. In a browser there is none: the page
// fetches Compressed and calls Load.
var Default = sync.OnceValues(func() (*encoder.Model, error) { return Load(Packed()) })

// Compressed returns the model's file in gzip. It must not be changed.
func Compressed() []byte { return compressed }

// Packed returns the model's file as made by encoder.Pack. It must not be changed.
var Packed = sync.OnceValue(func() []byte {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err) // only if the program itself is damaged
	}
	b, err := io.ReadAll(z)
	if err != nil {
		panic(err) // only if the program itself is damaged
	}
	return b
})
