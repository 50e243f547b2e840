//go:build js

// Package files keeps files in the browser's origin private file system, below a folder
// of the page's own.
package files

import (
	"context"
	"errors"
	"io/fs"
	"syscall/js"

	"seam/shared/engine"
	"seam/wasm/bridge/promise"
)

// Store is an engine.FileStore in a folder of the origin.
type Store struct{ Folder string }

var _ engine.FileStore = Store{}

var errNone = errors.New("this browser keeps no files for the page")

// part is how many bytes go to the disk at once.
const part = 4 << 20

// folder is a FileSystemDirectoryHandle.
func (s Store) folder(ctx context.Context) (js.Value, error) {
	storage := js.Global().Get("navigator").Get("storage")
	if !storage.Truthy() || !storage.Get("getDirectory").Truthy() {
		return js.Value{}, errNone
	}
	root, err := promise.Await(ctx, storage.Call("getDirectory"))
	if err != nil {
		return js.Value{}, err
	}
	return promise.Await(ctx, root.Call("getDirectoryHandle", s.Folder, map[string]any{"create": true}))
}

// Write is that of engine.FileStore.
func (s Store) Write(ctx context.Context, name string, b []byte) error {
	folder, err := s.folder(ctx)
	if err != nil {
		return err
	}
	file, err := promise.Await(ctx, folder.Call("getFileHandle", name, map[string]any{"create": true}))
	if err != nil {
		return err
	}
	if err := fill(ctx, file, b); err != nil {
		_, _ = promise.Await(context.WithoutCancel(ctx), folder.Call("removeEntry", name)) // half a file helps nobody
		return err
	}
	return nil
}

// fill writes all of a file, and has it flushed to the disk.
func fill(ctx context.Context, file js.Value, b []byte) error {
	if !file.Get("createSyncAccessHandle").Truthy() {
		return errNone
	}
	// Waited for to the end: a handle that nobody closes keeps the file locked.
	handle, err := promise.Await(context.WithoutCancel(ctx), file.Call("createSyncAccessHandle"))
	if err != nil {
		return err
	}
	defer handle.Call("close")
	return promise.Try(func() {
		handle.Call("truncate", 0)
		buffer := js.Global().Get("Uint8Array").New(min(part, len(b)))
		for at := 0; at < len(b); {
			n := js.CopyBytesToJS(buffer, b[at:min(len(b), at+part)])
			handle.Call("write", buffer.Call("subarray", 0, n), map[string]any{"at": at})
			at += n
		}
		handle.Call("flush")
		// Chromium writes what there is room for, and says that it has written all.
		if handle.Call("getSize").Int() != len(b) {
			panic(js.Error{Value: js.Global().Get("Error").New("there is no room left")})
		}
	})
}

// Read is that of engine.FileStore.
func (s Store) Read(ctx context.Context, name string) ([]byte, error) {
	folder, err := s.folder(ctx)
	if err != nil {
		return nil, err
	}
	handle, err := promise.Await(ctx, folder.Call("getFileHandle", name))
	if err != nil {
		return nil, named(err)
	}
	file, err := promise.Await(ctx, handle.Call("getFile"))
	if err != nil {
		return nil, named(err)
	}
	buffer, err := promise.Await(ctx, file.Call("arrayBuffer"))
	if err != nil {
		return nil, named(err)
	}
	return promise.Bytes(js.Global().Get("Uint8Array").New(buffer)), nil
}

// named knows the error of what is not there.
func named(err error) error {
	var thrown js.Error
	if errors.As(err, &thrown) && thrown.Get("name").String() == "NotFoundError" {
		return fs.ErrNotExist
	}
	return err
}

// Remove is that of engine.FileStore.
func (s Store) Remove(ctx context.Context, names []string) error {
	folder, err := s.folder(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, name := range names {
		if _, err := promise.Await(ctx, folder.Call("removeEntry", name)); err != nil && !errors.Is(named(err), fs.ErrNotExist) {
			failed = err
		}
	}
	return failed
}

// Names is that of engine.FileStore.
func (s Store) Names(ctx context.Context) ([]string, error) {
	folder, err := s.folder(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for keys := folder.Call("keys"); ; {
		next, err := promise.Await(ctx, keys.Call("next"))
		if err != nil || next.Get("done").Bool() {
			return names, err
		}
		names = append(names, next.Get("value").String())
	}
}
