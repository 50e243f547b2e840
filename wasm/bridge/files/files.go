//go:build js

// Package files keeps files in the browser's origin private file system, below a folder
// of the page's own.
package files

import (
	"cmp"
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

// errNone is an errors.ErrUnsupported.
var errNone error = none{}

type none struct{}

func (none) Error() string { return "this browser keeps no files for the page" }
func (none) Unwrap() error { return errors.ErrUnsupported }

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
		return js.Value{}, cmp.Or(ctx.Err(), errNone) // in a private window
	}
	return promise.Await(ctx, root.Call("getDirectoryHandle", s.Folder, map[string]any{"create": true}))
}

// Write is that of engine.FileStore.
func (s Store) Write(ctx context.Context, name string, b []byte) error {
	folder, file, err := s.make(ctx, name)
	if err != nil {
		return err
	}
	if err := fill(ctx, file, 0, b); err != nil {
		_, _ = promise.Await(context.WithoutCancel(ctx), folder.Call("removeEntry", name)) // half a file helps nobody
		return err
	}
	return nil
}

// Append adds to the end of a file, which is made where there is none. When it returns
// without an error the bytes outlast a power cut; with one the file is as it was.
func (s Store) Append(ctx context.Context, name string, b []byte) error {
	_, file, err := s.make(ctx, name)
	if err != nil {
		return err
	}
	return fill(ctx, file, end, b)
}

// make is a FileSystemFileHandle, and the folder that it is in: of a new file where there is
// none.
func (s Store) make(ctx context.Context, name string) (folder, file js.Value, err error) {
	if folder, err = s.folder(ctx); err != nil {
		return folder, file, err
	}
	file, err = promise.Await(ctx, folder.Call("getFileHandle", name, map[string]any{"create": true}))
	return folder, file, err
}

// end is where a file ends.
const end = -1

// fill writes the bytes of a file from a place on, after which it ends, and has them flushed
// to the disk. With an error it ends at that place.
func fill(ctx context.Context, file js.Value, from int, b []byte) error {
	if !file.Get("createSyncAccessHandle").Truthy() {
		return errNone
	}
	// Waited for to the end: a handle that nobody closes keeps the file locked.
	handle, err := promise.Await(context.WithoutCancel(ctx), file.Call("createSyncAccessHandle"))
	if err != nil {
		return err
	}
	defer handle.Call("close")
	if from == end {
		from = handle.Call("getSize").Int()
	}
	err = promise.Try(func() {
		handle.Call("truncate", from)
		buffer := js.Global().Get("Uint8Array").New(min(part, len(b)))
		for at := 0; at < len(b); {
			n := js.CopyBytesToJS(buffer, b[at:min(len(b), at+part)])
			handle.Call("write", buffer.Call("subarray", 0, n), map[string]any{"at": from + at})
			at += n
		}
		handle.Call("flush")
		// Chromium writes what there is room for, and says that it has written all.
		if handle.Call("getSize").Int() != from+len(b) {
			panic(js.Error{Value: js.Global().Get("Error").New("there is no room left")})
		}
	})
	if err != nil {
		_ = promise.Try(func() { handle.Call("truncate", from) })
	}
	return err
}

// Size is how many bytes a file has: fs.ErrNotExist where there is none.
func (s Store) Size(ctx context.Context, name string) (int64, error) {
	file, err := s.file(ctx, name)
	if err != nil {
		return 0, err
	}
	return int64(file.Get("size").Float()), nil
}

// Read is that of engine.FileStore.
func (s Store) Read(ctx context.Context, name string) ([]byte, error) {
	file, err := s.file(ctx, name)
	if err != nil {
		return nil, err
	}
	buffer, err := promise.Await(ctx, file.Call("arrayBuffer"))
	if err != nil {
		return nil, named(err)
	}
	return promise.Bytes(js.Global().Get("Uint8Array").New(buffer)), nil
}

// file is a File.
func (s Store) file(ctx context.Context, name string) (js.Value, error) {
	folder, err := s.folder(ctx)
	if err != nil {
		return js.Value{}, err
	}
	handle, err := promise.Await(ctx, folder.Call("getFileHandle", name))
	if err != nil {
		return js.Value{}, named(err)
	}
	file, err := promise.Await(ctx, handle.Call("getFile"))
	return file, named(err)
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
