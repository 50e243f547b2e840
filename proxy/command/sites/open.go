package sites

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"seam/proxy/command/terminal"
	"seam/shared/site/shards"
)

// OpenIndex opens the index in a folder, for the language with the most pages.
func OpenIndex(dir string) (*SiteIndex, error) {
	source := func(name string) ([]byte, error) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("read %s: not in the index's folder", terminal.Shown(name))
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, terminal.Reason(err))
		}
		return b, nil
	}
	b, err := os.ReadFile(filepath.Join(dir, shards.EntryName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--index %s: no %s in this folder; create an index with: seam index --site DIR --out %s", dir, shards.EntryName, dir)
	case err != nil:
		return nil, fmt.Errorf("--index %s: %w", dir, terminal.Reason(err))
	}
	entry, err := shards.ReadEntry(b)
	if err != nil {
		return nil, fmt.Errorf("--index %s: %w", dir, err)
	}
	x, err := shards.Open(source, entry.Indexes[0].Meta)
	if err != nil {
		return nil, fmt.Errorf("--index %s: %w", dir, err)
	}
	opened := &SiteIndex{Index: x}
	if err := opened.openVectors(entry.Indexes[0]); err != nil {
		return nil, fmt.Errorf("--index %s: %w", dir, err)
	}
	return opened, nil
}
