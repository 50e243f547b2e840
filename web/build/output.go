package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// output writes the page's files to a folder.
type output struct {
	dir string
	// cache keeps compressed bytes by content and method, because brotli at its best level
	// takes half a minute for the programs, which seldom change.
	cache string
	dev   bool
}

// brotliLevel is the best level, affordable because of the cache.
const brotliLevel = brotli.BestCompression

// brotliWindow is the largest window of browsers: 16 MB, more than the size of a program.
const brotliWindow = 24

// write writes the files in all forms, and manifest.json, which lists them. last makes
// further files from the manifest.
func (o output) write(files []file, last func(manifest) ([]file, error)) (manifest, error) {
	if err := o.clear(); err != nil {
		return nil, err
	}
	m, err := o.writeFiles(files)
	if err != nil {
		return nil, err
	}
	rest, err := last(m)
	if err != nil {
		return nil, err
	}
	more, err := o.writeFiles(rest)
	if err != nil {
		return nil, err
	}
	m = append(m, more...)
	return m, m.write(filepath.Join(o.dir, "manifest.json"))
}

func (o output) writeFiles(files []file) (manifest, error) {
	forms, err := o.compressAll(files)
	if err != nil {
		return nil, err
	}
	var m manifest
	for _, f := range files {
		e := newEntry(f)
		for _, p := range forms {
			if p.file == f.name {
				e.set(p)
				if err := writeFile(filepath.Join(o.dir, f.name+p.ext), p.body); err != nil {
					return nil, err
				}
			}
		}
		m = append(m, e)
		// Uncompressed programs are not written: they are four times larger, and any server
		// or browser can inflate the .gz.
		if !o.dev && path.Ext(f.name) == ".wasm" {
			continue
		}
		if err := writeFile(filepath.Join(o.dir, f.name), f.body); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// writeFile writes a file, creating its folder.
func writeFile(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o644)
}

// clear empties the folder except for dot files, so that .gitkeep stays.
func (o output) clear() error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	old, err := os.ReadDir(o.dir)
	if err != nil {
		return err
	}
	for _, entry := range old {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if err := os.RemoveAll(filepath.Join(o.dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

func compressible(name string) bool {
	switch path.Ext(name) {
	case ".wasm", ".js", ".css", ".html", ".svg", ".txt", ".json", ".webmanifest":
		return true
	}
	return false
}

type method struct {
	ext, key string
	pack     func([]byte) ([]byte, error)
}

var gzipped = method{".gz", fmt.Sprintf("gzip%d", gzip.BestCompression), packGzip}

var brotlied = method{".br", fmt.Sprintf("brotli%d-%d", brotliLevel, brotliWindow), packBrotli}

var methods = []method{brotlied, gzipped}

// form is a compressed form of a file.
type form struct {
	file, ext string
	body      []byte
	err       error
}

// compressAll compresses in parallel all files that benefit.
func (o output) compressAll(files []file) ([]form, error) {
	var all []form
	var work sync.WaitGroup
	results := make(chan form)
	for _, f := range files {
		if o.dev || !compressible(f.name) {
			continue
		}
		for _, m := range methods {
			work.Go(func() {
				body, err := o.compress(f.body, m)
				results <- form{f.name, m.ext, body, err}
			})
		}
	}
	go func() {
		work.Wait()
		close(results)
	}()
	var failed error
	for p := range results {
		if p.err != nil {
			failed = fmt.Errorf("compress %s: %w", p.file, p.err)
		}
		all = append(all, p)
	}
	return all, failed
}

// gzip returns the .gz form, or nil in a quick build.
func (o output) gzip(body []byte) ([]byte, error) {
	if o.dev {
		return nil, nil
	}
	return o.compress(body, gzipped)
}

func (o output) compress(body []byte, m method) ([]byte, error) {
	sum := sha256.Sum256(body)
	kept := filepath.Join(o.cache, hex.EncodeToString(sum[:])+"."+m.key)
	if b, err := os.ReadFile(kept); err == nil {
		return b, nil
	}
	packed, err := m.pack(body)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.cache, 0o755); err != nil {
		return nil, err
	}
	// A temporary file is renamed, because a build may be interrupted. Its name is unique,
	// because two files of the page may have the same content.
	part, err := os.CreateTemp(o.cache, "*.part")
	if err != nil {
		return nil, err
	}
	_, err = part.Write(packed)
	if err = errors.Join(err, part.Close()); err != nil {
		return nil, err
	}
	return packed, os.Rename(part.Name(), kept)
}

func packBrotli(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotliLevel, LGWin: brotliWindow})
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func packGzip(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
