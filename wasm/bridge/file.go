//go:build js

package bridge

import (
	"context"
	"fmt"
	"strings"
	"syscall/js"

	"seam/wasm/bridge/promise"
)

// Packed is the extension of files compressed with gzip. It is not ".gz", which some hosts
// would serve as an encoding of another file.
const Packed = ".packed"

// File fetches a file of the page with the given integrity hash. The browser returns only
// matching bytes, and the service worker caches them. A file named Packed is inflated; its
// integrity hash is of the compressed bytes.
func File(name, integrity string) ([]byte, error) {
	// The page puts the location of its files into the worker's name: web/worker/worker.ts.
	self, root := js.Global(), "."
	if words := strings.Fields(self.Get("name").String()); len(words) > 1 {
		root = words[1]
	}
	url, ctx := self.Get("URL"), context.Background()
	address := url.New(name, url.New(root, self.Get("location").Get("href")))
	response, err := promise.Await(ctx, self.Call("fetch", address, map[string]any{"integrity": integrity}))
	if err != nil || !response.Get("ok").Bool() {
		return nil, fmt.Errorf("%s could not be fetched", name)
	}
	if strings.HasSuffix(name, Packed) {
		inflate := self.Get("DecompressionStream").New("gzip")
		response = self.Get("Response").New(response.Get("body").Call("pipeThrough", inflate))
	}
	body, err := promise.Await(ctx, response.Call("arrayBuffer"))
	if err != nil {
		return nil, fmt.Errorf("%s broke off", name)
	}
	return promise.Bytes(self.Get("Uint8Array").New(body)), nil
}
