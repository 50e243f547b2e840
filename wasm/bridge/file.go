//go:build js

package bridge

import (
	"context"
	"fmt"
	"strings"
	"syscall/js"

	"seam/wasm/bridge/promise"
)

// Packed ends the names of files that are gzip inside. It is not ".gz", which some
// hosts would serve as the coding of another file.
const Packed = ".packed"

// File fetches a file of the page's own, which must have the given integrity: the
// browser hands out no other bytes, and the service worker keeps these. What is
// named Packed comes inflated; the integrity is of the packed bytes.
func File(name, integrity string) ([]byte, error) {
	// The page says in the worker's name where its files are: web/worker/worker.ts.
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
