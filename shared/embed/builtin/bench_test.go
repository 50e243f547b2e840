package builtin

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"seam/shared/embed/static"
)

// sentences returns the texts to measure with: the JSON array in the file named by
// SEAM_SENTENCES, otherwise a few built-in ones, repeated.
func sentences(b *testing.B) []string {
	own := []string{
		"The harbour office keeps a list of every ship that has entered the bay since the old lighthouse was taken down.",
		"In spring the farmers open the gates of the upper canal, and for three weeks the meadows stand under water.",
		"A compiler that checks its own output with a second, slower method finds mistakes which no test had looked for.",
		"She wrote 214 letters between 1871 and 1879; most of them are about money, and hardly any mention the war.",
	}
	var all []string
	if name := os.Getenv("SEAM_SENTENCES"); name != "" {
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			b.Fatal(err)
		}
		return all
	}
	for i := range 10000 {
		all = append(all, own[i%len(own)])
	}
	return all
}

func benchModel(b *testing.B) *static.Model {
	data, err := os.ReadFile("model.bin")
	if err != nil {
		b.Skipf("no model to measure: %v", err)
	}
	m, err := LoadVerified(data)
	if err != nil {
		b.Fatal(err)
	}
	return m.Model
}

func embedAll(b *testing.B, m *static.Model, texts []string) {
	if _, err := m.Embed(context.Background(), texts, nil); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkEmbed(b *testing.B) {
	m, texts := benchModel(b), sentences(b)
	embedAll(b, m, texts)
	for b.Loop() {
		embedAll(b, m, texts)
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "sentences/s")
}

// Measures the first texts after opening a model, when vectors are expanded and words split
// for the first time.
func BenchmarkEmbedFirst(b *testing.B) {
	texts := sentences(b)
	for b.Loop() {
		b.StopTimer()
		m := benchModel(b)
		b.StartTimer()
		embedAll(b, m, texts)
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "sentences/s")
}

func BenchmarkTokenise(b *testing.B) {
	m, texts := benchModel(b), sentences(b)
	counter := m.Counter()
	n := 0
	for b.Loop() {
		n = 0
		for _, t := range texts {
			n += counter.Count(t)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "sentences/s")
	b.ReportMetric(float64(n)/float64(len(texts)), "tokens/sentence")
}

func BenchmarkSpans(b *testing.B) {
	m, texts := benchModel(b), sentences(b)
	counter := m.Counter()
	for b.Loop() {
		for _, t := range texts {
			counter.Spans(t)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "sentences/s")
}

func BenchmarkLoad(b *testing.B) {
	data, err := os.ReadFile("model.bin")
	if err != nil {
		b.Skipf("no model to measure: %v", err)
	}
	for name, load := range map[string]func([]byte) (*Model, error){"digest": Load, "verified": LoadVerified} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := load(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
