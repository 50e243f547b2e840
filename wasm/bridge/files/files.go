//go:build js

// Package files stores files in the browser's origin private file system, below a folder
// for the page.
package files

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"sync"
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

// part is how many bytes are written at a time.
const part = 4 << 20

// folder returns a FileSystemDirectoryHandle.
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

// Write implements engine.FileStore.
func (s Store) Write(ctx context.Context, name string, b []byte) error {
	folder, file, err := s.make(ctx, name)
	if err != nil {
		return err
	}
	if err := fill(ctx, file, 0, b); err != nil {
		_, _ = promise.Await(context.WithoutCancel(ctx), folder.Call("removeEntry", name)) // an incomplete file is useless
		return err
	}
	return nil
}

// Append appends to a file, and creates it if necessary. If it returns no error, the bytes
// survive a power cut. If it returns an error, the file is unchanged.
func (s Store) Append(ctx context.Context, name string, b []byte) error {
	_, file, err := s.make(ctx, name)
	if err != nil {
		return err
	}
	return fill(ctx, file, end, b)
}

// make returns a FileSystemFileHandle and its folder. It creates the file if necessary.
func (s Store) make(ctx context.Context, name string) (folder, file js.Value, err error) {
	if folder, err = s.folder(ctx); err != nil {
		return folder, file, err
	}
	file, err = promise.Await(ctx, folder.Call("getFileHandle", name, map[string]any{"create": true}))
	return folder, file, err
}

// end means the end of a file.
const end = -1

// fill writes b to a file at the offset from, truncates the file after it, and flushes it
// to the disk. If it fails, the file is truncated at from.
func fill(ctx context.Context, file js.Value, from int, b []byte) error {
	if !file.Get("createSyncAccessHandle").Truthy() {
		return errNone
	}
	// Wait even if ctx ends, because a handle that is not closed keeps the file locked.
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
		// Chromium writes as much as fits, and reports that it has written everything.
		if handle.Call("getSize").Int() != from+len(b) {
			panic(js.Error{Value: js.Global().Get("Error").New("there is no room left")})
		}
	})
	if err != nil {
		_ = promise.Try(func() { handle.Call("truncate", from) })
	}
	return err
}

// Size returns the size of a file in bytes, or fs.ErrNotExist.
func (s Store) Size(ctx context.Context, name string) (int64, error) {
	file, err := s.file(ctx, name)
	if err != nil {
		return 0, err
	}
	return int64(file.Get("size").Float()), nil
}

// Read implements engine.FileStore.
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

// atOnce is the number of files read at the same time.
const atOnce = 16

// ReadParts implements engine.FileStore.
func (s Store) ReadParts(ctx context.Context, parts []engine.FilePart) ([][]byte, error) {
	folder, err := s.folder(ctx)
	if err != nil {
		return nil, err
	}
	out, next := make([][]byte, len(parts)), make(chan int)
	var readers sync.WaitGroup
	for range min(atOnce, len(parts)) {
		readers.Go(func() {
			for i := range next {
				p := parts[i]
				file, err := open(ctx, folder, p.Name)
				if err != nil {
					continue
				}
				if buffer, err := promise.Await(ctx, file.Call("slice", p.From, p.From+p.Size).Call("arrayBuffer")); err == nil {
					out[i] = promise.Bytes(js.Global().Get("Uint8Array").New(buffer))
				}
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	readers.Wait()
	return out, ctx.Err()
}

// file returns a File.
func (s Store) file(ctx context.Context, name string) (js.Value, error) {
	folder, err := s.folder(ctx)
	if err != nil {
		return js.Value{}, err
	}
	return open(ctx, folder, name)
}

// open returns a File in a folder.
func open(ctx context.Context, folder js.Value, name string) (js.Value, error) {
	handle, err := promise.Await(ctx, folder.Call("getFileHandle", name))
	if err != nil {
		return js.Value{}, named(err)
	}
	file, err := promise.Await(ctx, handle.Call("getFile"))
	return file, named(err)
}

// named maps NotFoundError to fs.ErrNotExist.
func named(err error) error {
	var thrown js.Error
	if errors.As(err, &thrown) && thrown.Get("name").String() == "NotFoundError" {
		return fs.ErrNotExist
	}
	return err
}

// Remove implements vectors.Files.
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

// Names implements vectors.Files.
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
