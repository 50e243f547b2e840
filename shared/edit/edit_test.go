package edit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/edit"
	"seam/shared/text"
	"seam/shared/token"
)

// chunkers holds the chunkers of methods that use Seam's sentences or none. It includes
// only two with a curve.
var chunkers = func() map[string]chunk.Chunker {
	out := map[string]chunk.Chunker{}
	for _, m := range chunk.Methods() {
		if m.Curve == "" || m.Name == "percentile" || m.Name == "semantic" {
			out[m.Name] = m.Chunker
		}
	}
	return out
}()

// editor is a document being edited.
type editor struct {
	t      testing.TB
	label  string
	in     chunk.Input
	limits chunk.Limits
	asked  int // the requested maximum
	o      *edit.Overlay
	edit.Cut
	held int
}

func newEditor(t testing.TB, label string, c chunk.Chunker, in chunk.Input, limits chunk.Limits) *editor {
	t.Helper()
	e := &editor{t: t, label: label, in: in, limits: limits, asked: limits.Max, o: edit.New(in.View.Text)}
	e.recut(c)
	return e
}

// recut runs another chunker and applies the edits.
func (e *editor) recut(c chunk.Chunker) {
	e.t.Helper()
	_, plain, err := chunk.Cut(c, e.in, chunk.Criterion{}, e.limits)
	if err != nil {
		e.t.Fatalf("%s: %v", e.label, err)
	}
	e.Plain = plain
	e.apply()
}

func (e *editor) apply() {
	e.t.Helper()
	before := slices.Clone(e.Plain)
	limits := e.limits
	limits.Max = e.asked
	var err error
	if e.Shown, e.held, err = e.o.Apply(e.in.View, e.Plain, limits); err != nil {
		e.t.Fatalf("%s: %v", e.label, err)
	}
	if !reflect.DeepEqual(before, e.Plain) {
		e.t.Fatalf("%s: Apply changes what it is given", e.label)
	}
	e.check(limits)
}

// check tests the invariants after any edits.
func (e *editor) check(limits chunk.Limits) {
	e.t.Helper()
	if err := chunktest.Check(e.in.View, e.Shown, limits); err != nil {
		e.t.Fatalf("%s, marks %v: %v", e.label, e.o.Marks(), err)
	}
	ends, first := map[int]bool{}, map[text.Span]string{}
	for _, c := range e.Shown {
		ends[e.after(c.End)] = true
	}
	for _, c := range e.Plain {
		first[c.Span] = c.ID[:12]
	}
	for _, c := range e.Shown {
		if id, ok := first[c.Span]; ok && c.ID[:12] != id {
			e.t.Fatalf("%s: the chunk %v is %s, and was %s", e.label, c.Span, c.ID, id)
		}
	}
	held := 0
	for _, m := range e.o.Marks() {
		switch {
		case m.Join && ends[m.At]:
			held++
		case !m.Join && !ends[m.At] && e.covered(m.At):
			e.t.Fatalf("%s: no boundary at %d, where one is wanted", e.label, m.At)
		}
	}
	if held > e.held && e.asked == 0 {
		e.t.Fatalf("%s: %d boundaries that nobody wants, %d are told of", e.label, held, e.held)
	}
	if e.asked == 0 && e.held > 0 {
		e.t.Fatalf("%s: %d are held without a maximum", e.label, e.held)
	}
}

func (e *editor) covered(at int) bool {
	for _, c := range e.Plain {
		if c.Start < at && at < c.End {
			return true
		}
	}
	return false
}

func (e *editor) after(i int) int {
	t := e.in.View.Text
	return len(t) - len(strings.TrimLeftFunc(t[i:], unicode.IsSpace))
}

// act performs the edit encoded in the numbers, and reports whether it was possible.
func (e *editor) act(kind, a, b int) bool {
	n := len(e.in.View.Text) + 1
	at, to := a%n, b%n
	if c := e.Shown; len(c) > 0 && kind >= 2 {
		at = c[a%len(c)].End
	}
	var err error
	switch kind {
	case 0, 1:
		err = e.o.Split(e.Cut, at)
	case 2, 3:
		err = e.o.Merge(e.Cut, at)
	default:
		err = e.o.Move(e.Cut, at, to)
	}
	if err == nil {
		e.apply()
	}
	return err == nil
}

