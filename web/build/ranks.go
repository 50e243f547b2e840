package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"seam/shared/token"
	"seam/shared/token/bpe"
)

// rankFiles returns the packed ranks of OpenAI's encodings, and encodings, the list of them
// for the engine: see wasm/engine.
func rankFiles(o output) (files []file, encodings string, err error) {
	var names []string
	for _, name := range []string{token.CL100K, token.O200K} {
		body, err := packedRanks(name, o)
		if err != nil {
			return nil, "", err
		}
		f := hashed(name+".packed", ranks, body)
		files = append(files, f)
		names = append(names, name+":"+f.name+":"+integrityOf(body))
	}
	return files, strings.Join(names, ","), nil
}

// packedRanks returns one vocabulary in the format of package bpe, compressed with gzip.
func packedRanks(name string, o output) ([]byte, error) {
	b, err := assets.Assets.ReadFile(name + "_base.tiktoken")
	if err != nil {
		return nil, err
	}
	tokens, err := bpe.ParseTiktoken(string(b))
	if err != nil {
		return nil, err
	}
	body, err := bpe.Append(nil, tokens)
	if err != nil {
		return nil, err
	}
	return o.compress(body, gzipped)
}

// writeRanks writes the vocabularies to the folder that package ranks embeds.
func writeRanks(root string, o output) error {
	for _, name := range []string{token.CL100K, token.O200K} {
		body, err := packedRanks(name, o)
		if err != nil {
			return fmt.Errorf("the token ranks of %s: %w", name, err)
		}
		if err := writeFile(filepath.Join(root, "proxy", "ranks", "packed", name+".gz"), body); err != nil {
			return err
		}
	}
	return nil
}
