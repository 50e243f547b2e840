package enrich

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"seam/shared/llm"
)

// Question is a question that a model wrote about a passage, with the excerpt that answers
// it.
type Question struct {
	Question string `json:"question"`
	Excerpt  string `json:"excerpt"` // of the passage, word for word except for white space
	Answer   string `json:"answer"`  // in the model's words; "" if it gave none
}

// Questions returns up to n questions that a passage answers. dropped counts further
// questions with excerpts that do not occur in the passage. The error is *llm.NoAnswer if
// there are none.
func (w Writer) Questions(ctx context.Context, passage string, n int) (out []Question, dropped int, err error) {
	words := oneBlank(passage)
	user := fmt.Sprintf("Questions wanted: %d\n\nText:\n%s", n, passage)
	err = w.ask(ctx, cmp.Or(w.Prompts.Questions, Default.Questions), user, true, func(answer string) error {
		var got struct {
			Questions []Question `json:"questions"`
		}
		if err := llm.Object(answer, &got); err != nil {
			return err
		}
		out, dropped = nil, 0
		for _, q := range got.Questions {
			q = Question{oneBlank(q.Question), strings.TrimSpace(q.Excerpt), oneBlank(q.Answer)}
			switch excerpt := oneBlank(q.Excerpt); {
			case len(out) == n:
			case q.Question == "" || excerpt == "" || !strings.Contains(words, excerpt):
				dropped++
			default:
				out = append(out, q)
			}
		}
		switch {
		case len(got.Questions) == 0:
			return errors.New(`it has no "questions"`)
		case len(out) == 0:
			return errors.New("none of its excerpts is in the text verbatim")
		}
		return nil
	})
	return out, dropped, err
}

// oneBlank returns a text with each run of white space replaced by one space, and trimmed.
func oneBlank(t string) string { return strings.Join(strings.Fields(t), " ") }
