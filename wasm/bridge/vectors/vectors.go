//go:build js

package vectors

import (
	"context"
	"encoding/hex"
	"errors"
	"sync"
	"syscall/js"
	"unsafe"

	"seam/shared/embed"
	"seam/shared/engine"
	"seam/wasm/bridge/promise"
)

const (
	version = 1
	table   = "vectors" // hex key -> {at: ms, v: Uint8Array of float32}
	byAge   = "at"
)

// atOnce is how many vectors one transaction reads.
const atOnce = 2000

// Store is an engine.VectorStore.
type Store struct {
	Database string
	Copies   *Copies // nil for vectors that cost little

	mu sync.Mutex
	db js.Value // undefined before it is opened
}

var _ engine.VectorStore = (*Store)(nil)

var errNone = errors.New("this browser keeps nothing here")

// open opens the database once. If a page of a later version has made it close, open opens
// it again.
func (s *Store) open(ctx context.Context) (js.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db.Truthy() {
		return s.db, nil
	}
	factory := js.Global().Get("indexedDB")
	if !factory.Truthy() {
		return js.Value{}, errNone
	}
	var request js.Value
	if err := promise.Try(func() { request = factory.Call("open", s.Database, version) }); err != nil {
		return js.Value{}, err
	}
	upgrade := js.FuncOf(func(js.Value, []js.Value) any {
		made := request.Get("result").Call("createObjectStore", table)
		made.Call("createIndex", byAge, byAge)
		return nil
	})
	defer upgrade.Release()
	request.Set("onupgradeneeded", upgrade)
	if err := settled(ctx, request, "success", "error", "blocked"); err != nil {
		return js.Value{}, err
	}
	db := request.Get("result")
	if s.Copies != nil {
		_ = s.recover(context.WithoutCancel(ctx), db) // vectors that are not restored are paid for again
	}
	s.db = db
	s.db.Set("onversionchange", js.FuncOf(func(db js.Value, _ []js.Value) any {
		db.Call("close")
		s.db = js.Value{}
		return nil
	}))
	return s.db, nil
}

// settled waits for one of the events. It returns nil for good and an error for any in bad.
func settled(ctx context.Context, target js.Value, good string, bad ...string) error {
	done := make(chan error, 1+len(bad))
	var listeners []js.Func
	listen := func(event string, f func() error) {
		l := js.FuncOf(func(js.Value, []js.Value) any { done <- f(); return nil })
		listeners = append(listeners, l)
		target.Set("on"+event, l)
	}
	listen(good, func() error { return nil })
	for _, event := range bad {
		listen(event, func() error {
			if e := target.Get("error"); e.Truthy() {
				return js.Error{Value: e}
			}
			return errNone
		})
	}
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	for _, event := range append(bad, good) {
		target.Set("on"+event, js.Null())
	}
	for _, l := range listeners {
		l.Release()
	}
	return err
}

// recover restores an empty database from the copies, because the browser has lost the
// data.
func (s *Store) recover(ctx context.Context, db js.Value) error {
	n, err := count(ctx, db)
	if err != nil || n > 0 {
		return err
	}
	return s.Copies.Read(ctx, func(keys []embed.Key, all [][]float32) error { return put(ctx, db, keys, all) })
}

// do runs f within a transaction and waits for its end.
func (s *Store) do(ctx context.Context, mode string, f func(vectors js.Value)) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	return transact(ctx, db, mode, f)
}

func transact(ctx context.Context, db js.Value, mode string, f func(vectors js.Value)) error {
	var tx js.Value
	err := promise.Try(func() {
		tx = db.Call("transaction", table, mode, map[string]any{"durability": "relaxed"})
		f(tx.Call("objectStore", table))
	})
	if err != nil {
		return err
	}
	return settled(ctx, tx, "complete", "error", "abort")
}

