//go:build js

// Command engine is the program of the engine worker: everything but PDF.
package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"
	"unsafe"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/static"
	"seam/shared/engine"
	"seam/shared/engine/rpc"
	"seam/shared/protocol/client"
	"seam/wasm/bridge"
	"seam/wasm/bridge/network"
	"seam/wasm/bridge/vectors"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

// model is set by the build: the file of the built-in model and its integrity, as
// "file:integrity".
var model string

// ranks is set by the build: for each encoding of tokens its file and the integrity
// of this, as "cl100k:file:integrity,…".
var ranks string

// session is the engine that the page talks to; set once, before any message.
var session *engine.Engine

// rows is what the last call of recut returned. It stays where it is, and
// reachable, until the next one: JavaScript reads it out of the memory.
//
//lint:ignore U1000 recut and rowsAt use it
var rows []int32

func main() {
	bridge.Serve(func(now func() time.Duration) map[string]rpc.Handler {
		session = engine.New(version, now)
		session.SetDialer(func(url, token string) (*client.Client, error) {
			return network.Client(url, token, "seam-page "+version, bridge.Yield)
		})
		session.SetBuiltin(builtinModel)
		session.SetOpener(openModel)
		session.SetRanks(fetchRanks)
		session.SetKeeper(&vectors.Store{})
		return session.Methods()
	})
}

// builtinModel fetches the model, whose bytes the browser has compared with their hash.
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

// openModel opens a model of the user's own.
func openModel(name string, files map[string][]byte) (embed.Embedder, error) {
	return static.OpenFiles(func(file string) ([]byte, error) {
		if b, ok := files[file]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}, name)
}

// recut moves the line of a document (see engine.Recut) and returns how many
// numbers stand at rowsAt; 0 if it cannot be moved. It is called by the worker's
// script for each step of a moving line: 10 ns instead of the 10 µs of a callback,
// and no JSON.
//
//lint:ignore U1000 JavaScript calls it
//go:wasmexport recut
func recut(doc int32, cut float64) int32 {
	if session == nil {
		return 0
	}
	rows = session.Recut(int(doc), cut)
	return int32(len(rows))
}

// recutAt is recut for a slider: it takes the setting of the method.
//
//lint:ignore U1000 JavaScript calls it
//go:wasmexport recutAt
func recutAt(doc int32, threshold float64) int32 {
	if session == nil {
		return 0
	}
	rows = session.RecutAt(int(doc), threshold)
	return int32(len(rows))
}

// lineAt and settingAt tell where that has put the line (see engine.Line).
//
//lint:ignore U1000 JavaScript calls it
//go:wasmexport lineAt
func lineAt(doc int32) float64 {
	cut, _ := session.Line(int(doc))
	return cut
}

//
//lint:ignore U1000 JavaScript calls it
//go:wasmexport settingAt
func settingAt(doc int32) float64 {
	_, setting := session.Line(int(doc))
	return setting
}

//
//lint:ignore U1000 JavaScript calls it
//go:wasmexport rowsAt
func rowsAt() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(rows)) }
