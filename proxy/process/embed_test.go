package process

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/embed/encoder"
	"seam/shared/vector"
)

// The texts that seam prints can be embedded elsewhere and passed back: the same vectors
// give the same chunks.
func TestVectorsMadeElsewhere(t *testing.T) {
	path, dir := pdf(t), t.TempDir()
	rows, lines := filepath.Join(dir, "rows.npy"), filepath.Join(dir, "lines.jsonl")
	sentences := ok(t, "", "sentences", path)
	ok(t, sentences, "embed", "-o", rows)
	ok(t, sentences, "embed", "--format", "jsonl", "-o", lines)
	for _, method := range [][]string{{"--method", "percentile", "--count", "3"}, {"--method", "percentile", "--threshold", "60"}, {"--method", "gradient"}} {
		args := append([]string{"chunk", "--tokens", "words", "--format", "json"}, method...)
		want := ok(t, "", append(args, path)...)
		for _, vectors := range []string{rows, lines, "sentences=" + rows} {
			got := ok(t, "", append(args, "--embedder", "npy:"+vectors, path)...)
			if got = strings.Replace(got, `"embedder":"npy:`+vectors+`"`, `"embedder":"builtin"`, 1); noOrigin(got) != noOrigin(want) {
				t.Errorf("%v with npy:%s:\n%s instead of\n%s", method, vectors, got, want)
			}
		}
	}
	// The rows belong to one document.
	if r := run(t, "", "chunk", "--embedder", "npy:"+rows, file(t, "b.txt", []byte("One. Two."))); r.status != 1 || !strings.Contains(r.err, "12 rows for 2 sentences") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "chunk", "--embedder", "npy:nobody.npy", path); r.status != 1 || !strings.Contains(r.err, "nobody.npy: no such file") {
		t.Errorf("%+v", r)
	}
}

// Search with given vectors of chunks and queries, by row and by text, finds the same as
// the built-in model.
func TestSearchWithVectorsMadeElsewhere(t *testing.T) {
	path, dir := pdf(t), t.TempDir()
	chunk := []string{"--method", "fixed", "--tokens", "words", "--max-tokens", "12"}
	queries := file(t, "q.jsonl", []byte(`{"id":1,"query":"planets and stars"}`+"\n"+`{"id":"b","query":"wood"}`+"\n"))
	chunks, asked := filepath.Join(dir, "chunks.npy"), filepath.Join(dir, "queries.npy")
	ok(t, ok(t, "", append(append([]string{"chunk", "--format", "jsonl"}, chunk...), path)...), "embed", "-o", chunks)
	ok(t, "", "embed", "-o", asked, queries)
	search := append([]string{"search", "--mode", "dense", "-k", "2", "--queries", queries}, chunk...)
	want := ok(t, "", append(search, path)...)
	if got := ok(t, "", append(search, "--embedder", "npy:chunks="+chunks+",queries="+asked, path)...); got != want {
		t.Errorf("%s instead of\n%s", got, want)
	}
	r := run(t, "", append(search, "--embedder", "npy:chunks="+chunks, path)...)
	if r.status != 2 && r.status != 1 || !strings.Contains(r.err, "no vectors of queries") {
		t.Errorf("%+v", r)
	}
	short := file(t, "one.jsonl", []byte(`{"id":1,"query":"wood"}`))
	if r := run(t, "", append(append([]string{"search", "--mode", "dense", "--queries", short}, chunk...), "--embedder", "npy:chunks="+chunks+",queries="+asked, path)...); r.status != 2 || !strings.Contains(r.err, "2 rows for 1 queries") {
		t.Errorf("%+v", r)
	}
}

