package pipeline

import (
	"seam/shared/language"
	"seam/shared/text"
)

// Unknown is what an embedder does not know of a document.
type Unknown struct {
	Language string  `json:"language"` // of most of it: its English name
	Share    float64 `json:"share"`    // of the document's letters
}

// unknown tells what an embedder of one language does not know of a text; nil where
// that is little.
func unknown(v *text.View, knows string) *Unknown {
	code, share, much := language.Unknown(v.Text, knows)
	if !much {
		return nil
	}
	return &Unknown{language.Name(code), share}
}