// Get returns a vector per key, nil for missing ones.
func (s *Store) Get(ctx context.Context, keys []embed.Key) ([][]float32, error) {
	out := make([][]float32, len(keys))
	for from := 0; from < len(keys); from += atOnce {
		part := keys[from:min(len(keys), from+atOnce)]
		requests := make([]js.Value, len(part))
		err := s.do(ctx, "readonly", func(vectors js.Value) {
			for i, k := range part {
				requests[i] = vectors.Call("get", hex.EncodeToString(k[:]))
			}
		})
		if err != nil {
			return out, err
		}
		for i, r := range requests {
			if found := r.Get("result"); found.Truthy() {
				out[from+i] = numbers(found.Get("v"))
			}
		}
	}
	return out, nil
}

// numbers copies a Uint8Array of float32. It returns nil for anything else.
func numbers(view js.Value) []float32 {
	if !view.InstanceOf(js.Global().Get("Uint8Array")) {
		return nil
	}
	n := view.Get("byteLength").Int()
	if n == 0 || n%4 != 0 {
		return nil
	}
	v := make([]float32, n/4)
	js.CopyBytesToGo(bytesOf(v), view)
	return v
}

// bytesOf returns the memory of v, which is little-endian in WebAssembly.
func bytesOf(v []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}

// Put stores a vector per key.
func (s *Store) Put(ctx context.Context, keys []embed.Key, all [][]float32) error {
	if len(keys) == 0 {
		return nil
	}
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	if err := put(ctx, db, keys, all); err != nil {
		return err
	}
	if s.Copies != nil {
		_ = s.Copies.Add(ctx, keys, all) // the database has them already
	}
	return s.trim(ctx, 4*len(all[0]))
}

func put(ctx context.Context, db js.Value, keys []embed.Key, all [][]float32) error {
	array, now := js.Global().Get("Uint8Array"), js.Global().Get("Date").Call("now")
	return transact(ctx, db, "readwrite", func(vectors js.Value) {
		for i, k := range keys {
			view := array.New(4 * len(all[i]))
			js.CopyBytesToJS(view, bytesOf(all[i]))
			vectors.Call("put", map[string]any{"at": now, "v": view}, hex.EncodeToString(k[:]))
		}
	})
}

// trim removes the oldest tenth if there are too many vectors of that size in bytes.
func (s *Store) trim(ctx context.Context, each int) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	n, err := count(ctx, db)
	if err != nil || n*each <= limit {
		return err
	}
	var oldest js.Value
	err = s.do(ctx, "readonly", func(vectors js.Value) {
		oldest = vectors.Call("index", byAge).Call("getAllKeys", js.Null(), n/10+1)
	})
	if err != nil {
		return err
	}
	return s.do(ctx, "readwrite", func(vectors js.Value) {
		keys := oldest.Get("result")
		for i := range keys.Length() {
			vectors.Call("delete", keys.Index(i))
		}
	})
}

func count(ctx context.Context, db js.Value) (int, error) {
	var request js.Value
	if err := transact(ctx, db, "readonly", func(vectors js.Value) { request = vectors.Call("count") }); err != nil {
		return 0, err
	}
	return request.Get("result").Int(), nil
}

// Size returns the number of vectors, and their size in bytes if all are as long as the
// first.
func (s *Store) Size(ctx context.Context) (vectors int, bytes int64, err error) {
	var count, first js.Value
	err = s.do(ctx, "readonly", func(vectors js.Value) {
		count, first = vectors.Call("count"), vectors.Call("getAll", js.Null(), 1)
	})
	if err != nil {
		return 0, 0, err
	}
	if vectors = count.Get("result").Int(); vectors > 0 {
		bytes = int64(vectors) * int64(first.Get("result").Index(0).Get("v").Get("byteLength").Int())
	}
	return vectors, bytes, nil
}

// Clear deletes all vectors, the copies first, because copies would restore the others.
func (s *Store) Clear(ctx context.Context) error {
	var err error
	if s.Copies != nil {
		err = s.Copies.Clear(ctx)
	}
	return errors.Join(err, s.do(ctx, "readwrite", func(vectors js.Value) { vectors.Call("clear") }))
}
