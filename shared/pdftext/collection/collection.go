// Package collection knows Adobe's character collections: the CMaps that the
// PDF standard names (ISO 32000-1, table 118), from codes to CIDs, and which
// characters the CIDs show. The tables are large, and most files need none: each
// collection is a file of its own that is read when it is first asked for.
//
// The files are made by gen/gen.py, which describes their form.
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

// Collection is one character collection.
type Collection struct {
	cmaps map[string]*cmap.Map
	chars cmap.Ranges    // CID -> character
	texts map[int]string // CID -> several characters
}

// CMap returns a predefined CMap, nil if the collection has none of that name.
func (c *Collection) CMap(name string) *cmap.Map { return c.cmaps[name] }

// Unicode returns the text that a CID shows, "" if it has none.
func (c *Collection) Unicode(cid int) string {
	if s, ok := c.texts[cid]; ok {
		return s
	}
	if r, ok := c.chars.Find(uint32(cid)); ok {
		return string(rune(r))
	}
	return ""
}

// Files are the names of all files, such as "japan1.cmaps".
func Files() (files []string) {
	for line := range strings.Lines(names) {
		ordering, _, _ := strings.Cut(line, " ")
		files = append(files, file(ordering))
	}
	return files
}

func file(ordering string) string { return strings.ToLower(ordering) + ".cmaps" }

// Set is the collections that a document needs. It must not be used by two
// goroutines at once.
type Set struct {
	open    func(file string) ([]byte, error)
	read    map[string]*Collection // by ordering; nil for what cannot be had
	missing []error
}

// NewSet returns the collections whose files open hands out; nil for Embedded.
// It is asked once for each.
func NewSet(open func(file string) ([]byte, error)) *Set {
	if open == nil {
		open = Embedded
	}
	return &Set{open: open, read: map[string]*Collection{}}
}

// Collection returns the one with an ordering of Adobe's, such as "Japan1"; nil
// if there is none, or its file cannot be had.
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

// languages is for what the characters of an ordering are.
var languages = map[string]string{
	"CNS1": "traditional Chinese", "GB1": "simplified Chinese", "Japan1": "Japanese", "Japan2": "Japanese", "KR": "Korean", "Korea1": "Korean",
}

// CMap returns a predefined CMap, nil if there is none of that name, or its file
// cannot be had. "Adobe-Japan1-UCS2" and its like, which ToUnicode maps use, are
// from CIDs to characters.
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

// Missing says of each collection that was needed and could not be had why not.
func (s *Set) Missing() []error { return s.missing }
