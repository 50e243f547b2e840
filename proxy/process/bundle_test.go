package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/bundle"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/text"
)

const inGerman = "seam: docs/deutsch.txt: in German, which the built-in model does not know: using lexical, fitted to its own words\n"

// library returns a folder with documents of each kind, one of them in German, and its
// bundle next to it.
func library(t *testing.T) (dir, path string) {
	t.Helper()
	dir = tree(t, map[string]string{
		"docs/turns.pdf":     string(pdftest.Article(pdftest.Paragraphs...)),
		"docs/notes/mill.md": "# Mills\n\nA windmill turns its cap into the wind. The sails drive a shaft of oak.\n\n## Stones\n\nThe shaft drives the stones. They need dressing.\n",
		"docs/deutsch.txt": strings.Repeat("Die Mühle dreht sich im Wind. Das Rad treibt die Steine an. Der Müller mahlt das Korn für das Dorf. "+
			"Im Winter friert der Bach, und die Mühle steht still. Die Sterne stehen hell über dem Tal. ", 4),
	})
	path = filepath.Join(dir, "library.seam")
	r := runIn(t, dir, nil, "bundle", "docs", "-o", "library.seam")
	if r.status != 0 || r.out != "" || r.err != inGerman {
		t.Fatalf("%+v", r)
	}
	return dir, path
}

// same runs a command with the documents and with their bundle, and compares the results.
func same(t *testing.T, dir string, args ...string) result {
	t.Helper()
	want, got := runIn(t, dir, nil, append(args, "docs")...), runIn(t, dir, nil, append(args, "library.seam")...)
	// The warning about the unknown language was printed when the bundle was made.
	want.err = strings.Replace(want.err, inGerman, "", 1)
	if want != got || want.status != 0 {
		t.Errorf("seam %q: of the bundle %.2000s\nof the documents %.2000s", args, fmt.Sprint(got), fmt.Sprint(want))
	}
	return got
}