// Many texts are embedded in blocks, with the same vectors as a few.
func TestEmbedManyTexts(t *testing.T) {
	const n, last = 9000, 8999
	var texts strings.Builder
	for i := range n {
		fmt.Fprintf(&texts, "The ship number %d left the harbour.\n", i)
	}
	m, err := vector.ReadNPY([]byte(ok(t, texts.String(), "embed")))
	if err != nil || m.Rows != n {
		t.Fatalf("%d rows, %v", m.Rows, err)
	}
	one, err := vector.ReadNPY([]byte(ok(t, fmt.Sprintf("The ship number %d left the harbour.", last), "embed")))
	if err != nil || !slices.Equal(m.Row(last), one.Row(0)) {
		t.Errorf("the last row is not that of its text: %v", err)
	}
	if lines := strings.Split(strings.TrimSpace(ok(t, texts.String(), "embed", "--format", "jsonl")), "\n"); len(lines) != n || !strings.Contains(lines[last], "number 8999 ") {
		t.Errorf("%d lines", len(lines))
	}
}

func TestEmbed(t *testing.T) {
	texts := "A doctor works in a hospital.\r\nThe physician treats patients in a clinic.\nThe ship left the harbour.\n\n"
	m, err := vector.ReadNPY([]byte(ok(t, texts, "embed")))
	if err != nil || m.Rows != 4 || m.Dim != 256 {
		t.Fatalf("%d×%d %v", m.Rows, m.Dim, err)
	}
	if near, far := vector.Cosine(m.Row(0), m.Row(1)), vector.Cosine(m.Row(0), m.Row(2)); near < far+.2 {
		t.Errorf("a doctor is %.2f near to a physician and %.2f to a ship", near, far)
	}
	if n := vector.Dot(m.Row(2), m.Row(2)); math.Abs(n-1) > 1e-6 || vector.Dot(m.Row(3), m.Row(3)) != 0 {
		t.Errorf("lengths %v and %v", n, m.Row(3)[:3])
	}
	var line struct {
		Text   string
		Vector []float32
	}
	out := ok(t, `{"id":7,"query":"A \"doctor\"\nworks."}`, "embed", "--format", "jsonl")
	if err := json.Unmarshal([]byte(out), &line); err != nil || line.Text != "A \"doctor\"\nworks." || len(line.Vector) != 256 || strings.Count(out, "\n") != 1 {
		t.Errorf("%v %.80q", err, out)
	}
	if m, err := vector.ReadNPY([]byte(ok(t, "", "embed"))); err != nil || m.Rows != 0 {
		t.Errorf("of nothing: %+v %v", m, err)
	}
	lexical, err := vector.ReadNPY([]byte(ok(t, texts, "embed", "--embedder", "lexical")))
	if err != nil || lexical.Rows != 4 {
		t.Errorf("%d rows %v", lexical.Rows, err)
	}
	// Vectors of a model that does not normalise are printed unchanged.
	raw, err := vector.ReadNPY([]byte(ok(t, texts, "embed", "--embedder", "static:"+filepath.Join("..", "..", "shared", "embed", "static", "testdata", "unigram-bytes"))))
	if err != nil || math.Abs(vector.Dot(raw.Row(0), raw.Row(0))-1) < .1 {
		t.Errorf("%v %v", err, raw.Row(0))
	}
	for _, tt := range []struct {
		in   string
		args []string
		code int
		says string
	}{
		{`{"id":1}`, nil, 1, `neither "text" nor "query"`},
		{`{"text":"a"}` + "\nplain", nil, 1, "text 2 is not valid JSON"},
		{"a", []string{"-o", filepath.Join(t.TempDir(), "no", "folder.npy")}, 1, "write "},
		{"a", []string{"--embedder", "static:" + filepath.Join(t.TempDir(), "nobody")}, 1, "no such folder"},
		{"a", []string{"--embedder", "encoder:" + filepath.Join(t.TempDir(), "nobody")}, 1, "no such path"},
		{"a", []string{"--embedder", "encoder:embed_test.go"}, 1, "is not a packed encoder"},
		{"a", []string{"--embedder", "encoder:."}, 1, "no config.json"},
		{"a", []string{"--embedder", "openai:e"}, 2, "--proxy"},
		{"", []string{"--embedder", "lexical", "--export", t.TempDir()}, 2, "--export needs"},
		{"", []string{"nobody.txt"}, 1, "no such file"},
	} {
		if r := run(t, tt.in, append([]string{"embed"}, tt.args...)...); r.status != tt.code || !strings.Contains(r.err, tt.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q %v: %+v", tt.in, tt.args, r)
		}
	}
}

