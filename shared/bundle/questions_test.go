package bundle

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"seam/shared/bundle/archive"
	"seam/shared/eval"
	"seam/shared/text"
)

// asked returns an item with two questions. The second refers to an earlier version of the
// text.
func asked(t *testing.T) *Item {
	t.Helper()
	d := text.NewPlain("Ein Weber saß am Ufer. Wer saß am Ufer? „Ein Weber“, hieß es <b>dort</b>.")
	d.Name = "weber.txt"
	first := "Ein Weber"
	return &Item{Document: d, Questions: []Question{
		{Question: "Wer saß \"am\" Ufer?\n", File: d.Name, Made: "model:m", Excerpts: []string{first, "saß"}, Places: []Place{
			{text.Reading, strings.LastIndex(d.View(text.Reading).Text, first)}, {text.Content, 10}}},
		{Question: "Wo?", File: d.Name, Excerpts: []string{"Es steht nicht mehr da."}},
	}}
}

// Questions must be restored unchanged, in a member that seam eval retrieval can read.
func TestQuestionsAreKept(t *testing.T) {
	it := asked(t)
	raw := write(t, false, []*Item{it})
	all, err := readAll(raw)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(all[0].Questions, it.Questions) {
		t.Errorf("questions %+v", all[0].Questions)
	}
	zip, err := archive.NewReader(strings.NewReader(string(raw)), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	r, size, err := zip.Open("documents/1/questions.json")
	if err != nil {
		t.Fatal(err)
	}
	member, err := archive.Whole(r, size)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := eval.ReadQuestions(member, "")
	if err != nil || len(questions) != 2 || questions[0].File != "weber.txt" || questions[0].Excerpts[1].Text != "saß" || questions[0].Made != "model:m" {
		t.Errorf("%v: %+v", err, questions)
	}
}

// Without questions there must be no member, so that older bundles stay the same.
func TestNoQuestions(t *testing.T) {
	it := asked(t)
	it.Questions = nil
	if raw := write(t, true, []*Item{it}); strings.Contains(string(raw), questionsName) {
		t.Error("there is a list of no questions")
	}
}

// Places outside the text must be refused by a Writer and be damage to a reader.
func TestForeignQuestionsAreDamage(t *testing.T) {
	for what, bad := range map[string]Question{
		"no words":             {Excerpts: []string{"saß"}},
		"no excerpt":           {Question: "Wer?"},
		"a place too many":     {Question: "Wer?", Excerpts: []string{"saß"}, Places: make([]Place, 2)},
		"an unknown view":      {Question: "Wer?", Excerpts: []string{"saß"}, Places: []Place{{"rear", 0}}},
		"behind the text":      {Question: "Wer?", Excerpts: []string{"saß"}, Places: []Place{{text.Reading, 1000}}},
		"before the text":      {Question: "Wer?", Excerpts: []string{"saß"}, Places: []Place{{text.Reading, -1}}},
		"inside of a letter":   {Question: "Wer?", Excerpts: []string{"saß"}, Places: []Place{{text.Reading, 13}}},
		"behind one that fits": {Question: "Wer?", Excerpts: []string{"a", "b"}, Places: []Place{{text.Reading, 0}, {text.Reading, 1 << 40}}},
	} {
		it := asked(t)
		it.Questions = append(it.Questions, bad)
		w, err := NewWriter(&strings.Builder{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(it); err == nil {
			t.Errorf("%s: it is written", what)
		}
		if _, err := readAll(withQuestions(t, it.Questions)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: read with %v", what, err)
		}
	}
}

// withQuestions returns a bundle with questions that a Writer would refuse.
func withQuestions(t *testing.T, list []Question) []byte {
	t.Helper()
	it := asked(t)
	it.Questions = nil
	var out strings.Builder
	w, err := NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(it), w.member("documents/1/"+questionsName, true, stringTo(string(bad))), w.Close()); err != nil {
		t.Fatal(err)
	}
	return []byte(out.String())
}
