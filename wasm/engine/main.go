//go:build js

// Command engine is the program of the engine worker: everything but PDF.
package main

import (
	"time"

	"seam/shared/engine"
	"seam/shared/engine/rpc"
	"seam/wasm/bridge"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

func main() {
	bridge.Serve(func(now func() time.Duration) map[string]rpc.Handler {
		return engine.New(version, now).Methods()
	})
}
