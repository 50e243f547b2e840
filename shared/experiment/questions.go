package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ReadQuestions reads a question set: a JSON array of {"question", "ideal_answer",
// "has_answer"}, where all but the question may be left out, and other fields are not read.
func ReadQuestions(b []byte) ([]Question, error) {
	var raw []struct {
		Question   string `json:"question"`
		Ideal      string `json:"ideal_answer"`
		Answerable *bool  `json:"has_answer"`
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, fmt.Errorf(`questions are a JSON array of {"question","ideal_answer","has_answer"}: %w`, err)
	}
	out := make([]Question, len(raw))
	for i, q := range raw {
		if strings.TrimSpace(q.Question) == "" {
			return nil, fmt.Errorf(`number %d has no "question"`, i+1)
		}
		out[i] = Question{strings.TrimSpace(q.Question), strings.TrimSpace(q.Ideal), q.Answerable == nil || *q.Answerable}
	}
	if len(out) == 0 {
		return nil, errors.New("there is no question in it")
	}
	return out, nil
}
