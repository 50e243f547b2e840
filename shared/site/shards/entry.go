package shards

import (
	"encoding/json"
	"errors"
	"fmt"
)

// EntryName is the file of a site's index that is read first. It alone has no hash in its name.
const EntryName = "seam.json"

// Entry is what is in that file.
type Entry struct {
	Version int        `json:"version"`
	Root    string     `json:"root"`    // address of the site, relative to this file's
	Indexes []Language `json:"indexes"` // the one with most pages first
}

// Language is the index of the pages of one language.
type Language struct {
	Language string `json:"language"` // "en"; "und" of pages that do not say
	Meta     string `json:"meta"`     // its first file
	Pages    int    `json:"pages"`
	Chunks   int    `json:"chunks"`
	// Meaning is the first file of the vectors of its chunks; empty where there are none.
	Meaning string `json:"meaning,omitempty"`
}

// NewEntry returns the entry of indexes of the site at root.
func NewEntry(root string, indexes []Language) Entry {
	return Entry{Version: version, Root: root, Indexes: indexes}
}

// ReadEntry reads an entry.
func ReadEntry(b []byte) (*Entry, error) {
	var e Entry
	switch err := json.Unmarshal(b, &e); {
	case err != nil:
		return nil, fmt.Errorf("%s is damaged: %w", EntryName, err)
	case e.Version != version:
		return nil, fmt.Errorf("the index is of version %d, and this program reads %d", e.Version, version)
	case len(e.Indexes) == 0:
		return nil, errors.New("the index has no pages")
	}
	return &e, nil
}
