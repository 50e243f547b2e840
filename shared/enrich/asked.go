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

// Maximum lengths in bytes of a passage shown to a model, and of titles and questions taken
// from its answer.
const (
	longestPassage  = 16 << 10
	longestHeader   = 200
	longestQuestion = 300
)

// Passage is a text of a page with its page and section.
type Passage struct{ Page, Section, Text string }

// String returns the passage in the form shown to a model.
func (p Passage) String() string {
	t := p.Text[:text.Edge(p.Text, longestPassage)]
	if p.Section != "" {
		t = fmt.Sprintf("Section: %s\n\n%s", p.Section, t)
	}
	return fmt.Sprintf("Page: %s\n%s", p.Page, t)
}

// Asked returns up to n questions that people looking for a passage might ask a search. The
// error is *llm.NoAnswer if there are none.
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
			return errors.New(`it has no short "questions"`)
		}
		return nil
	})
	return out, err
}

// Header returns a title for a passage, like Title, but takes its page and section into
// account.
func (w Writer) Header(ctx context.Context, p Passage) (string, error) {
	title, err := w.Title(ctx, p.String())
	return title[:text.Edge(title, longestHeader)], err
}
