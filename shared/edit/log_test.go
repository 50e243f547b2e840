package edit_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/edit"
	"seam/shared/text"
	"seam/shared/token"
)

// history makes three splits of prose, one after another.
func history(t *testing.T) (e *editor, at func(string) int) {
	t.Helper()
	e = newEditor(t, "log", chunkers["sections"], chunktest.Input(text.NewPlain(prose)), chunk.Limits{Counter: token.Words})
	at = func(s string) int { return strings.Index(prose, s) }
	for i, s := range []string{"Two", "Three", "Six"} {
		e.o.Sign(edit.Stamp{When: int64(100 * (i + 1)), By: "Ada"})
		if err := e.o.Split(e.Cut, at(s)); err != nil {
			t.Fatal(err)
		}
		e.apply()
	}
	return e, at
}

func places(o *edit.Overlay) (out []int) {
	for _, m := range o.Marks() {
		out = append(out, m.At)
	}
	return out
}

// Any step can be undone and redone without affecting later ones.
func TestUndoAnywhere(t *testing.T) {
	e, at := history(t)
	two, three, six := at("Two"), at("Three"), at("Six")
	steps := e.o.Log().Steps
	if len(steps) != 3 || steps[1].When != 200 || steps[1].By != "Ada" || steps[1].Action != "split" || steps[1].At != three {
		t.Fatalf("the log is %+v", steps)
	}
	check := func(what string, err error, want ...int) {
		t.Helper()
		if err != nil || !slices.Equal(places(e.o), want) {
			t.Fatalf("%s: %v, %v; want %v", what, places(e.o), err, want)
		}
	}
	e.o.Sign(edit.Stamp{When: 400})
	check("the second undone", e.o.UndoStep(steps[1].ID), two, six)
	check("and again", e.o.Redo(), two, three, six)
	check("the second once more", e.o.UndoStep(steps[1].ID), two, six)
	check("the last", e.o.Undo(), two)
	check("the last again", e.o.Redo(), two, six)
	check("back to the first", e.o.UndoTo(steps[0].ID), two)
	check("back to the beginning", e.o.UndoTo(0))
	check("the third alone", e.o.RedoStep(steps[2].ID), six)
	if err := e.o.UndoStep(steps[0].ID); err == nil {
		t.Error("what was undone is undone again")
	}
	if err := e.o.RedoStep(steps[2].ID); err == nil {
		t.Error("what is in force is done again")
	}
}

func TestAsOf(t *testing.T) {
	e, at := history(t)
	e.o.Sign(edit.Stamp{When: 400})
	if err := e.o.UndoStep(e.o.Log().Steps[0].ID); err != nil {
		t.Fatal(err)
	}
	for when, want := range map[int64][]int{
		50: nil, 100: {at("Two")}, 250: {at("Two"), at("Three")}, 399: {at("Two"), at("Three"), at("Six")}, 400: {at("Three"), at("Six")},
	} {
		if was := e.o.AsOf(when); !slices.Equal(places(was), want) {
			t.Errorf("at %d there were %v, want %v", when, places(was), want)
		}
	}
	if !slices.Equal(places(e.o), []int{at("Three"), at("Six")}) {
		t.Error("the overlay was changed")
	}
}

// A stored log must give the same marks after any undos, and continue in the same way.
func TestAnyLogIsKept(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		e := newEditor(t, "kept", chunkers["sentences"], chunktest.Input(text.NewPlain(prose)), chunk.Limits{Counter: token.Words})
		for range 10 {
			if e.act(chance.IntN(6), chance.IntN(1<<20), chance.IntN(1<<20)) && chance.IntN(2) == 0 {
				steps := e.o.Log().Steps
				s := steps[chance.IntN(len(steps))]
				if e.o.UndoStep(s.ID) != nil && e.o.RedoStep(s.ID) != nil {
					t.Fatalf("step %d can be neither undone nor done again: %+v", s.ID, steps)
				}
				e.apply()
			}
		}
		again := edit.New(prose)
		if err := again.SetLog(e.o.Log()); err != nil || !slices.Equal(again.Marks(), e.o.Marks()) {
			t.Fatalf("%v: %v, want %v", err, again.Marks(), e.o.Marks())
		}
		for i := 1; i < len(e.o.Marks()); i++ {
			if e.o.Marks()[i-1].At >= e.o.Marks()[i].At {
				t.Fatalf("two marks at one place: %v", e.o.Marks())
			}
		}
		for e.o.CanUndo() {
			if a, b := e.o.Undo(), again.Undo(); a != nil || b != nil || !reflect.DeepEqual(again.Marks(), e.o.Marks()) {
				t.Fatalf("undone otherwise: %v %v", a, b)
			}
		}
		if len(e.o.Marks()) > 0 {
			t.Fatalf("all is undone, and %v is left", e.o.Marks())
		}
	}
}

