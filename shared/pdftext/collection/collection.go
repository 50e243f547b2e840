// Package collection knows Adobe's character collections: the CMaps named by the PDF
// standard (ISO 32000-1, table 118), which map codes to CIDs, and the characters that CIDs
// show. The tables are large and rarely needed, so each collection is a separate file that
// is read on first use.
//
// The files are made by gen/gen.py, which describes their format.
package collection

import (
	_ "embed"
	"fmt"
	"strings"

	"seam/shared/pdftext/cmap"
)

// names says in which collection a CMap is: a line for each, its ordering and
// the names.
//
//go:embed names.txt
var names string

// Collection is a character collection.
type Collection struct {
	cmaps map[string]*cmap.Map
	chars cmap.Ranges    // CID -> character
	texts map[int]string // CID -> several characters
}

// CMap returns the named CMap, or nil if the collection has none with that name.
func (c *Collection) CMap(name string) *cmap.Map { return c.cmaps[name] }

// Unicode returns the text that a CID shows, or "" if it has none.
func (c *Collection) Unicode(cid int) string {
	if s, ok := c.texts[cid]; ok {
		return s
	}
	if r, ok := c.chars.Find(uint32(cid)); ok {
		return string(rune(r))
	}
	return ""
}

// Files returns the names of all files, such as "japan1.cmaps".
func Files() (files []string) {
	for line := range strings.Lines(names) {
		ordering, _, _ := strings.Cut(line, " ")
		files = append(files, file(ordering))
	}
	return files
}

func file(ordering string) string { return strings.ToLower(ordering) + ".cmaps" }

// Set holds the collections that a document needs. It must not be used concurrently.
type Set struct {
	open    func(file string) ([]byte, error)
	read    map[string]*Collection // by ordering; nil if unavailable
	missing []error
}

// NewSet returns a Set that reads collections with open, or with Embedded if open is nil.
// open is called once per file.
func NewSet(open func(file string) ([]byte, error)) *Set {
	if open == nil {
		open = Embedded
	}
	return &Set{open: open, read: map[string]*Collection{}}
}

// Collection returns the collection with one of Adobe's orderings, such as "Japan1". It
// returns nil if there is none or its file is unavailable.
func (s *Set) Collection(ordering string) *Collection {
	if c, ok := s.read[ordering]; ok {
		return c
	}
	language, known := languages[ordering]
	if !known {
		return nil
	}
	b, err := s.open(file(ordering))
	var c *Collection
	if err == nil {
		c, err = Read(b)
	}
	if err != nil {
		s.missing = append(s.missing, fmt.Errorf("characters of %s fonts could not be read: %w", language, err))
	}
	s.read[ordering] = c
	return c
}

// languages maps orderings to their languages.
var languages = map[string]string{
	"CNS1": "traditional Chinese", "GB1": "simplified Chinese", "Japan1": "Japanese", "Japan2": "Japanese", "KR": "Korean", "Korea1": "Korean",
}

// CMap returns a predefined CMap, or nil if there is none with that name or its file is
// unavailable. Names like "Adobe-Japan1-UCS2", used by ToUnicode maps, stand for the
// mapping from CIDs to characters.
func (s *Set) CMap(name string) *cmap.Map {
	if ordering, ok := strings.CutSuffix(strings.TrimPrefix(name, "Adobe-"), "-UCS2"); ok && languages[ordering] != "" {
		if c := s.Collection(ordering); c != nil {
			return cmap.NewUnicode(c.chars)
		}
		return nil
	}
	for line := range strings.Lines(names) {
		ordering, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		for n := range strings.SplitSeq(list, " ") {
			if n != name {
				continue
			}
			if c := s.Collection(ordering); c != nil {
				return c.CMap(name)
			}
			return nil
		}
	}
	return nil
}

// Missing returns, for each collection that was needed but unavailable, the reason.
func (s *Set) Missing() []error { return s.missing }
