package chunk_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/text"
	"seam/shared/token"
)

// real returns the documents of SEAM_DATA, if that is set.
func real(t *testing.T) map[string]string {
	docs := map[string]string{}
	dir := os.Getenv("SEAM_DATA")
	if dir == "" {
		t.Log("without real documents: set SEAM_DATA")
		return docs
	}
	patterns := []string{"chunking_eval/corpora/*.md", "segmentation/docs/book-*.txt", "segmentation/docs/synth-3-5-00[0-3].txt"}
	if runtime.GOOS == "js" { // it takes several times as long there
		patterns = []string{"segmentation/docs/book-00[01].txt"}
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			docs[filepath.Base(file)] = string(b)
		}
	}
	return docs
}

func TestConformance(t *testing.T) {
	docs := real(t)
	for _, m := range chunk.Methods() {
		t.Run(m.Name, func(t *testing.T) { chunktest.Run(t, m, docs) })
	}
}

// The page needs a group and words for every method, in both languages.
func TestWords(t *testing.T) {
	all := chunk.AllWords()
	if len(all) != len(chunk.Methods()) {
		t.Errorf("words of %d methods, and there are %d", len(all), len(chunk.Methods()))
	}
	for _, m := range chunk.Methods() {
		words := all[m.Name]
		german := words.German
		if m.Label == "" || m.Help == "" || words.Good == "" || german.Label == "" || german.Help == "" || german.Good == "" || (german.Setting == "") != (m.Setting == nil) {
			t.Errorf("%s lacks words: %+v", m.Name, words)
		}
		if !slices.Contains([]chunk.Group{chunk.Meaning, chunk.Structure, chunk.Size, chunk.Published}, words.Group) {
			t.Errorf("%s is in the group %q", m.Name, words.Group)
		}
	}
}

func FuzzChunkers(f *testing.F) {
	for _, s := range chunktest.Texts {
		f.Add(s[:min(len(s), 300)], uint8(3), uint8(20), uint8(4))
	}
	f.Fuzz(func(t *testing.T, s string, least, most, overlap uint8) {
		if s = strings.TrimSpace(s); s == "" || len(s) > 3000 {
			return
		}
		for _, m := range chunk.Methods() {
			in := chunktest.InputFor(m.Sentences, text.NewPlain(s))
			for _, counter := range []token.Counter{token.Characters, token.Words, token.Estimate} {
				limits := chunk.Limits{Max: int(most), Counter: counter}
				if m.TakeMin {
					limits.Min = int(least)
				}
				if m.Overlap {
					limits.Overlap = int(overlap)
				}
				if limits.Max == 0 {
					limits.Max = m.Max
				}
				if limits.Check() != nil {
					continue
				}
				_, chunks, err := chunk.Cut(m.Chunker, in, chunk.Criterion{}, limits)
				if err != nil {
					t.Fatalf("%s: %v", m.Name, err)
				}
				if err := chunktest.Check(in.View, chunks, limits); err != nil {
					t.Fatalf("%s, %s %d to %d, overlap %d: %v", m.Name, counter.Name(), limits.Min, limits.Max, limits.Overlap, err)
				}
			}
		}
	})
}
