//go:build !js

package collection

import "embed"

//go:embed data
var data embed.FS

// Embedded returns a file contained in the program.
func Embedded(file string) ([]byte, error) { return data.ReadFile("data/" + file) }
