//go:build js

// Command engine is the program of the engine worker: everything except PDF.
package main

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/encoder"
	"seam/shared/embed/meaning"
	"seam/shared/embed/static"
	"seam/shared/engine"
	"seam/shared/engine/rpc"
	"seam/shared/protocol/client"
	"seam/wasm/bridge"
	"seam/wasm/bridge/files"
	"seam/wasm/bridge/network"
	"seam/wasm/bridge/vectors"
	"seam/wasm/kernel"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

// model is set by the build: the file of the built-in model and its integrity hash, as
// "file:integrity".
var model string

// meaningFile is set by the build: the file of the encoder, its integrity hash and its size
// in bytes, as "file:integrity:bytes".
var meaningFile string

// ranks is set by the build: the file and integrity hash of each token encoding, as
// "cl100k:file:integrity,…".
var ranks string

func main() {
	kernel.Start() // if the browser cannot run it, Go does the work
	bridge.Serve(func(now func() time.Duration) map[string]rpc.Handler {
		return engine.New(engine.Host{
			Version: version,
			Now:     now,
			Dial: func(url, token string) (*client.Client, error) {
				return network.Client(url, token, "seam-page "+version, bridge.Yield)
			},
			Builtin:      builtinModel,
			Meaning:      meaningModel,
			MeaningBytes: meaningBytes(),
			OpenModel:    openModel,
			Ranks:        fetchRanks,
			Vectors:      &vectors.Store{Database: "seam-vectors", Copies: vectors.NewCopies(files.Store{Folder: "seam-vectors"})},
			Read:         &vectors.Store{Database: "seam-read"},
			Files:        files.Store{Folder: "seam-documents"},
		}).Handlers()
	})
}

// builtinModel fetches the model. The browser verifies its bytes by their hash.
func builtinModel(context.Context) (embed.Embedder, error) {
	file, integrity, ok := strings.Cut(model, ":")
	if !ok {
		return nil, errors.New("this page has no model")
	}
	b, err := bridge.File(file, integrity)
	if err != nil {
		return nil, err
	}
	return builtin.LoadVerified(b)
}

// fetchRanks fetches the ranks of an encoding.
func fetchRanks(encoding string) ([]byte, error) {
	for each := range strings.SplitSeq(ranks, ",") {
		if part := strings.Split(each, ":"); len(part) == 3 && part[0] == encoding {
			return bridge.File(part[1], part[2])
		}
	}
	return nil, errors.New("this page has none")
}

// meaningModel fetches the encoder like builtinModel fetches the model.
func meaningModel(context.Context) (embed.Embedder, error) {
	part := strings.Split(meaningFile, ":")
	if len(part) != 3 {
		return nil, errors.New("this page has none")
	}
	b, err := bridge.File(part[0], part[1])
	if err != nil {
		return nil, err
	}
	m, err := meaning.Load(b)
	if err != nil {
		return nil, err
	}
	return m.Embedder(), nil
}

func meaningBytes() int {
	n, _ := strconv.Atoi(meaningFile[strings.LastIndexByte(meaningFile, ':')+1:])
	return n
}

// openModel opens a model of the user: a sentence encoder, packed or with a config.json
// that names its kind, or a Model2Vec model.
func openModel(name string, files map[string][]byte) (embed.Embedder, error) {
	read := func(file string) ([]byte, error) {
		if b, ok := files[file]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}
	var m *encoder.Model
	var err error
	switch b := files["model.bin"]; {
	case encoder.IsPacked(b):
		m, err = encoder.OpenPacked(b, name)
	case encoder.Describes(files["config.json"]):
		m, err = encoder.OpenFiles(read, name)
	default:
		return static.OpenFiles(read, name)
	}
	if err != nil {
		return nil, err
	}
	return m.Embedder(), nil
}
