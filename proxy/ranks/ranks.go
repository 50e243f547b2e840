// Package ranks brings the vocabularies of OpenAI's encodings to the native
// program, which needs no network for them. They are 5 MB of it and never part of
// the engine: the page fetches its own, see web/build.
package ranks

import (
	"github.com/pkoukk/tiktoken-go-loader/assets"

	"seam/shared/token/bpe"
)

// Open returns the encoding of that name: token.CL100K or token.O200K.
func Open(name string) (*bpe.Encoding, error) {
	b, err := assets.Assets.ReadFile(name + "_base.tiktoken")
	if err != nil {
		return nil, err
	}
	tokens, err := bpe.ParseTiktoken(string(b))
	if err != nil {
		return nil, err
	}
	packed, err := bpe.Append(nil, tokens)
	if err != nil {
		return nil, err
	}
	return bpe.Read(name, packed)
}
