package bundle

import (
	"fmt"

	"seam/shared/text"
)

// Question is an entry of questions.json: a question about a document, with the parts of
// its text that answer it. seam eval retrieval reads this list.
type Question struct {
	Question string   `json:"question"`
	File     string   `json:"file,omitempty"` // name of the document
	Excerpts []string `json:"excerpts"`       // word for word
	// Places are the starts of the excerpts, one each, or empty. They are needed because an
	// excerpt may occur more than once in a text. In a later version of the text it may be
	// elsewhere or missing.
	Places []Place `json:"places,omitempty"`
	Made   string  `json:"made,omitempty"` // author, if not a person: model:NAME
}

// Place is a place of a view.
type Place struct {
	View  text.ViewName `json:"view"`
	Start int           `json:"start"`
}

// checkQuestions refuses empty questions and places outside the text.
func (it *Item) checkQuestions() error {
	for i, q := range it.Questions {
		if q.Question == "" || len(q.Excerpts) == 0 {
			return fmt.Errorf("question %d has no words or no excerpt", i+1)
		}
		if len(q.Places) > 0 && len(q.Places) != len(q.Excerpts) {
			return fmt.Errorf("question %d has %d places for %d excerpts", i+1, len(q.Places), len(q.Excerpts))
		}
		for _, p := range q.Places {
			if p.View != text.Reading && p.View != text.Content {
				return fmt.Errorf("question %d is about an unknown text %q", i+1, p.View)
			}
			if err := within(it.Document.View(p.View).Text, text.Span{Start: p.Start, End: p.Start}); err != nil {
				return fmt.Errorf("question %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// questions reads the questions about a document.
func (b *Bundle) questions(folder string, it *Item) error {
	if !b.has(folder + questionsName) {
		return nil
	}
	if err := b.record(folder+questionsName, &it.Questions); err != nil {
		return err
	}
	if err := it.checkQuestions(); err != nil {
		return damagedf("%s%s: %v", folder, questionsName, err)
	}
	return nil
}