// A sentence encoder cuts chunks and finds them. Its prompts are put before queries and
// before the searched texts.
func TestEncoder(t *testing.T) {
	encoders := filepath.Join("..", "..", "shared", "embed", "encoder", "testdata")
	doc := file(t, "doc.txt", []byte(strings.Join(paragraphs, "\n\n")))
	folder := filepath.Join(encoders, "bert-f32-mean")
	b, err := encoder.Pack(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) }, "small", encoder.Four)
	if err != nil {
		t.Fatal(err)
	}
	small := file(t, "small.seamenc", b)
	for _, name := range []string{folder, filepath.Join(encoders, "bert-f16-first-prompts"), filepath.Join(encoders, "xlmr-bf16-mean"), small} {
		embedder := "encoder:" + name
		vectors, err := vector.ReadNPY([]byte(ok(t, "A doctor works.\nRain fell.\n", "embed", "--embedder", embedder)))
		if err != nil || vectors.Rows != 2 || math.Abs(vector.Dot(vectors.Row(0), vectors.Row(0))-1) > 1e-6 {
			t.Errorf("%s: %+v %v", name, vectors, err)
		}
		if out := ok(t, "", "chunk", "--embedder", embedder, "--format", "jsonl", doc); strings.Count(out, "\n") < 1 {
			t.Errorf("%s: %q", name, out)
		}
		if out := ok(t, "", "search", "--mode", "dense", "--embedder", embedder, "--json", "doctor", doc); !strings.Contains(out, `"score"`) {
			t.Errorf("%s: %q", name, out)
		}
	}
}

// A damaged packed encoder is reported in one sentence.
func TestDamagedEncoder(t *testing.T) {
	damaged := file(t, "damaged.seamenc", []byte("SeamEnc1 and nothing of the kind"))
	if r := run(t, "a", "embed", "--embedder", "encoder:"+damaged); r.status != 1 || !strings.Contains(r.err, "damaged or incomplete") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%+v", r)
	}
}

// An exported model can be opened again, with the same vectors.
func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	ok(t, "", "embed", "--export", dir)
	for _, name := range []string{"model.safetensors", "tokenizer.json", "config.json"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	texts := strings.Join(paragraphs, "\n") + "\nÉtés à Zürich, naïve façade; 東京 was 1 of 3.\n"
	built, err := vector.ReadNPY([]byte(ok(t, texts, "embed")))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := vector.ReadNPY([]byte(ok(t, texts, "embed", "--embedder", "static:"+dir)))
	if err != nil || opened.Rows != built.Rows {
		t.Fatalf("%d rows: %v", opened.Rows, err)
	}
	for i, x := range built.Data {
		if math.Abs(float64(x-opened.Data[i])) > 1e-6 {
			t.Fatalf("number %d is %v, then %v", i, x, opened.Data[i])
		}
	}
	if r := run(t, "", "embed", "--export", dir); r.status != 2 || !strings.Contains(r.err, "not empty") {
		t.Errorf("%+v", r)
	}
	os.WriteFile(filepath.Join(dir, "model.safetensors"), []byte("short"), 0o644)
	if r := run(t, texts, "embed", "--embedder", "static:"+dir); r.status != 1 || !strings.Contains(r.err, dir) || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%+v", r)
	}
}

// A text in a language unknown to the model is chunked, with a warning.
func TestUnknownLanguage(t *testing.T) {
	german := file(t, "mühle.txt", []byte(strings.Repeat("Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag, und das Rad drehte sich so langsam. ", 9)))
	for _, command := range [][]string{{"chunk"}, {"search", "Wasser"}, {"search", "--method", "fixed", "Wasser"}} {
		for embedder, says := range map[string]string{"auto": "mühle.txt: in German, which the built-in model does not know: using lexical, fitted to its own words", "builtin": "--embedder lexical"} {
			r := run(t, "", slices.Concat(command[:1], []string{"--embedder", embedder}, command[1:], []string{german})...)
			if r.status != 0 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "in German") || !strings.Contains(r.err, says) {
				t.Errorf("%v: %+v", command, r)
			}
		}
		ok(t, "", slices.Concat(command[:1], []string{"--embedder", "lexical"}, command[1:], []string{german})...)
	}
	ok(t, "", "chunk", "--method", "fixed", german)
}

