package pipeline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// article returns pdftest.Paragraphs as a PDF, read by pdftext.
func article(t *testing.T) *text.Document {
	t.Helper()
	d, err := pdftext.Extract(pdftest.Article(pdftest.Paragraphs...), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// model loads Seam's own model from its bytes, as the page does.
var model = sync.OnceValues(func() (embed.Embedder, error) {
	b, err := os.ReadFile(filepath.Join("..", "embed", "builtin", "model.bin"))
	if err != nil {
		return nil, err
	}
	return builtin.Load(b)
})

// local are the hooks of a program without a proxy.
var local = Hooks{Embedder: func(name string) (embed.Embedder, error) {
	if name != builtin.Name {
		return nil, badf("the embedder %s is not available", name)
	}
	return model()
}}

// plan returns the plan for valid settings.
func plan(t testing.TB, set Settings) Plan {
	t.Helper()
	p, err := NewPlan(set)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// chunked cuts a document.
func chunked(t testing.TB, s *Session, set Settings) *Result {
	t.Helper()
	r, err := s.Run(context.Background(), plan(t, set), local)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// dataDir returns the folder with third-party documents.
func dataDir() string {
	if dir := os.Getenv("SEAM_DATA"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared", "data")
}

// updating reports whether golden files are to be written instead of compared.
func updating() bool { return os.Getenv("UPDATE_GOLDEN") != "" }

// own returns two documents of the project: one with pages and sections, one without.
func own(t *testing.T) map[string]*text.Document {
	t.Helper()
	return map[string]*text.Document{
		"article": article(t),
		"plain":   text.NewPlain(strings.Join(pdftest.Paragraphs, "\n\n")),
	}
}

// readable lists the methods whose chunks of the project's own documents are stored as text
// in testdata/golden, with readableSettings.
var readable = []string{"semantic", "percentile", "gradient", "notebook-percentile", "cluster", "recursive", "sections", "sentences", "fixed"}

// readableSettings returns limits small enough to make many chunks of one page of text.
func readableSettings(method string) Settings { return Settings{Method: method, MaxTokens: 40} }

// archive writes the chunks as a txtar archive. The comment is the plan. Each chunk is a
// member, named by its number, length, reason, pages and section.
func archive(t *testing.T, r *Result) []byte {
	t.Helper()
	a := &txtar.Archive{Comment: []byte(r.Plan.String() + "\n\n")}
	for i, c := range r.Chunks {
		name := []string{fmt.Sprint(i + 1), fmt.Sprintf("%d tokens", c.Tokens), c.Reason.String()}
		if pages := r.Pages(i); len(pages) > 0 {
			name = append(name, "p. "+strings.Join(strings.Fields(strings.Trim(fmt.Sprint(pages), "[]")), ", "))
		}
		if section := r.Section(i); section != "" {
			name = append(name, section)
		}
		body := c.Of(r.Text.Text)
		if strings.HasSuffix(body, "\n") {
			t.Errorf("chunk %d ends in a line end, which the archive does not show: %q", i+1, body)
		}
		a.Files = append(a.Files, txtar.File{Name: strings.Join(name, " · "), Data: []byte(body)})
	}
	return txtar.Format(a)
}

// TestGoldenChunks compares chunks with readable files. The native and the WebAssembly run
// read the same files. UPDATE_GOLDEN=1 writes them.
func TestGoldenChunks(t *testing.T) {
	dir := filepath.Join("testdata", "golden")
	tested := map[string]bool{}
	for name, d := range own(t) {
		s := NewSession(d)
		for _, method := range readable {
			file := name + "-" + method + ".txtar"
			tested[file] = true
			r := chunked(t, s, readableSettings(method))
			if len(r.Chunks) < 4 {
				t.Errorf("%s: only %d chunks", file, len(r.Chunks))
			}
			got := archive(t, r)
			if updating() {
				if err := os.WriteFile(filepath.Join(dir, file), got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Error(err)
				continue
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s (UPDATE_GOLDEN=1 if that is meant): %s", file, difference(got, want))
			}
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !tested[f.Name()] {
			t.Errorf("%s belongs to no test", f.Name())
		}
	}
}

// difference returns the first line in which two texts differ.
func difference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b || i >= len(g) || i >= len(w) {
			return fmt.Sprintf("line %d is\n\t%q, want\n\t%q", i+1, a, b)
		}
	}
	return "nothing"
}

// fingerprint returns a hash of every result of a cut, to the bit.
func fingerprint(r *Result) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%d\n", r.Plan.View, r.Text.Text, r.Found.Boundaries)
	for _, s := range r.Sentences {
		fmt.Fprintf(h, "%d %d\n", s.Start, s.End)
	}
	writeFloats(h, append([]float64{r.Found.Threshold, r.Found.Setting}, r.Similarities...))
	for _, c := range r.Chunks {
		fmt.Fprintf(h, "%+v\n", c)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:10])
}

func writeFloats(h hash.Hash, v []float64) {
	var b [8]byte
	for _, x := range v {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
}

// fingerprints cuts every document with every method and some settings, except those in
// TestGoldenChunks.
func fingerprints(t *testing.T) map[string]string {
	docs := own(t)
	for _, name := range []string{"AI_Information.pdf", "attention_is_all_you_need.pdf"} {
		b, err := os.ReadFile(filepath.Join(dataDir(), "pdf", "rag", name))
		if err != nil && updating() {
			t.Fatalf("%v: set SEAM_DATA, or the file would lose what is known of %s", err, name)
		}
		if err != nil {
			t.Logf("without %s: %v (set SEAM_DATA)", name, err)
			continue
		}
		if docs[name], err = pdftext.Extract(b, pdftext.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]string{}
	for name, d := range docs {
		ours := !strings.HasSuffix(name, ".pdf")
		s := NewSession(d)
		for _, m := range chunk.Methods() {
			for _, set := range []Settings{{}, {MaxTokens: 40}, {MaxTokens: 300, Unit: "chars", View: text.Content}, {Embedder: "lexical"}, {Embedder: "lexical", MaxTokens: 40}} {
				set.Method = m.Name
				if ours && slices.Contains(readable, m.Name) && set == readableSettings(m.Name) {
					continue // covered by TestGoldenChunks
				}
				r := chunked(t, s, set)
				out[fmt.Sprintf("%s %s %d%s %s", name, m.Name, set.MaxTokens, set.Unit, r.Plan.Embedder)] = fingerprint(r)
			}
		}
	}
	return out
}

// TestSameEverywhere runs natively and as WebAssembly against one file, so both must give
// the same bytes. UPDATE_GOLDEN=1 writes the file, natively, after an intended change of
// results.
func TestSameEverywhere(t *testing.T) {
	got := fingerprints(t)
	file := filepath.Join("testdata", "golden.txt")
	if updating() {
		var lines []string
		for k, v := range got {
			lines = append(lines, k+" "+v)
		}
		sort.Strings(lines)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(b)) {
		i := strings.LastIndexByte(line, ' ')
		want[line[:i]] = strings.TrimSpace(line[i:])
	}
	known := map[string]bool{} // a new method has no earlier results that could change
	for k := range want {
		known[strings.Fields(k)[1]] = true
	}
	if len(known) < 14 {
		t.Fatalf("%s has results of %d methods", file, len(known))
	}
	for k, v := range got {
		if known[strings.Fields(k)[1]] && want[k] != v {
			t.Errorf("%s: %s, want %q (UPDATE_GOLDEN=1 if that is meant)", k, v, want[k])
		}
	}
}

// The published pipelines print these figures for their own document.
func TestPipelineFigures(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(dataDir(), "pdf", "rag", "AI_Information.pdf"))
	if err != nil {
		t.Skipf("no sample document: %v (set SEAM_DATA)", err)
	}
	d, err := pdftext.Extract(b, pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	joined := ""
	for _, tt := range []struct {
		set       Settings
		sentences int
		chunks    int
	}{
		{Settings{Method: "notebook-percentile"}, 257, 231},
		{Settings{Method: "percentile", View: text.Content, Count: 27}, 0, 27},
		{Settings{Method: "fixed", Unit: "chars", MaxTokens: 128, Overlap: 25}, 0, 326},
		{Settings{Method: "fixed", Unit: "chars", MaxTokens: 256, Overlap: 51}, 0, 164},
		{Settings{Method: "fixed", Unit: "chars", MaxTokens: 512, Overlap: 102}, 0, 82},
		{Settings{Method: "fixed", Unit: "chars", MaxTokens: 1000, Overlap: 200, PageJoin: &joined}, 0, 42},
	} {
		r := chunked(t, NewSession(d), tt.set)
		if len(r.Chunks) != tt.chunks || tt.sentences > 0 && len(r.Sentences) != tt.sentences {
			t.Errorf("%+v: %d sentences, %d chunks; want %d, %d", tt.set, len(r.Sentences), len(r.Chunks), tt.sentences, tt.chunks)
		}
	}
}