// A bundle gives the same bytes as its documents for every command and every method, even
// after they are deleted.
func TestABundleIsItsDocuments(t *testing.T) {
	dir, path := library(t)
	for _, m := range pipeline.Methods() {
		if r := same(t, dir, "chunk", "--format", "jsonl", "--method", m.Name); len(filesOf(t, r.out)) != 3 {
			t.Errorf("%s: %+v", m.Name, r)
		}
	}
	same(t, dir, "chunk", "--format", "json", "--max-tokens", "20", "--headers")
	same(t, dir, "text")
	same(t, dir, "text", "--format", "json")
	same(t, dir, "search", "--json", "what drives the stones")
	if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out") + "/"
	ok(t, "", "text", "-o", out, path)
	ok(t, "", "bundle", "-o", out+"again.seam", path)
	if files := written(t, out); len(files) != 4 {
		t.Errorf("%v", files)
	}
	if !sameFile(t, path, out+"again.seam") {
		t.Error("a bundle of a bundle is another file")
	}
	for _, args := range [][]string{{"breakpoints", "--vectors", path}} {
		if r := run(t, "", args...); r.status != 1 || !strings.Contains(r.err, "holds 3 documents, but one is needed here") {
			t.Errorf("%+v", r)
		}
	}
	one := filepath.Join(dir, "one.seam")
	ok(t, "", "bundle", "-o", one, filepath.Join(out, "docs", "notes", "mill.md.txt"))
	if a, b := ok(t, "", "sentences", one), ok(t, "", "sentences", filepath.Join(out, "docs", "notes", "mill.md.txt")); a != b || a == "" {
		t.Errorf("%q, want %q", a, b)
	}
	if got := ok(t, "", "breakpoints", "--count", "2", "--vectors", one); strings.Count(got, "boundaries\":[") != 1 {
		t.Errorf("%q", got)
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(x) == string(y)
}

func TestListABundle(t *testing.T) {
	dir, path := library(t)
	r := runIn(t, dir, nil, "bundle", "--list", "library.seam")
	for _, want := range []string{"library.seam: 3 documents, 54 sentences, ", "docs/turns.pdf", "semantic, reading view, builtin, 32 to 512 model tokens", "semantic, reading view, lexical"} {
		if r.status != 0 || !strings.Contains(r.out, want) {
			t.Errorf("without %q: %+v", want, r)
		}
	}
	var found struct {
		Version   int
		Documents []struct {
			Name   string
			Source struct {
				Format, SHA256 string
				Size           int
			}
			Sentences, Dimensions int
			Model                 string
			Plan                  struct{ Method, Embedder string }
		}
	}
	if err := json.Unmarshal([]byte(ok(t, "", "bundle", "--list", "--json", path)), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Documents) != 3 || found.Version != 1 {
		t.Fatalf("%+v", found)
	}
	if d := found.Documents[2]; d.Name != "docs/turns.pdf" || d.Source.Format != "pdf" || len(d.Source.SHA256) != 64 || d.Source.Size == 0 || d.Sentences == 0 || d.Dimensions != 256 ||
		!strings.HasPrefix(d.Model, "builtin:") || d.Plan.Embedder != "builtin" {
		t.Errorf("%+v", d)
	}
}

// A text is sent to a hosted model only once: not again with another method, without a key,
// or for the original files.
func TestVectorsOfABundle(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	dir := tree(t, map[string]string{"docs/turns.pdf": string(pdftest.Article(pdftest.Paragraphs...)), "docs/venus.txt": "Venus turns backwards. A day is long there. Its air is thick."})
	run := func(key string, args ...string) result {
		t.Helper()
		return runIn(t, dir, []string{"OPENAI_API_KEY=" + key, "SEAM_PROXY=", "SEAM_CACHE=off"}, args...)
	}
	hosted := []string{"--base-url", p.BaseURL, "--embedder", "openai:e"}
	if r := run(ownKey, append(hosted, "bundle", "-o", "x.seam", "--dry-run", "docs")...); r.status == 0 {
		t.Errorf("options before the command: %+v", r)
	}
	if r := run(ownKey, append([]string{"bundle", "-o", "x.seam", "--dry-run", "docs"}, hosted...)...); r.status != 0 || !strings.HasPrefix(r.out, "would send ") || len(p.Requests()) != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.seam")); err == nil {
		t.Error("what was to be said only was written")
	}
	if r := run(ownKey, append([]string{"bundle", "-o", "x.seam", "docs"}, hosted...)...); r.status != 0 || !strings.HasPrefix(r.err, "seam: sending ") {
		t.Fatalf("%+v", r)
	}
	want := map[string]result{}
	for _, method := range []string{"semantic", "percentile", "cluster", "recursive"} {
		want[method] = run(ownKey, append([]string{"chunk", "--format", "jsonl", "--method", method, "docs"}, hosted...)...)
	}
	asked := len(p.Requests())
	for method, w := range want {
		for _, from := range [][]string{{"x.seam"}, {"--embedder", "cache:x.seam", "docs"}, {"--embedder", "cache:x.seam", "x.seam"}} {
			if r := run("", append([]string{"chunk", "--format", "jsonl", "--method", method}, from...)...); r.status != 0 || noOrigin(r.out) != noOrigin(w.out) || r.err != "" {
				t.Errorf("%s, %q: %+v\nwant %+v", method, from, r, w)
			}
		}
	}
	r := run("", "search", "--json", "--max-tokens", "12", "venus", "x.seam")
	if r.status != 0 || !strings.HasPrefix(r.err, "seam: searching by keyword: the vectors are from openai:e, and embedding the query needs a proxy or provider") || !strings.Contains(r.out, "Venus turns backwards.") || len(p.Requests()) != asked {
		t.Errorf("%+v", r)
	}
	if r := run("", "search", "--mode", "dense", "venus", "x.seam"); r.status != 2 || !strings.Contains(r.err, "has no vectors of queries") {
		t.Errorf("%+v", r)
	}
	if r := run("", "chunk", "--embedder", "cache:x.seam", "--method", "notebook-iqr", "docs/turns.pdf"); r.status != 1 || !strings.Contains(r.err, "docs/turns.pdf: x.seam has no vector for ") {
		t.Errorf("%+v", r)
	}
	if len(p.Requests()) != asked {
		t.Errorf("%d requests after %d", len(p.Requests()), asked)
	}
	// With a provider, only the query is sent.
	r = run(ownKey, "search", "--base-url", p.BaseURL, "--json", "--mode", "dense", "venus", "x.seam")
	sent := p.Requests()
	if r.status > 1 || !strings.Contains(r.err, "seam: sending queries to openai:e at 127.0.0.1:") || len(sent) != asked+1 || len(sent[asked].Texts) != 1 || sent[asked].Texts[0] != "venus" {
		t.Errorf("%+v, %d requests after %d", r, len(sent), asked)
	}
	if r := run(ownKey, "ask", "--base-url", p.BaseURL, "--model", "openai:c", "-k", "1", "--max-tokens", "12", "venus", "x.seam"); r.status != 0 || !strings.Contains(r.out, "\n[1] docs/") || len(p.Requests()) != asked+3 {
		t.Errorf("%+v, %d requests after %d", r, len(p.Requests()), asked)
	}
	if r := run("", "bundle", "-o", "y.seam", "x.seam"); r.status != 0 || !sameFile(t, filepath.Join(dir, "x.seam"), filepath.Join(dir, "y.seam")) {
		t.Errorf("%+v", r)
	}
}

