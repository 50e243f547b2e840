//go:build js

// Package bridge moves messages between a page and the Go program of a worker. Only this
// package and those below it import syscall/js. It knows nothing about the contents of
// messages.
package bridge

import (
	"sync"
	"syscall/js"
	"time"

	"seam/shared/engine/rpc"
	"seam/wasm/bridge/promise"
)

// Serve answers the page's messages with methods, for as long as the worker lives. It
// passes the worker's clock to newMethods.
func Serve(newMethods func(now func() time.Duration) map[string]rpc.Handler) {
	self := js.Global()
	host := rpc.Host{Post: poster(self), Yield: Yield, Now: newClock(self)}
	server := rpc.NewServer(host, newMethods(host.Now))
	self.Call("addEventListener", "message", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := args[0].Get("data")
		server.Receive([]byte(data.Get("json").String()), bytesOf(data.Get("blobs")))
		return nil
	}))
	server.Ready()
	select {}
}

// bytesOf copies an array of ArrayBuffers into Go's memory.
func bytesOf(blobs js.Value) [][]byte {
	if blobs.IsUndefined() {
		return nil
	}
	out := make([][]byte, blobs.Length())
	for i := range out {
		out[i] = promise.Bytes(js.Global().Get("Uint8Array").New(blobs.Index(i)))
	}
	return out
}

// poster returns a function that sends {json, blobs} to the page, and transfers the blobs
// instead of copying them.
func poster(self js.Value) func([]byte, [][]byte) {
	object, array, uint8Array := self.Get("Object"), self.Get("Array"), self.Get("Uint8Array")
	return func(message []byte, blobs [][]byte) {
		m, transfer := object.New(), array.New()
		m.Set("json", string(message))
		for _, b := range blobs {
			view := uint8Array.New(len(b))
			js.CopyBytesToJS(view, b)
			transfer.Call("push", view.Get("buffer"))
		}
		m.Set("blobs", transfer)
		self.Call("postMessage", m, transfer)
	}
}

// Yield returns after the event loop has had a turn. Neither runtime.Gosched nor a blocked
// goroutine ensures that while other goroutines compute. A timer takes 4 ms, but a round
// trip through a MessageChannel only a few hundredths.
func Yield() {
	port, back := yielder()
	port.Call("postMessage", js.Null())
	<-back
}

// yielder makes the channel for Yield on first use. If several goroutines wait, each
// message wakes one of them.
var yielder = sync.OnceValues(func() (port js.Value, back chan struct{}) {
	channel := js.Global().Get("MessageChannel").New()
	back = make(chan struct{}, 8)
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		back <- struct{}{}
		return nil
	}))
	return channel.Get("port2"), back
})

func newClock(self js.Value) func() time.Duration {
	performance := self.Get("performance")
	return func() time.Duration {
		return time.Duration(performance.Call("now").Float() * float64(time.Millisecond))
	}
}