// FuzzLog loads arbitrary logs. Every accepted log must be usable.
func FuzzLog(f *testing.F) {
	f.Add("One. Two. Three.", "Zero. One. Two.", []byte(`{"base":[{"at":5}],"steps":[{"id":1,"action":"split","at":10,"came":[{"at":10,"edit":2}]},{"id":3,"action":"clear","at":0,"gone":[{"at":5},{"at":10,"edit":2}]}]}`))
	f.Add("One. Two. Three.", "", []byte(`{"steps":[{"id":1,"action":"move","at":5,"to":10,"came":[{"at":5},{"at":5,"join":true}],"undone":2},{"id":4}]}`))
	f.Add("One. Two.", "", []byte(`{"steps":[{"id":1,"action":"split","at":-5},{"id":2,"action":"split","at":900}]}`))
	f.Fuzz(func(t *testing.T, body, newer string, b []byte) {
		var log edit.Log
		o := edit.New(body)
		if json.Unmarshal(b, &log) != nil || o.SetLog(log) != nil {
			return
		}
		for _, s := range log.Steps {
			if max(s.At, s.To) > len(body) || min(s.At, s.To) < 0 {
				t.Fatalf("a step of another text: %+v", s)
			}
		}
		moved, _ := o.Rebase(newer)
		if err := edit.New(newer).SetLog(moved.Log()); err != nil {
			t.Fatal(err)
		}
		for _, each := range []*edit.Overlay{o, o.AsOf(5), moved} {
			for i, at := range places(each) {
				if i > 0 && places(each)[i-1] >= at {
					t.Fatalf("marks are not ascending, one a place: %v", each.Marks())
				}
			}
		}
		for o.CanUndo() {
			if err := o.Undo(); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(o.Marks(), log.Base) {
			t.Fatalf("all is undone, and %v is left of %v", o.Marks(), log.Base)
		}
	})
}

// The log must carry over to another version of the text, and can be undone there.
func TestTheLogFollowsAVersion(t *testing.T) {
	body := numbered(40)
	e := newEditor(t, "log", chunkers["sections"], chunktest.Input(text.NewPlain(body)), chunk.Limits{Counter: token.Words})
	e.o.Sign(edit.Stamp{When: 7, By: "Ada"})
	for _, s := range []string{"The 5.", "The 20.", "The 35."} {
		if err := e.o.Split(e.Cut, strings.Index(body, s)); err != nil {
			t.Fatal(err)
		}
		e.apply()
	}
	newer := "New. " + strings.Replace(body, "The 20. sentence", "The twentieth", 1)
	moved, lost := e.o.Rebase(newer)
	if lost != 1 || len(moved.Log().Steps) != 2 || moved.Log().Steps[0].Stamp != (edit.Stamp{When: 7, By: "Ada"}) {
		t.Fatalf("%d lost, %+v", lost, moved.Log())
	}
	if at := moved.Log().Steps[1].At; !strings.HasPrefix(newer[at:], "The 35.") {
		t.Errorf("the last step is at %.10q", newer[at:])
	}
	if err := moved.UndoStep(moved.Log().Steps[0].ID); err != nil || !slices.Equal(places(moved), []int{strings.Index(newer, "The 35.")}) {
		t.Errorf("%v, %v", places(moved), err)
	}
}
