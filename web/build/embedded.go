package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"seam/web"
)

// writeEmbedded writes the page's files in from to the folder to, for embedding in the
// program seam. Each file has one form, compressed if that helps, because the program can
// inflate it. Files that the program holds already are left out.
func writeEmbedded(from, to string, m manifest) error {
	if err := (output{dir: to}).clear(); err != nil {
		return err
	}
	held := map[string]string{}
	for _, e := range m {
		if source, ok := heldBy(e); ok {
			held[e.File] = source
			continue
		}
		name := e.File
		switch {
		case e.Brotli > 0:
			name += brotlied.ext
		case e.Gzip > 0:
			name += gzipped.ext
		}
		b, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("read the page: %w", err)
		}
		if err := writeFile(filepath.Join(to, filepath.FromSlash(name)), b); err != nil {
			return err
		}
	}
	b, err := json.MarshalIndent(held, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(to, web.HeldFile), append(b, '\n'))
}

// heldBy returns the part of the program that holds the file already, in the terms of
// package proxy/webpage.
func heldBy(e manifestEntry) (source string, held bool) {
	switch e.Group {
	case model, meaning, ranks, tables:
		source, _, held = strings.Cut(e.File, "-")
	}
	return source, held
}
