//go:build js

// Package decoder decodes texts with the tables of the browser.
package decoder

import "syscall/js"

// Tables is a charset.Tables with the browser's TextDecoder.
func Tables(label string, b []byte) (name, t string) {
	defer func() {
		if recover() != nil { // the label is unknown
			name, t = "", ""
		}
	}()
	decoder := js.Global().Get("TextDecoder").New(label, map[string]any{"ignoreBOM": true})
	view := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(view, b)
	return decoder.Get("encoding").String(), decoder.Call("decode", view).String()
}