func limitsOf(counter token.Counter) []chunk.Limits {
	return []chunk.Limits{{Counter: counter}, {Max: 12, Counter: counter}, {Max: 40, Counter: counter}, {Max: 1, Counter: counter}}
}

// For any edits on any text with any chunker: nothing may be lost, a requested maximum must
// hold, and each step can be undone and redone.
func TestAnySequence(t *testing.T) {
	for name, c := range chunkers {
		for doc, body := range chunktest.Texts {
			if len(body) > 2000 {
				body = body[:2000]
			}
			in := chunktest.Input(text.NewPlain(body))
			for i, counter := range []token.Counter{token.Characters, token.Words, token.Estimate} {
				for j, limits := range limitsOf(counter) {
					for _, overlap := range []int{0, 5} {
						if limits.Overlap = overlap; overlap > 0 && (limits.Max == 0 || limits.Max <= overlap) {
							continue
						}
						label := fmt.Sprintf("%s, %s, %s up to %d, overlap %d", name, doc, counter.Name(), limits.Max, overlap)
						sequence(t, label, c, in, limits, rand.New(rand.NewPCG(uint64(i), uint64(j))))
					}
				}
			}
		}
	}
}

func sequence(t *testing.T, label string, c chunk.Chunker, in chunk.Input, limits chunk.Limits, chance *rand.Rand) {
	t.Helper()
	e := newEditor(t, label, c, in, limits)
	states, marks := [][]chunk.Chunk{e.Shown}, [][]edit.Mark{nil}
	for range 12 {
		if e.act(chance.IntN(6), chance.IntN(1<<20), chance.IntN(1<<20)) {
			states, marks = append(states, e.Shown), append(marks, slices.Clone(e.o.Marks()))
		}
	}
	same := func(i int) {
		t.Helper()
		if e.apply(); !reflect.DeepEqual(e.Shown, states[i]) || !slices.Equal(e.o.Marks(), marks[i]) {
			t.Fatalf("%s: step %d is not as it was: %v, %v", label, i, e.o.Marks(), marks[i])
		}
	}
	for i := len(states) - 2; i >= 0; i-- {
		if err := e.o.Undo(); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		same(i)
	}
	if e.o.CanUndo() || e.o.Undo() == nil || e.o.Count() != 0 {
		t.Fatalf("%s: more to undo than was done", label)
	}
	for i := range states[1:] {
		if err := e.o.Redo(); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		same(i + 1)
	}
	if e.o.CanRedo() || e.o.Redo() == nil {
		t.Fatalf("%s: more to redo than was undone", label)
	}
	saved, err := json.Marshal(e.o.Log())
	if err != nil {
		t.Fatal(err)
	}
	var log edit.Log
	again := edit.New(in.View.Text)
	if err := errors.Join(json.Unmarshal(saved, &log), again.SetLog(log)); err != nil || !slices.Equal(again.Marks(), e.o.Marks()) {
		t.Fatalf("%s: %s is read as %v: %v", label, saved, again.Marks(), err)
	}
	for _, other := range chunkers { // edits survive any method
		e.recut(other)
	}
}

const prose = "One is here. Two is there. Three is far. Four is near.\n\nFive is old. Six is new."

func ends(e *editor) (out []string) {
	for _, c := range e.Shown {
		out = append(out, c.Of(prose)+" ("+c.Reason.String()+")")
	}
	return out
}

