//go:build js

// Package promise waits for asynchronous results of JavaScript.
package promise

import (
	"context"
	"syscall/js"
)

// Try turns a JavaScript exception into an error.
func Try(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			thrown, ok := r.(js.Error)
			if !ok {
				panic(r)
			}
			err = thrown
		}
	}()
	f()
	return nil
}

// Await waits for a promise.
func Await(ctx context.Context, promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	var good, bad js.Func
	release := func() { good.Release(); bad.Release() }
	good = js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: args[0]}
		release()
		return nil
	})
	bad = js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: js.Error{Value: args[0]}}
		release()
		return nil
	})
	promise.Call("then", good, bad)
	select {
	case o := <-settled:
		return o.value, o.err
	case <-ctx.Done():
		return js.Value{}, ctx.Err()
	}
}

// Bytes copies a Uint8Array into Go's memory.
func Bytes(view js.Value) []byte {
	b := make([]byte, view.Get("byteLength").Int())
	js.CopyBytesToGo(b, view)
	return b
}
