// Package ranks holds the vocabularies of OpenAI's encodings for the native program, so
// that it needs no network for them. They take 1.4 MB of it and are never part of the
// engine: the page fetches its own.
package ranks

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"

	"seam/shared/token/bpe"
)

// packed is empty except for .gitkeep until `make widget` or `make build` has run.
//
//go:embed all:packed
var packed embed.FS

// Packed returns the file of an encoding, token.CL100K or token.O200K, in the format of
// bpe.Append, compressed with gzip. It fails if the program was built without it.
func Packed(name string) ([]byte, error) {
	b, err := packed.ReadFile("packed/" + name + ".gz")
	if err != nil {
		return nil, fmt.Errorf("this program was built without the token ranks of %s: build it with make build", name)
	}
	return b, nil
}

// Open returns the encoding with that name: token.CL100K or token.O200K.
func Open(name string) (*bpe.Encoding, error) {
	b, err := Packed(name)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("the token ranks of %s: %w", name, err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("the token ranks of %s: %w", name, err)
	}
	return bpe.Read(name, all)
}
