package bundle

import (
	"fmt"

	"seam/shared/text"
)

// Question is one of questions.json: what somebody asks of a document, and the parts of
// its text that answer it. The file is a list that seam eval retrieval reads.
type Question struct {
	Question string   `json:"question"`
	File     string   `json:"file,omitempty"` // the name of the document
	Excerpts []string `json:"excerpts"`       // word for word
	// Places are where the excerpts begin, one each, or none: an excerpt may stand in a text
	// more than once, and in that of a later version elsewhere, or not at all.
	Places []Place `json:"places,omitempty"`
	Made   string  `json:"made,omitempty"` // by whom, where that is no person: model:NAME
}

// Place is a place of a view.
type Place struct {
	View  text.ViewName `json:"view"`
	Start int           `json:"start"`
}

// checkQuestions refuses what could not be asked, or leads out of a text.
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
				return fmt.Errorf("question %d is about a text %q, which there is not", i+1, p.View)
			}
			if err := within(it.Document.View(p.View).Text, text.Span{Start: p.Start, End: p.Start}); err != nil {
				return fmt.Errorf("question %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// questions reads what is asked of a document.
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
