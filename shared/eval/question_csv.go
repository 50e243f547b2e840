package eval

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"seam/shared/charset"
)

// ReadQuestionsCSV reads questions from a table. Its first row names the columns: question,
// and optionally excerpt, ideal_answer, has_answer, file, id and made. Columns may be
// separated by semicolons. A row without a question adds its excerpt to the question above.
// If the table has excerpts, a question without one is a question that the text does not
// answer, unless has_answer says otherwise. A row without a file belongs to file, unless
// file is "".
func ReadQuestionsCSV(b []byte, file string) ([]Question, error) {
	const wrong = `a table of questions needs a header row: "question", and "excerpt", "ideal_answer", or both; optional are "has_answer","file","id"`
	t, _, err := charset.Decode(b, charset.Options{}) // spreadsheets use other encodings
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, wrong)
	}
	t = strings.TrimPrefix(t, "\ufeff")
	r := csv.NewReader(strings.NewReader(t))
	if head, _, _ := strings.Cut(t, "\n"); strings.Count(head, ";") > strings.Count(head, ",") {
		r.Comma = ';'
	}
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, wrong)
	}
	if len(rows) == 0 {
		return nil, errors.New(wrong)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[strings.ToLower(strings.TrimSpace(name))] = i
	}
	_, asks := column["question"]
	_, excerpts := column["excerpt"]
	if _, answers := column["ideal_answer"]; !asks || !excerpts && !answers {
		return nil, errors.New(wrong)
	}
	var all []rawQuestion
	for n, row := range rows[1:] {
		cell := func(name string) string {
			if i, ok := column[name]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		q := rawQuestion{Question: cell("question"), File: cell("file"), Ideal: cell("ideal_answer"), Made: cell("made")}
		if has, err := strconv.ParseBool(strings.ToLower(cell("has_answer"))); err == nil {
			q.Answerable = &has
		}
		if q.Question != "" {
			if id := cell("id"); id != "" {
				q.ID, _ = json.Marshal(id) // encoding a string cannot fail
			}
			all = append(all, q)
		} else if len(all) == 0 && cell("excerpt") != "" {
			return nil, fmt.Errorf("row %d has an excerpt, but no question above it", n+2)
		}
		if e := cell("excerpt"); e != "" {
			all[len(all)-1].Excerpts = append(all[len(all)-1].Excerpts, e)
		}
	}
	for i := range all {
		if found := len(all[i].Excerpts) > 0; all[i].Answerable == nil && excerpts {
			all[i].Answerable = &found
		}
	}
	return questionsOf(all, file)
}
