package sites

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"seam/proxy/command/terminal"
	"seam/shared/site"
	"seam/shared/site/shards"
)

// SiteIndex is the index of a site, in the parts of its languages.
type SiteIndex struct {
	dir   string
	parts []shards.Part

	Unread []string // paths of pages that could not be read
}

// OpenIndex opens the index in a folder. lang is the language of the reader, which comes
// first in results; if empty, it is the language with the most pages.
func OpenIndex(dir, lang string) (*SiteIndex, error) {
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
	if lang != "" {
		code := site.Primary(lang)
		mine := slices.IndexFunc(entry.Indexes, func(l shards.Language) bool { return l.Language == code })
		if mine < 0 {
			var all []string
			for _, l := range entry.Indexes {
				all = append(all, l.Language)
			}
			return nil, terminal.Usagef("--lang %s: the index has no pages in this language, only in: %s", lang, strings.Join(all, ", "))
		}
		own := entry.Indexes[mine]
		entry.Indexes = slices.Insert(slices.Delete(entry.Indexes, mine, mine+1), 0, own)
	}
	x := &SiteIndex{dir: dir, Unread: entry.Unread}
	for _, l := range entry.Indexes {
		x.parts = append(x.parts, shards.Part{Open: x.opener(l)})
	}
	_, _, err = x.parts[0].Open()
	return x, err
}

// opener returns the function that opens the part of a language once.
func (x *SiteIndex) opener(l shards.Language) func() (*shards.Index, func(string) ([]float32, error), error) {
	type opened struct {
		index  *shards.Index
		vector func(string) ([]float32, error)
	}
	once := sync.OnceValues(func() (opened, error) {
		index, err := shards.Open(x.read, l.Meta)
		if err != nil {
			return opened{}, fmt.Errorf("--index %s: %w", x.dir, err)
		}
		vector, err := openVectors(index, l)
		if err != nil {
			return opened{}, fmt.Errorf("--index %s: %w", x.dir, err)
		}
		return opened{index, vector}, nil
	})
	return func() (*shards.Index, func(string) ([]float32, error), error) {
		o, err := once()
		return o.index, o.vector, err
	}
}

// read returns a file of the index.
func (x *SiteIndex) read(name string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("read %s: not in the index's folder", terminal.Shown(name))
	}
	b, err := os.ReadFile(filepath.Join(x.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, terminal.Reason(err))
	}
	return b, nil
}

// HasVectors reports whether the part of the reader's language can be searched by meaning.
func (x *SiteIndex) HasVectors() bool {
	_, vector, err := x.parts[0].Open()
	return err == nil && vector != nil
}

// Search searches the index as its widget does while a query is typed. With onlyWords, it
// does not search by meaning.
func (x *SiteIndex) Search(q shards.Query, onlyWords bool) (*shards.FoundAll, error) {
	q.Typing = true
	found, err := shards.SearchAll(x.parts, q, onlyWords)
	if err != nil {
		return nil, fmt.Errorf("--index %s: %w", x.dir, err)
	}
	return found, nil
}

// Read returns the title and the text of a page.
func (x *SiteIndex) Read(url string) (title, text string, err error) {
	for _, p := range x.parts {
		index, _, err := p.Open()
		if err != nil {
			return "", "", err
		}
		if title, text, err = index.Read(url); !errors.Is(err, shards.ErrNoPage) {
			return title, text, err
		}
	}
	return "", "", fmt.Errorf("%.200q: %w", url, shards.ErrNoPage)
}
