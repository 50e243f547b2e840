package bundle

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"seam/shared/edit"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// edited returns a document with one split made and undone, and another in force.
func edited(t *testing.T) *Item {
	t.Helper()
	ctx, h := context.Background(), hooks(t)
	s := pipeline.NewSession(documents(t)[0])
	p, err := pipeline.NewPlan(pipeline.Settings{Method: "recursive", MaxTokens: 40, Embedder: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(ctx, p, h)
	if err != nil {
		t.Fatal(err)
	}
	for i, action := range []string{"split", "undo", "split"} {
		if r, err = s.Edit(ctx, p, pipeline.Edit{Action: action, At: strings.Index(r.Text.Text, " ") + 1, Stamp: edit.Stamp{When: int64(i + 1), By: "Ada"}}, h); err != nil {
			t.Fatal(err)
		}
	}
	return ItemOf(s, r, Source{}, "builtin", model(t).ID())
}

// The log must be restored with times and names, and undone edits can be redone.
func TestTheLogIsKept(t *testing.T) {
	all, err := readAll(write(t, false, []*Item{edited(t)}))
	if err != nil {
		t.Fatal(err)
	}
	steps := all[0].Logs[text.Reading].Steps
	if len(steps) != 2 || steps[0].Undone == 0 || steps[0].UndoneWhen != 2 || steps[1].When != 3 || steps[1].By != "Ada" {
		t.Errorf("the log is %+v", steps)
	}
}

// If a program that does not know the log changed the edits, the edits must win.
func TestEditsWithoutTheirLog(t *testing.T) {
	it := edited(t)
	marks := []edit.Mark{{At: it.Chunking.Chunks[1].Start, Edit: 1}}
	it.Edits = Edits{text.Reading: marks}
	all, err := readAll(write(t, false, []*Item{it}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := all[0].Session()
	if err != nil || !reflect.DeepEqual(s.Marks()[text.Reading], marks) || len(s.Logs()[text.Reading].Steps) != 0 {
		t.Errorf("%v, %+v", err, s.Logs())
	}
}

func TestAForeignLogIsDamage(t *testing.T) {
	it := edited(t)
	it.Logs = Logs{text.Reading: {Steps: []edit.Step{{ID: 1, Action: "split", Came: []edit.Mark{{At: 1 << 30}}}}}}
	if _, err := readAll(write(t, false, []*Item{it})); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}
