package chunk_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/topic"
)

func threshold(name string) chunk.Threshold {
	m, err := breakpoint.Lookup(name)
	if err != nil {
		panic(err)
	}
	return chunk.Threshold{Method: m}
}

// topics is chunk.Semantic over the topics of what it is given.
type topics struct{}

func (topics) Chunk(in chunk.Input, limits chunk.Limits) ([]chunk.Chunk, error) {
	if len(in.Sentences) == 0 {
		return chunk.Semantic{Topics: &topic.Topics{}}.Chunk(in, limits)
	}
	texts := make([]string, len(in.Sentences))
	for i, s := range in.Sentences {
		texts[i] = s.Of(in.View.Text)
	}
	layout := chunk.Layout(in)
	found, err := topic.Find(topic.Input{Sentences: texts, Vectors: in.Vectors, Layout: layout})
	if err != nil {
		return nil, err
	}
	return chunk.Semantic{Topics: found, Layout: layout}.Chunk(in, limits)
}

var chunkers = []struct {
	name string
	chunk.Chunker
	has chunktest.Features
}{
	{"semantic", topics{}, chunktest.Features{Min: true, Overlap: true, Everywhere: true}},
	{"percentile", threshold("percentile"), chunktest.Features{Min: true, Overlap: true, Everywhere: true}},
	{"gradient", threshold("gradient"), chunktest.Features{Min: true, Overlap: true, Everywhere: true}},
	{"fixed", chunk.Fixed{}, chunktest.Features{Overlap: true, Size: chunk.DefaultSize}},
	{"recursive", chunk.Recursive{}, chunktest.Features{Min: true, Overlap: true, Size: chunk.DefaultSize}},
	{"sections", chunk.Sections{}, chunktest.Features{Min: true}},
	{"sentences", chunk.Sentences{}, chunktest.Features{Min: true, Overlap: true}},
	{"page", chunk.Pages{}, chunktest.Features{Min: true}},
	{"cluster", chunk.Cluster{}, chunktest.Features{Min: true, Overlap: true, Size: chunk.DefaultCluster, Everywhere: true}},
}

// real are the documents of SEAM_DATA, where that is set.
func real(t *testing.T) map[string]string {
	docs := map[string]string{}
	dir := os.Getenv("SEAM_DATA")
	if dir == "" {
		t.Log("without real documents: set SEAM_DATA")
		return docs
	}
	patterns := []string{"chunking_eval/corpora/*.md", "segmentation/docs/book-*.txt", "segmentation/docs/synth-3-5-00[0-3].txt"}
	if runtime.GOOS == "js" { // which takes several times as long
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
	for _, c := range chunkers {
		t.Run(c.name, func(t *testing.T) { chunktest.Run(t, c.name, c.Chunker, c.has, docs) })
	}
}

func FuzzChunkers(f *testing.F) {
	for _, s := range chunktest.Texts {
		f.Add(s[:min(len(s), 300)], uint8(3), uint8(20), uint8(4))
	}
	f.Fuzz(func(t *testing.T, s string, least, most, overlap uint8) {
		if len(s) > 3000 {
			return
		}
		in := chunktest.Input(text.NewPlain(s))
		for _, c := range chunkers {
			for _, counter := range []token.Counter{token.Characters, token.Words, token.Estimate} {
				limits := chunk.Limits{Max: int(most), Counter: counter}
				if c.has.Min {
					limits.Min = int(least)
				}
				if c.has.Overlap {
					limits.Overlap = int(overlap)
				}
				if limits.Max == 0 {
					limits.Max = c.has.Size
				}
				if limits.Check() != nil {
					continue
				}
				chunks, err := c.Chunk(in, limits)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				if err := chunktest.Check(in.View, chunks, limits); err != nil {
					t.Fatalf("%s, %s %d to %d, overlap %d: %v", c.name, counter.Name(), limits.Min, limits.Max, limits.Overlap, err)
				}
			}
		}
	})
}
