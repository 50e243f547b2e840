package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"seam/shared/sentence"
	"seam/shared/text"
)

// Reference is a text with known segments.
type Reference struct {
	ID, Set    string
	File       string      // path of its text, relative to the folder of the references
	Sentences  []text.Span // bytes of the text; the units of all figures
	Boundaries []int       // a segment ends after sentence i; the end of the text is not listed
}

// wrongReferences describes the form of a file of references, for errors.
const wrongReferences = `this is not {"docs":[{"id","set","file","sentences":[[start,end],…],"boundaries":[i,…]}]}`

// ReadReferences reads refs.json. It returns an error that names the document unless its
// sentences ascend without overlap and its boundaries lie between sentences.
func ReadReferences(b []byte) ([]Reference, error) {
	var file struct {
		Docs []struct {
			ID, Set, File string
			Sentences     [][2]int
			Boundaries    []int
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", wrongReferences, err)
	}
	if len(file.Docs) == 0 {
		return nil, errors.New(wrongReferences + ": it lists no documents")
	}
	refs := make([]Reference, len(file.Docs))
	seen := map[string]bool{}
	for i, d := range file.Docs {
		refs[i] = Reference{ID: d.ID, Set: d.Set, File: d.File, Boundaries: distinct(d.Boundaries)}
		for _, s := range d.Sentences {
			refs[i].Sentences = append(refs[i].Sentences, text.Span{Start: s[0], End: s[1]})
		}
		err := refs[i].check()
		if err == nil && seen[d.ID] {
			err = errors.New("it is listed twice")
		}
		if err != nil {
			return nil, fmt.Errorf("document %d, %q: %w", i+1, d.ID, err)
		}
		seen[d.ID] = true
	}
	return refs, nil
}

func (r Reference) check() error {
	if r.ID == "" || r.File == "" || len(r.Sentences) == 0 {
		return errors.New("id, file and sentences are needed")
	}
	before := 0
	for i, s := range r.Sentences {
		if s.Start < before || s.End < s.Start {
			return fmt.Errorf("sentence %d, bytes %d to %d, does not follow the one before", i, s.Start, s.End)
		}
		before = s.End
	}
	for _, b := range r.Boundaries {
		if b < 0 || b >= len(r.Sentences)-1 {
			return fmt.Errorf("boundary %d is not between two of %d sentences", b, len(r.Sentences))
		}
	}
	return nil
}

// Fits returns an error if sentences lie outside the text.
func (r Reference) Fits(t string) error {
	if end := r.Sentences[len(r.Sentences)-1].End; end > len(t) {
		return fmt.Errorf("the sentences end at byte %d, the text at %d", end, len(t))
	}
	return nil
}

// Separated makes a reference from a text with a line of ten or more "=" (Choi's
// convention) between segments. It returns the text without these lines and otherwise
// unchanged. The sentences are those of shared/sentence, none across a boundary. With lines
// they are the non-blank lines, as in Choi's files. Segments without a sentence are
// dropped.
func Separated(t string, lines bool) (plain string, ref Reference) {
	var all strings.Builder
	end := func(segment string) {
		spans := sentence.Split(segment)
		if lines {
			spans = lineSpans(segment)
		}
		if n := len(ref.Sentences); n > 0 && len(spans) > 0 {
			ref.Boundaries = append(ref.Boundaries, n-1)
		}
		for _, s := range spans {
			ref.Sentences = append(ref.Sentences, text.Span{Start: all.Len() + s.Start, End: all.Len() + s.End})
		}
		all.WriteString(segment)
	}
	from, at := 0, 0
	for line := range strings.Lines(t) {
		if separates(line) {
			end(t[from:at])
			from = at + len(line)
		}
		at += len(line)
	}
	end(t[from:])
	return all.String(), ref
}

// separates reports whether a line separates segments.
func separates(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 10 && strings.Trim(line, "=") == ""
}

// lineSpans returns the non-blank lines, without surrounding white space.
func lineSpans(t string) []text.Span {
	var out []text.Span
	at := 0
	for line := range strings.Lines(t) {
		if s := strings.TrimSpace(line); s != "" {
			start := at + strings.Index(line, s)
			out = append(out, text.Span{Start: start, End: start + len(s)})
		}
		at += len(line)
	}
	return out
}
