package engine

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
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// paragraphs are an article of our own, four topics long.
var paragraphs = []string{
	"# Four things that turn",
	"A windmill turns its cap into the wind. The sails drive a shaft of oak. The shaft drives the stones, and the stones grind the corn. On a calm day the miller waits and sharpens his stones.",
	"When the wind blows too hard, the miller takes cloth from the sails. Sails that run away can set a mill on fire. Many mills burned in this way.",
	"# Lathes",
	"A lathe turns the work and holds the tool still. The turner presses a chisel against spinning wood. Shavings fly from the chisel in long curls. Hard wood takes a better polish than soft wood, which tears.",
	"Metal is turned more slowly than wood. Oil cools the tool and carries the chips away.",
	"# Planets",
	"A planet turns around its star and around its own axis. Our day is one turn of the axis. The year is one turn around the sun. Venus turns backwards, and so slowly that its day outlasts its year.",
	"The moon always shows us the same face. Its turn around itself takes as long as its turn around us: tides have locked the two together.",
	"# Dancers",
	"A dancer turns on one foot with the arms drawn in. Drawn in, the arms make the turn faster; spread, they slow it down. The eyes stay on one spot of the hall for as long as they can. Then the head whips around and finds the spot again.",
	"A whole company that turns in step needs years of practice, good music and a floor without splinters.",
}

// article is the same as a PDF, read by pdftext.
func article(t *testing.T) *text.Document {
	t.Helper()
	d, err := pdftext.Extract(pdftest.Article(paragraphs...), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// digest is a fingerprint of everything that a cut decides, to the bit.
func digest(r *Result) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%d\n", r.View, r.Text.Text, r.Found.Boundaries)
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
		"plain":   text.NewPlain(strings.Join(paragraphs, "\n\n")),
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
		for _, m := range Methods() {
			for _, set := range []Settings{{}, {MaxTokens: 40}, {MaxTokens: 300, Unit: "chars", View: text.Content}, {Embedder: "lexical"}, {Embedder: "lexical", MaxTokens: 40}} {
				set.Method = m.Name
				r, err := s.Chunk(context.Background(), set, local)
				if err != nil {
					t.Fatal(err)
				}
				out[fmt.Sprintf("%s %s %d%s %s", name, m.Name, set.MaxTokens, set.Unit, r.Embedder)] = digest(r)
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
		{Settings{Method: MethodFixed, Unit: "chars", MaxTokens: 128, Overlap: 25}, 0, 326},
		{Settings{Method: MethodFixed, Unit: "chars", MaxTokens: 256, Overlap: 51}, 0, 164},
		{Settings{Method: MethodFixed, Unit: "chars", MaxTokens: 512, Overlap: 102}, 0, 82},
		{Settings{Method: MethodFixed, Unit: "chars", MaxTokens: 1000, Overlap: 200, PageJoin: &joined}, 0, 42},
	} {
		r, err := NewSession(d).Chunk(context.Background(), tt.set, local)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Chunks) != tt.chunks || tt.sentences > 0 && len(r.Sentences) != tt.sentences {
			t.Errorf("%+v: %d sentences, %d chunks; want %d, %d", tt.set, len(r.Sentences), len(r.Chunks), tt.sentences, tt.chunks)
		}
	}
}
