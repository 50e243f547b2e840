package bundle

import (
	"fmt"

	"seam/shared/text"
)

// Statement is an entry of statements.json: a text that a model or a person wrote about a
// part of a document, so that a search finds the part by it. It is not part of the
// document.
type Statement struct {
	View text.ViewName `json:"view"`
	text.Span
	Text string `json:"text"`
	// Grounded reports whether the part contains most of its words and all of its numbers.
	// Other statements are not searched.
	Grounded bool   `json:"grounded"`
	Title    bool   `json:"title,omitempty"` // a title of the part
	Made     string `json:"made,omitempty"`  // author, if not a person: model:NAME
}

// mostStatements is the maximum for one document, because all are examined before a search.
const mostStatements = 200_000

// checkStatements refuses empty statements and parts outside the text.
func (it *Item) checkStatements() error {
	if n := len(it.Statements); n > mostStatements {
		return fmt.Errorf("%d statements: the limit is %d", n, mostStatements)
	}
	for i, s := range it.Statements {
		if s.Text == "" {
			return fmt.Errorf("statement %d is empty", i+1)
		}
		if s.View != text.Reading && s.View != text.Content {
			return fmt.Errorf("statement %d is about an unknown text %q", i+1, s.View)
		}
		if err := within(it.Document.View(s.View).Text, s.Span); err != nil {
			return fmt.Errorf("statement %d: %w", i+1, err)
		}
	}
	return nil
}

// statements reads the statements about a document.
func (b *Bundle) statements(folder string, it *Item) error {
	if !b.has(folder + writtenName) {
		return nil
	}
	if err := b.record(folder+writtenName, &it.Statements); err != nil {
		return err
	}
	if err := it.checkStatements(); err != nil {
		return damagedf("%s%s: %v", folder, writtenName, err)
	}
	return nil
}