// If some documents need a proxy that is down, the search ranks by words and says so in a
// line.
func TestSearchWithoutTheProxy(t *testing.T) {
	p := upstreamtest.Start()
	dir := tree(t, map[string]string{"venus.txt": "Venus turns backwards. A day is long there. Its air is thick.", "mills.txt": "The sails drive a shaft of oak. The shaft drives the stones."})
	env := []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY="}
	if r := runIn(t, dir, env, "bundle", "-o", "x.seam", "--base-url", p.BaseURL, "--embedder", "openai:e", "venus.txt"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	p.Close()
	for way, address := range map[string]string{"--base-url": p.BaseURL, "--proxy": strings.TrimSuffix(p.BaseURL, "/v1")} {
		r := runIn(t, dir, env, "search", way, address, "--json", "venus shaft", "x.seam", "mills.txt")
		if r.status != 0 || strings.Count(r.err, "seam: searched texts embedded by openai:e by keyword only: ") != 1 || !strings.Contains(r.out, "Venus turns backwards.") || !strings.Contains(r.out, "shaft of oak") {
			t.Errorf("%s: %+v", way, r)
		}
		if r := runIn(t, dir, env, "search", way, address, "--mode", "dense", "venus", "x.seam"); r.status == 0 || r.out != "" {
			t.Errorf("%s, with nothing else to search by: %+v", way, r)
		}
		if r := runIn(t, dir, env, "search", way, address, "--json", "shaft", "mills.txt"); r.status != 0 || strings.Contains(r.err, "by words alone") {
			t.Errorf("%s, with no such document: %+v", way, r)
		}
	}
}

// Edits by hand, in the page or by a program, apply here too.
func TestHandsOfABundle(t *testing.T) {
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Unit: "words", Embedder: "lexical"})
	if err != nil {
		t.Fatal(err)
	}
	d := text.NewPlain("A windmill turns. Its cap does, too. Venus turns backwards.")
	d.Name = "turns.txt"
	s := pipeline.NewSession(d)
	r, err := s.Edit(t.Context(), plan, pipeline.Edit{Action: "merge", At: 17}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := bundle.NewWriter(&b)
	it := bundle.ItemOf(s, r, bundle.Source{}, "", "")
	it.Questions = []bundle.Question{{Question: "Which planet turns backwards?", Excerpts: []string{"Venus turns backwards."}}}
	if err == nil {
		err = w.Add(it)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	path := file(t, "hands.seam", b.Bytes())
	if out := ok(t, "", "chunk", "--method", "sentences", "--format", "jsonl", path); strings.Count(out, "\n") != 2 || !strings.Contains(out, `"text":"A windmill turns. Its cap does, too."`) {
		t.Errorf("%s", out)
	}
	again := filepath.Join(t.TempDir(), "again.seam")
	ok(t, "", "bundle", "--method", "sentences", "-o", again, path)
	if out := ok(t, "", "bundle", "--list", "--json", again); !strings.Contains(out, `"edits":1`) {
		t.Errorf("%s", out)
	}
	written := mustRead(t, again)
	read, err := bundle.Open(bytes.NewReader(written), int64(len(written)))
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := read.Item(0); err != nil || !reflect.DeepEqual(kept.Questions, it.Questions) {
		t.Errorf("%+v instead of %+v, %v", kept, it.Questions, err)
	}
}

// A local model is needed for anything its bundle does not contain: queries, and lengths in
// its tokens.
func TestABundleOutlivesItsModel(t *testing.T) {
	dir := tree(t, map[string]string{"docs/turns.pdf": string(pdftest.Article(pdftest.Paragraphs...))})
	for _, args := range [][]string{{"embed", "--embedder", "builtin", "--export", "model"}, {"bundle", "--embedder", "static:model", "-o", "x.seam", "docs"}} {
		if r := runIn(t, dir, nil, args...); r.status != 0 || r.err != "" {
			t.Fatalf("%+v", r)
		}
	}
	chunk := []string{"chunk", "--format", "jsonl", "--method", "percentile", "--tokens", "words", "--embedder"}
	want := runIn(t, dir, nil, append(chunk, "static:model", "docs")...)
	search := runIn(t, dir, nil, "search", "--json", "--max-tokens", "30", "venus", "x.seam")
	if r := runIn(t, dir, nil, append(chunk, "auto", "x.seam")...); r.status != 0 || noOrigin(r.out) != noOrigin(want.out) || r.err != want.err || want.status != 0 || want.err != "" {
		t.Errorf("%+v\nwant %+v", r, want)
	}
	if search.status != 0 || search.err != "" || !strings.Contains(search.out, "similarity") {
		t.Errorf("%+v", search)
	}
	if err := os.RemoveAll(filepath.Join(dir, "model")); err != nil {
		t.Fatal(err)
	}
	const gone = "seam: static:model, the model of the bundle's vectors, is not available: "
	if r := runIn(t, dir, nil, append(chunk, "auto", "x.seam")...); r.status != 0 || noOrigin(r.out) != noOrigin(want.out) || !strings.HasPrefix(r.err, gone) {
		t.Errorf("%+v\nwant %+v", r, want)
	}
	if r := runIn(t, dir, nil, "search", "--json", "--max-tokens", "30", "venus", "x.seam"); r.status != 0 || !strings.HasPrefix(r.err, gone) ||
		!strings.Contains(r.err, "seam: searching by keyword: the vectors are from static:model, which is not available\n") || strings.Contains(r.out, "similarity") {
		t.Errorf("%+v", r)
	}
}

func TestBundleErrors(t *testing.T) {
	dir, _ := library(t)
	if err := os.WriteFile(filepath.Join(dir, "text.seam"), []byte("no zip"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "library.seam"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "half.seam"), whole[:len(whole)/2], 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "set the bundle to write with -o", []string{"bundle", "docs"}},
		{2, "exclude each other", []string{"bundle", "--list", "-o", "a.seam", "library.seam"}},
		{2, "--json needs --list", []string{"bundle", "--json", "-o", "a.seam", "docs"}},
		{2, "is a folder, but a bundle is one file", []string{"bundle", "-o", "docs", "docs/turns.pdf"}},
		{2, "would overwrite the input library.seam", []string{"bundle", "-o", "library.seam", "library.seam"}},
		{1, "text.seam: it is not a Seam bundle", []string{"chunk", "text.seam"}},
		{1, "half.seam: the file is damaged: its end is missing; get another copy", []string{"text", "half.seam"}},
		{2, "nothere.seam: no such file", []string{"search", "mill", "nothere.seam"}},
		{1, "nothere.seam: no such file", []string{"chunk", "--embedder", "cache:nothere.seam", "docs/turns.pdf"}},
		{1, "docs/turns.pdf: it is not a Seam bundle", []string{"bundle", "--list", "docs/turns.pdf"}},
		{1, "nothere.pdf: no such file", []string{"bundle", "-o", "a.seam", "nothere.pdf", "nowhere.pdf"}},
	} {
		r := runIn(t, dir, nil, tt.args...)
		if r.status != tt.status || r.out != "" || !strings.Contains(r.err, tt.want) || !strings.HasPrefix(r.err, "seam: ") {
			t.Errorf("seam %q: %+v, want %d, %q", tt.args, r, tt.status, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "a.seam")); err == nil {
		t.Error("a bundle of nothing was written")
	}
	// One file that fails does not affect the others.
	if r := runIn(t, dir, nil, "bundle", "-o", "b.seam", "docs/turns.pdf", "nothere.pdf", "docs/notes/mill.md"); r.status != 1 || r.err != "seam: nothere.pdf: no such file\n" {
		t.Errorf("%+v", r)
	}
	if r := runIn(t, dir, nil, "bundle", "--list", "b.seam"); !strings.Contains(r.out, "b.seam: 2 documents") {
		t.Errorf("%+v", r)
	}
	// Bundles in a folder are skipped, because they may have been made from that folder.
	if r := runIn(t, dir, nil, "text", "."); r.status != 0 || !strings.Contains(r.err, "skipped 4 bundles (name a bundle to read it)") {
		t.Errorf("%+v", r)
	}
}

// An existing bundle stays unchanged if the command fails in any way, and no temporary file
// is left.
func TestABundleIsWholeOrAsItWas(t *testing.T) {
	dir, path := library(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		after, err := os.ReadFile(path)
		if err != nil || string(after) != string(before) {
			t.Errorf("%s: the bundle is another one, %v", what, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".seam-*")); len(left) > 0 {
			t.Errorf("%s: it left %v", what, left)
		}
	}
	if r := runIn(t, dir, nil, "bundle", "-o", "/dev/full", "docs/turns.pdf"); r.status != 1 || !strings.Contains(r.err, "no space left on device") {
		t.Errorf("%+v", r)
	}
	full := exec.Command("sh", "-c", "ulimit -f 4; exec "+seam+" bundle -o library.seam docs/turns.pdf docs/notes/mill.md")
	full.Dir = dir
	if out, err := full.CombinedOutput(); err == nil || !strings.Contains(string(out), "file too large") {
		t.Errorf("%v: %s", err, out)
	}
	check("a full disk")

	hold := make(chan struct{})
	defer close(hold)
	p := upstreamtest.Start(upstreamtest.Script{Hold: hold})
	defer p.Close()
	cmd := exec.Command(seam, "bundle", "--base-url", p.BaseURL, "--embedder", "openai:e", "--cache", "off", "-o", "library.seam", "docs/turns.pdf")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for len(p.Requests()) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("status %d", cmd.ProcessState.ExitCode())
	}
	check("Ctrl-C")
}
