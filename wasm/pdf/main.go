//go:build js

// Command pdf is the program of the PDF worker. It is separate from the engine, so that the
// memory a document takes, and a crash it causes, end with the worker.
package main

import (
	"fmt"
	"strings"
	"time"

	"seam/shared/engine/pdfworker"
	"seam/shared/engine/rpc"
	"seam/wasm/bridge"
	"seam/wasm/bridge/decoder"
)

// assets is set by the build: for each file of package collection its name, the name of the
// page's file and that file's integrity hash, as "name:file:integrity,…".
var assets string

func main() {
	bridge.Serve(func(now func() time.Duration) map[string]rpc.Handler {
		return pdfworker.Methods(now, asset, decoder.Tables)
	})
}

// asset fetches a file of package collection.
func asset(name string) ([]byte, error) {
	for each := range strings.SplitSeq(assets, ",") {
		if part := strings.Split(each, ":"); len(part) == 3 && part[0] == name {
			return bridge.File(part[1], part[2])
		}
	}
	return nil, fmt.Errorf("this page has no %s", name)
}
