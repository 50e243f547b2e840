package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"seam/shared/text"
)

// Question is a question about a text. Its answer is known as excerpts of the text or in
// words, or it is known that the text does not answer it.
type Question struct {
	ID           string
	Question     string
	Text         string    // name of the text: the corpus or the file as given; "" if it names none
	File         string    // path of the text, relative to the data folder
	Excerpts     []Excerpt // empty if unknown
	Ideal        string    // the answer in words, "" if unknown
	Unanswerable bool      `json:",omitzero"` // the text does not answer it
	Made         string    `json:",omitzero"` // author, if not a person: model:NAME
}

// Excerpt is a part of a text that answers a question.
type Excerpt struct {
	Text string
	At   *Range // nil for the first occurrence of Text
}

// wrongQuestions describes the form of questions, for errors.
const wrongQuestions = `a question is {"question","file","excerpts":["verbatim text",…]}, or {"question","ideal_answer","has_answer"}, or {"id","corpus","question","references":[{"text","char_start","char_end"},…]}`

// ReadQuestions reads questions from a JSON array or from JSONL. They have the user's form
// or Chroma's, where corpus NAME is corpora/NAME.md. The id defaults to the question's
// number, from 1. A question that names no text belongs to file, unless file is "".
func ReadQuestions(b []byte, file string) ([]Question, error) {
	var all []rawQuestion
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		var batch questions
		err := d.Decode(&batch)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("after question %d: %w; %s", len(all), err, wrongQuestions)
		}
		all = append(all, batch...)
	}
	return questionsOf(all, file)
}

func questionsOf(all []rawQuestion, file string) ([]Question, error) {
	if len(all) == 0 {
		return nil, errors.New("no questions found; " + wrongQuestions)
	}
	out := make([]Question, len(all))
	for i, q := range all {
		if q.File == "" && q.Corpus == "" {
			q.File = file
		}
		var err error
		if out[i], err = q.question(i + 1); err != nil {
			return nil, fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	return out, nil
}

type rawQuestion struct {
	ID                     json.RawMessage // a string or a number
	Question, Corpus, File string
	Made                   string
	Ideal                  string `json:"ideal_answer"`
	Answerable             *bool  `json:"has_answer"`
	Excerpts               []string
	References             []struct {
		Text  string
		Start *int `json:"char_start"`
		End   *int `json:"char_end"`
	}
}

// questions is one value in the file: a question or a list of them.
type questions []rawQuestion

func (q *questions) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, (*[]rawQuestion)(q))
	}
	*q = make(questions, 1)
	return json.Unmarshal(b, &(*q)[0])
}

func (r rawQuestion) question(number int) (Question, error) {
	q := Question{ID: strconv.Itoa(number), Question: r.Question, Text: r.File, File: r.File, Ideal: r.Ideal, Made: r.Made}
	q.Unanswerable = r.Answerable != nil && !*r.Answerable && len(r.Excerpts)+len(r.References) == 0
	if len(r.ID) > 0 && json.Unmarshal(r.ID, &q.ID) != nil {
		q.ID = string(r.ID)
	}
	own := r.File != "" && len(r.Excerpts) > 0 && r.Corpus == "" && len(r.References) == 0
	theirs := r.Corpus != "" && len(r.References) > 0 && r.File == "" && len(r.Excerpts) == 0
	none := r.Corpus == "" && len(r.Excerpts)+len(r.References) == 0
	if strings.TrimSpace(r.Question) == "" || !own && !theirs && !none {
		return q, errors.New(wrongQuestions)
	}
	for _, e := range r.Excerpts {
		q.Excerpts = append(q.Excerpts, Excerpt{Text: e})
	}
	if theirs {
		q.Text, q.File = r.Corpus, "corpora/"+r.Corpus+".md"
	}
	for i, e := range r.References {
		if e.Start == nil || e.End == nil || *e.Start < 0 || *e.End <= *e.Start {
			return q, fmt.Errorf("reference %d: char_start and char_end are needed, in this order", i+1)
		}
		q.Excerpts = append(q.Excerpts, Excerpt{e.Text, &Range{*e.Start, *e.End}})
	}
	return q, nil
}

// Locate returns the places of a question's excerpts in its text. If an excerpt does not
// occur, or not at its given place, the error quotes it.
func (c *RuneIndex) Locate(q Question) ([]Range, error) {
	out := make([]Range, len(q.Excerpts))
	for i, e := range q.Excerpts {
		var ok bool
		if e.At == nil {
			if out[i], ok = c.Find(e.Text); !ok {
				return nil, fmt.Errorf("question %s: the excerpt %s is not in %s: copy it from there verbatim", q.ID, quote(e.Text), q.Text)
			}
			continue
		}
		out[i] = *e.At
		if got, ok := c.Of(out[i]); !ok || e.Text != "" && got != e.Text {
			return nil, fmt.Errorf("question %s: characters %d to %d of %s are not %s", q.ID, e.At.Start, e.At.End, q.Text, quote(e.Text))
		}
	}
	return out, nil
}

// quote returns the beginning of an excerpt in quotation marks.
func quote(t string) string { return strconv.Quote(text.Beginning(t, 80)) }
