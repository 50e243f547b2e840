package runfile

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/llm"
)

var head = Head{Seam: "1", Pipeline: "chunk-size", Document: "a.pdf", SHA256: "00", Settings: json.RawMessage(`{"k":5}`)}

func open(t *testing.T, name string) *File {
	t.Helper()
	f, err := Open(name, head)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fill stores an answer and a vector.
func fill(t *testing.T, f *File) {
	t.Helper()
	if err := errors.Join(f.Keep(llm.Ask("m", "s", "first"), llm.Reply{Text: "one"}), f.Put(t.Context(), []embed.Key{{1}}, [][]float32{{.25, -1}}), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// holds reports whether the answer and the vector of fill are stored.
func holds(t *testing.T, f *File) (reply, vector bool) {
	t.Helper()
	r, ok := f.Reply(llm.Ask("m", "s", "first"))
	v, err := f.Get(t.Context(), []embed.Key{{1}, {2}})
	if err != nil || v[1] != nil {
		t.Fatal(v, err)
	}
	return ok && r.Text == "one", len(v[0]) == 2 && v[0][0] == .25 && v[0][1] == -1
}

func TestARunGoesOnWhereItWas(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	fill(t, open(t, name))
	f := open(t, name)
	if r, v := holds(t, f); !r || !v {
		t.Error(r, v)
	}
	if err := f.Keep(llm.Ask("m", "s", "second"), llm.Reply{Text: "two"}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if f, err := Replay(name, head); err != nil {
		t.Error(err)
	} else if r, ok := f.Reply(llm.Ask("m", "s", "second")); !ok || r.Text != "two" {
		t.Error(r, ok)
	}
}

// If a writing program is killed at any point, all complete lines are readable, and more
// can be added.
func TestTornAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "run.jsonl")
	fill(t, open(t, name))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	for n := range len(b) + 1 {
		torn := filepath.Join(dir, "torn.jsonl")
		if err := os.WriteFile(torn, b[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f := open(t, torn)
		r, v := holds(t, f)
		if r != (n >= len(lines[0])+len(lines[1])) || v != (n == len(b)) {
			t.Fatalf("%d bytes: %v, %v", n, r, v)
		}
		fill(t, f)
		again := open(t, torn)
		if r, v := holds(t, again); !r || !v {
			t.Fatalf("%d bytes, filled: %v, %v", n, r, v)
		}
		again.Close()
	}
}

// A full disk is not fatal: earlier data stays in the file, and later data is kept in
// memory.
func TestAFileThatCannotBeWrittenEndsNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	fill(t, open(t, name))
	f := open(t, name)
	writable := f.file
	var err error
	if f.file, err = os.Open(name); err != nil {
		t.Fatal(err)
	}
	keep := func(user string) {
		t.Helper()
		if err := f.Keep(llm.Ask("m", "s", user), llm.Reply{Text: user}); err != nil {
			t.Error(err)
		}
	}
	if keep("second"); f.Trouble() == nil {
		t.Fatal("no trouble is told")
	}
	first := f.Trouble()
	f.file.Close()
	f.file = writable // there is room again
	keep("third")
	if err := f.Put(t.Context(), []embed.Key{{3}}, [][]float32{{1}}); err != nil || f.Trouble() != first {
		t.Error(err, f.Trouble())
	}
	for _, user := range []string{"second", "third"} {
		if r, ok := f.Reply(llm.Ask("m", "s", user)); !ok || r.Text != user {
			t.Errorf("%s: %+v", user, r)
		}
	}
	f.Close()
	again := open(t, name)
	defer again.Close()
	if r, v := holds(t, again); !r || !v {
		t.Error(r, v)
	}
	for _, user := range []string{"second", "third"} {
		if r, ok := again.Reply(llm.Ask("m", "s", user)); ok {
			t.Errorf("%s is kept: %+v", user, r)
		}
	}
}

func TestOtherFilesStayAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "run.jsonl")
	fill(t, open(t, name))
	other := head
	other.Settings = json.RawMessage(`{"k":4}`)
	if _, err := Open(name, other); !errors.Is(err, ErrOther) {
		t.Error(err)
	}
	newer := head
	newer.Seam = "2"
	if f, err := Open(name, newer); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	mine := filepath.Join(dir, "mine.txt")
	for _, text := range []string{"my only copy\nof this", "no line at all", `{"request":{}}`, `{"run":7}` + "\n"} {
		if err := os.WriteFile(mine, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(mine, head); err == nil {
			t.Errorf("%q is taken for a run", text)
		}
		if b, _ := os.ReadFile(mine); string(b) != text {
			t.Errorf("%q is now %q", text, b)
		}
	}
	if _, err := Replay(filepath.Join(dir, "none"), head); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestAResultIsKeptUnderItsName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	f := open(t, name)
	if _, ok := f.Result("first"); ok {
		t.Error("a result is there before it was kept")
	}
	for _, v := range []int{1, 2} {
		if err := f.KeepResult("first", v); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.KeepResult("wrong", func() {}); err == nil {
		t.Error("what cannot be written was kept")
	}
	f.Close()
	f, err := Replay(name, head)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := f.Result("first"); !ok || string(v) != "2" {
		t.Errorf("%s %v", v, ok)
	}
	if _, ok := f.Result("wrong"); ok {
		t.Error("what cannot be written is there")
	}
}

// Two programs may have a run open at once. Opening it removes nothing that the other
// program adds meanwhile.
func TestOpenedWhileAnotherWrites(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.jsonl")
	f := open(t, name)
	defer f.Close()
	long := make([]float32, 1<<14)
	const n = 100
	put := make(chan error, 1)
	go func() {
		var err error
		for i := range n {
			err = errors.Join(err, f.Put(t.Context(), []embed.Key{{byte(i)}}, [][]float32{long}))
		}
		put <- err
	}()
	for open := true; open; {
		other, err := Open(name, head)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-put:
			if open = false; err != nil {
				t.Error(err)
			}
		default:
		}
	}
	whole, err := Replay(name, head)
	if err != nil || f.Trouble() != nil {
		t.Fatal(err, f.Trouble())
	}
	if kept := len(whole.vectors); kept != n {
		t.Errorf("%d of %d vectors are kept", kept, n)
	}
}

// A folder with the name of the runs' folder may contain other files, too.
func TestClearTakesRunsAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	if err := Clear(dir); err != nil {
		t.Error(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "more.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	fill(t, open(t, filepath.Join(dir, "a.jsonl")))
	kept := map[string]string{"events.log": "x", "other.jsonl": `{"run":1}`, "more.jsonl/a.jsonl": "x"}
	for name, content := range kept {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clear(dir); err != nil {
		t.Error(err)
	}
	for name, content := range kept {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != content {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "a.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run is still there: %v", err)
	}
	own := filepath.Join(t.TempDir(), "runs")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	fill(t, open(t, filepath.Join(own, "a.jsonl")))
	if err := Clear(own); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(own); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder is left: %v", err)
	}
}
