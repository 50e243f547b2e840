//go:build js

// Command pdf is the program of the PDF worker. It is apart from the engine so
// that the memory that a document takes, and a crash that it causes, end with
// the worker.
package main

import (
	"seam/shared/engine/pdfworker"
	"seam/wasm/bridge"
)

func main() { bridge.Serve(pdfworker.Methods) }
