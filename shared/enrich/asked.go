package enrich

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"seam/shared/llm"
	"seam/shared/text"
)

// Longest passage, title and question, in bytes: what a model is shown, and what of its answer
// is taken.
const (
	longestPassage  = 16 << 10
	longestHeader   = 200
	longestQuestion = 300
)

// Passage is a text of a page, with where it stands.
type Passage struct{ Page, Section, Text string }

// String is the passage as a model is shown it.
func (p Passage) String() string {
	t := p.Text[:text.Edge(p.Text, longestPassage)]
	if p.Section != "" {
		t = fmt.Sprintf("Section: %s\n\n%s", p.Section, t)
	}
	return fmt.Sprintf("Page: %s\n%s", p.Page, t)
}

// Asked returns up to n questions that people would ask a search who look for a passage.
// *llm.NoAnswer: there are none.
func (w Writer) Asked(ctx context.Context, p Passage, n int) (out []string, err error) {
	err = w.ask(ctx, cmp.Or(w.Prompts.Asked, Default.Asked), fmt.Sprintf("Questions wanted: %d\n\n%s", n, p), true, func(answer string) error {
		var got struct {
			Questions []string `json:"questions"`
		}
		if err := llm.Object(answer, &got); err != nil {
			return err
		}
		out = nil
		for _, q := range got.Questions {
			if q = oneBlank(q); q != "" && len(q) <= longestQuestion && len(out) < n && !slices.Contains(out, q) {
				out = append(out, q)
			}
		}
		if len(out) == 0 {
			return errors.New(`it has no "questions" that are short`)
		}
		return nil
	})
	return out, err
}

// Header returns a title for a passage as Title does, in view of where it stands.
func (w Writer) Header(ctx context.Context, p Passage) (string, error) {
	title, err := w.Title(ctx, p.String())
	return title[:text.Edge(title, longestHeader)], err
}
