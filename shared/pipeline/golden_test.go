package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// article is pdftest.Paragraphs as a PDF, read by pdftext.
func article(t *testing.T) *text.Document {
	t.Helper()
	d, err := pdftext.Extract(pdftest.Article(pdftest.Paragraphs...), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// model is the model that comes with Seam, as the page gets it: from its bytes.
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
		return nil, badf("the embedder %s is not here", name)
	}
	return model()
}}

// plan is that of settings which are right.
func plan(t testing.TB, set Settings) Plan {
	t.Helper()
	p, err := NewPlan(set)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// chunked cuts a document up.
func chunked(t testing.TB, s *Session, set Settings) *Result {
	t.Helper()
	r, err := s.Run(context.Background(), plan(t, set), local)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fingerprint is a fingerprint of everything that a cut decides, to the bit.
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

// fingerprints cuts every document with every method and some settings.
func fingerprints(t *testing.T) map[string]string {
	docs := map[string]*text.Document{
		"article": article(t),
		"plain":   text.NewPlain(strings.Join(pdftest.Paragraphs, "\n\n")),
	}
	dir := os.Getenv("SEAM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	for _, name := range []string{"AI_Information.pdf", "attention_is_all_you_need.pdf"} {
		b, err := os.ReadFile(filepath.Join(dir, "pdf", "rag", name))
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
		s := NewSession(d)
		for _, m := range chunk.Methods() {
			for _, set := range []Settings{{}, {MaxTokens: 40}, {MaxTokens: 300, Unit: "chars", View: text.Content}, {Embedder: "lexical"}, {Embedder: "lexical", MaxTokens: 40}} {
				set.Method = m.Name
				r := chunked(t, s, set)
				out[fmt.Sprintf("%s %s %d%s %s", name, m.Name, set.MaxTokens, set.Unit, r.Plan.Embedder)] = fingerprint(r)
			}
		}
	}
	return out
}

// TestSameEverywhere runs natively and as WebAssembly against one file, so that
// both give the same bytes. UPDATE_GOLDEN=1 writes the file, natively, after a
// change that is meant to change results.
func TestSameEverywhere(t *testing.T) {
	got := fingerprints(t)
	file := filepath.Join("testdata", "golden.txt")
	if os.Getenv("UPDATE_GOLDEN") != "" {
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
	for k, v := range got {
		if want[k] != v {
			t.Errorf("%s: %s, want %q (UPDATE_GOLDEN=1 if that is meant)", k, v, want[k])
		}
	}
}

// The figures that the pipelines print, on their own document.
func TestPipelineFigures(t *testing.T) {
	dir := os.Getenv("SEAM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	b, err := os.ReadFile(filepath.Join(dir, "pdf", "rag", "AI_Information.pdf"))
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
