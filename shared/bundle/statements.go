package bundle

import (
	"fmt"

	"seam/shared/text"
)

// Statement is one of statements.json: what a model, or somebody, has written of a part of a
// document, so that a search finds that part by it. It is not the document's.
type Statement struct {
	View text.ViewName `json:"view"`
	text.Span
	Text string `json:"text"`
	// Grounded says that the part has most of its words, and all of its numbers; another one
	// is not searched.
	Grounded bool   `json:"grounded"`
	Title    bool   `json:"title,omitempty"` // of the part as a whole
	Made     string `json:"made,omitempty"`  // by whom, where that is no person: model:NAME
}

// mostStatements are those of a document: all of them are looked at before it is searched.
const mostStatements = 200_000

// checkStatements refuses what says nothing, or is of no part of the text.
func (it *Item) checkStatements() error {
	if n := len(it.Statements); n > mostStatements {
		return fmt.Errorf("%d statements: %d are possible", n, mostStatements)
	}
	for i, s := range it.Statements {
		if s.Text == "" {
			return fmt.Errorf("statement %d is empty", i+1)
		}
		if s.View != text.Reading && s.View != text.Content {
			return fmt.Errorf("statement %d is about a text %q, which there is not", i+1, s.View)
		}
		if err := within(it.Document.View(s.View).Text, s.Span); err != nil {
			return fmt.Errorf("statement %d: %w", i+1, err)
		}
	}
	return nil
}

// statements reads what was written of a document.
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