func TestWhatIsDone(t *testing.T) {
	e := newEditor(t, "prose", chunkers["sections"], chunktest.Input(text.NewPlain(prose)), chunk.Limits{Counter: token.Words})
	want := func(count int, chunks ...string) {
		t.Helper()
		if got := ends(e); !slices.Equal(got, chunks) || e.o.Count() != count {
			t.Fatalf("%d changes: %q\nwant %d: %q", e.o.Count(), got, count, chunks)
		}
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		e.apply()
	}
	at := func(s string) int { return strings.Index(prose, s) }
	want(0, "One is here. Two is there. Three is far. Four is near. (paragraph)", "Five is old. Six is new. (end)")
	do(e.o.Split(e.Cut, at("Two")))
	want(1, "One is here. (manual)", "Two is there. Three is far. Four is near. (paragraph)", "Five is old. Six is new. (end)")
	do(e.o.Move(e.Cut, at("Two"), at("Four")))
	want(1, "One is here. Two is there. Three is far. (manual)", "Four is near. (paragraph)", "Five is old. Six is new. (end)")
	do(e.o.Move(e.Cut, at("\n\nFive"), at("Six")))
	want(2, "One is here. Two is there. Three is far. (manual)", "Four is near.\n\nFive is old. (manual)", "Six is new. (end)")
	do(e.o.Merge(e.Cut, at(" Four")))
	want(1, "One is here. Two is there. Three is far. Four is near.\n\nFive is old. (manual)", "Six is new. (end)")
	do(e.o.Move(e.Cut, at("Six"), at("Five")))
	want(0, "One is here. Two is there. Three is far. Four is near. (paragraph)", "Five is old. Six is new. (end)")
	do(e.o.Merge(e.Cut, at("Five")))
	want(1, prose+" (end)")
	do(e.o.Split(e.Cut, at("is far")))
	want(2, "One is here. Two is there. Three (manual)", "is far. Four is near.\n\nFive is old. Six is new. (end)")
	do(e.o.Clear())
	want(0, "One is here. Two is there. Three is far. Four is near. (paragraph)", "Five is old. Six is new. (end)")
	do(e.o.Undo())
	want(2, "One is here. Two is there. Three (manual)", "is far. Four is near.\n\nFive is old. Six is new. (end)")
	do(e.o.Undo())
	do(e.o.Split(e.Cut, at("Two"))) // undone steps can no longer be redone
	if e.o.Redo() == nil {
		t.Error("redone after something else was done")
	}
}

// An impossible edit must give a one-sentence error and change nothing.
func TestRefused(t *testing.T) {
	body := "Ä one. Two.\nThree."
	e := newEditor(t, "refused", chunkers["sentences"], chunktest.Input(text.NewPlain(body)), chunk.Limits{Counter: token.Words})
	two := strings.Index(body, "Two")
	for name, err := range map[string]error{
		"before the text":  e.o.Split(e.Cut, -1),
		"behind the text":  e.o.Split(e.Cut, len(body)+1),
		"at the beginning": e.o.Split(e.Cut, 0),
		"at the end":       e.o.Split(e.Cut, len(body)),
		"in a rune":        e.o.Split(e.Cut, 1),
		"at a boundary":    e.o.Split(e.Cut, two),
		"at none":          e.o.Merge(e.Cut, two+1),
		"at the last end":  e.o.Merge(e.Cut, len(body)),
		"moving none":      e.o.Move(e.Cut, two+1, two+2),
		"to itself":        e.o.Move(e.Cut, two, two-1),
		"over the next":    e.o.Move(e.Cut, two, len(body)-2),
		"out of the text":  e.o.Move(e.Cut, two, 1<<40),
		"clearing nothing": e.o.Clear(),
		"undoing nothing":  e.o.Undo(),
		"redoing nothing":  e.o.Redo(),
		"of another text":  e.o.SetLog(edit.Log{Base: []edit.Mark{{At: 900, Edit: 1}}}),
		"in white space":   e.o.SetLog(edit.Log{Base: []edit.Mark{{At: two - 1, Edit: 1}}}),
		"descending":       e.o.SetLog(edit.Log{Base: []edit.Mark{{At: two, Edit: 1}, {At: 3, Edit: 1}}}),
		"a step elsewhere": e.o.SetLog(edit.Log{Steps: []edit.Step{{ID: 1, Came: []edit.Mark{{At: 900, Edit: 1}}}}}),
		"a split before":   e.o.SetLog(edit.Log{Steps: []edit.Step{{ID: 1, Action: "split", At: -5}}}),
		"a merge behind":   e.o.SetLog(edit.Log{Steps: []edit.Step{{ID: 1, Action: "merge", At: len(body) + 1}}}),
		"a move away":      e.o.SetLog(edit.Log{Steps: []edit.Step{{ID: 1, Action: "move", At: two, To: 1 << 40}}}),
		"into a rune":      e.o.SetLog(edit.Log{Steps: []edit.Step{{ID: 1, Action: "move", At: two, To: 1}}}),
		"one step twice":   e.o.SetLog(edit.Log{Steps: []edit.Step{{ID: 1}, {ID: 1}}}),
		"an unknown step":  e.o.UndoStep(7),
		"back to now":      e.o.UndoTo(0),
	} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(e.o.Marks()) != 0 || e.o.CanUndo() || e.o.CanRedo() {
		t.Errorf("marks %v", e.o.Marks())
	}
}

