package shards

import (
	"encoding/json"
	"errors"
	"fmt"
)

// EntryName is the first file of a site's index. It is the only one without a hash in its
// name.
const EntryName = "seam.json"

const entryVersion = 1

// Entry is the content of that file.
type Entry struct {
	Version int        `json:"version"`
	Root    string     `json:"root"`    // address of the site, relative to this file's address
	Indexes []Language `json:"indexes"` // the language with most pages first
	// Unread are the paths of pages that could not be read when the index was made.
	Unread []string `json:"unread,omitempty"`
}

// Language describes the index of the pages in one language.
type Language struct {
	Language string `json:"language"` // "en"; "und" for pages without a language
	Meta     string `json:"meta"`     // its first file
	Pages    int    `json:"pages"`
	Chunks   int    `json:"chunks"`
	// Meaning is the first file of the vectors of its chunks. It is empty if there are
	// none.
	Meaning string `json:"meaning,omitempty"`
}

// NewEntry returns the entry for the indexes of the site at root.
func NewEntry(root string, indexes []Language) Entry {
	return Entry{Version: entryVersion, Root: root, Indexes: indexes}
}

// ReadEntry parses an entry.
func ReadEntry(b []byte) (*Entry, error) {
	var e Entry
	switch err := json.Unmarshal(b, &e); {
	case err != nil:
		return nil, fmt.Errorf("%s is damaged: %w", EntryName, err)
	case e.Version != entryVersion:
		return nil, fmt.Errorf("the index has version %d, but this program reads version %d", e.Version, entryVersion)
	case len(e.Indexes) == 0:
		return nil, errors.New("the index has no pages")
	}
	return &e, nil
}
