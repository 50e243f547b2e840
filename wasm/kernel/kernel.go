// Package kernel holds the WebAssembly functions that shared/vector and shared/embed/static
// import when they are built for the browser with the tag kernel: see README.md.
package kernel

import _ "embed"

// Program is the compiled kernel.wat. The module imports the memory go.mem, keeps nothing
// of its own in it, and exports one function for each of imports.js.
//
//go:embed kernel.wasm
var Program []byte