// A requested maximum must override edits, and the boundaries it keeps must be counted.
func TestMaximumHolds(t *testing.T) {
	in := chunktest.Input(text.NewPlain(prose))
	e := newEditor(t, "maximum", chunkers["sentences"], in, chunk.Limits{Counter: token.Words})
	for len(e.Shown) > 1 {
		if err := e.o.Merge(e.Cut, e.Shown[0].End); err != nil {
			t.Fatal(err)
		}
		e.apply()
	}
	e.asked = 7
	if e.apply(); e.held != 2 || len(e.Shown) != 3 || e.Shown[0].Reason != (chunk.Reason{Kind: chunk.ReasonSentence, For: chunk.ForMax}) || e.Shown[0].Tokens != 6 {
		t.Fatalf("%d held: %q", e.held, ends(e))
	}
	if err := e.o.Merge(e.Cut, e.Shown[0].End); err == nil {
		t.Error("merged where the maximum keeps two chunks apart")
	}
	e.asked = 0
	if e.apply(); len(e.Shown) != 1 || e.held != 0 {
		t.Errorf("without the maximum: %q", ends(e))
	}
}

func TestRealDocuments(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("SEAM_DATA"), "chunking_eval/corpora/*.md"))
	if os.Getenv("SEAM_DATA") == "" || len(files) == 0 {
		t.Skip("no documents: set SEAM_DATA")
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	in := chunktest.Input(text.NewPlain(string(b[:min(len(b), 60_000)])))
	for name, c := range chunkers {
		sequence(t, name, c, in, chunk.Limits{Counter: token.Words, Max: 90}, rand.New(rand.NewPCG(1, 2)))
	}
}

func FuzzEdits(f *testing.F) {
	for _, s := range chunktest.Texts {
		f.Add(s[:min(len(s), 300)], []byte{0, 9, 9, 4, 1, 7, 2, 0, 0, 1, 40, 3}, uint8(9), uint8(2))
	}
	f.Fuzz(func(t *testing.T, s string, actions []byte, most, overlap uint8) {
		if len(s) > 2000 || len(actions) > 60 {
			return
		}
		in := chunktest.Input(text.NewPlain(s))
		for name, c := range chunkers {
			for _, counter := range []token.Counter{token.Characters, token.Words} {
				limits := chunk.Limits{Max: int(most), Counter: counter, Overlap: int(overlap)}
				if name == "sections" || name == "page" {
					limits.Overlap = 0
				}
				if limits.Check() != nil || limits.Max == 0 && limits.Overlap > 0 {
					continue
				}
				e := newEditor(t, name, c, in, limits)
				for a := actions; len(a) >= 3; a = a[3:] {
					e.act(int(a[0])%6, int(a[1])<<3+int(a[2])%8, int(a[2])<<2)
				}
				for e.o.Undo() == nil {
				}
				if e.apply(); !reflect.DeepEqual(e.Shown, e.Plain) {
					t.Fatalf("%s: not as it was", name)
				}
			}
		}
	})
}