// Vectors paid for in one run are reused in the next.
func TestNothingIsPaidTwice(t *testing.T) {
	l, path, cache := linktest.Start(t, limit.Limits{}), pdf(t), t.TempDir()
	sent := func() (n int) {
		for _, q := range l.Provider.Requests() {
			n += len(q.Texts)
		}
		return n
	}
	args := []string{"chunk", "--embedder", "openai:e", "--format", "json", path}
	r := hostedWith(t, l, cache, append(args, "--dry-run")...)
	if r.status != 0 || r.err != "" || !strings.HasPrefix(r.out, "would send 12 texts (about ") || !strings.Contains(r.out, " tokens) in 1 call to openai:e at 127.0.0.1:") || sent() != 0 {
		t.Errorf("%+v, %d sent", r, sent())
	}
	first := hostedWith(t, l, cache, args...)
	if first.status != 0 || sent() != 12 {
		t.Fatalf("%+v, %d sent", first, sent())
	}
	second := hostedWith(t, l, cache, args...)
	if second.status != 0 || second.out != first.out || second.err != "" || sent() != 12 {
		t.Errorf("%+v, %d sent", second, sent())
	}
	if r = hostedWith(t, l, cache, append(args, "--dry-run")...); r.out != "nothing would be sent\n" {
		t.Errorf("%+v", r)
	}
	// For a changed document only the new sentence is sent. A run without a cache sends
	// everything.
	more := file(t, "more.txt", []byte("Our day is one turn of the axis. And this is new."))
	if r = hostedWith(t, l, cache, "chunk", "--embedder", "openai:e", more); r.status != 0 || sent() != 13 {
		t.Errorf("%+v, %d sent", r, sent())
	}
	if r = hostedWith(t, l, "off", args...); r.status != 0 || r.out != first.out || !strings.HasPrefix(r.err, "seam: sending 12 texts") {
		t.Errorf("%+v, %d sent", r, sent())
	}
	// If the cache folder cannot be written, the run warns and succeeds.
	r = hostedWith(t, l, file(t, "no-folder", nil), args...)
	if r.status != 0 || r.out != first.out || !strings.Contains(r.err, "cannot cache the vectors") || strings.Count(r.err, "\n") != 2 {
		t.Errorf("%+v", r)
	}
}

// A stopped program has stored the vectors it received, and the next one sends only the
// rest.
func TestResume(t *testing.T) {
	text := ""
	for i := range 700 {
		text += fmt.Sprintf("This is sentence number %d of many. ", i)
	}
	path, cache, hold := file(t, "many.txt", []byte(text)), t.TempDir(), make(chan struct{})
	l := linktest.Start(t, limit.Limits{}, upstreamtest.Script{}, upstreamtest.Script{Hold: hold}, upstreamtest.Script{Hold: hold})
	args := []string{"chunk", "--embedder", "openai:e", "--format", "json", path}
	cmd := exec.Command(seam, append(args, "--cache", cache, "--proxy", l.URL, "--proxy-token", linktest.Token)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A third of the texts has been answered, and part of it is on the disk.
	for kept := int64(0); kept < 128*44; {
		time.Sleep(5 * time.Millisecond)
		if info, err := os.Stat(filepath.Join(cache, "vectors-young")); err == nil {
			kept = info.Size()
		}
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was not stopped")
	}
	close(hold)
	r := hostedWith(t, l, cache, args...)
	missing := 0
	if _, err := fmt.Sscanf(r.err, "seam: sending %d texts", &missing); err != nil || r.status != 0 || missing < 400 || missing > 700-64 {
		t.Errorf("%d texts, status %d, %.200s", missing, r.status, r.err)
	}
	if again := hostedWith(t, l, cache, append(args, "--dry-run")...); again.out != "nothing would be sent\n" {
		t.Errorf("%+v", again)
	}
}
