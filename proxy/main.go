// Command seam splits documents by meaning, searches them, and serves a page
// that does the same in a browser.
package main

import (
	"os"

	"seam/proxy/command"
	"seam/proxy/command/terminal"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

func main() {
	os.Exit(command.Main(version, os.Args[1:], terminal.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
