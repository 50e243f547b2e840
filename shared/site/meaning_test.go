package site

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/embed/encoder"
	"seam/shared/embed/meaning"
	"seam/shared/site/shards"
	"seam/shared/vector"
)

func encoderModel(t testing.TB) *encoder.Model {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "embed", "meaning", "model.bin.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	m, err := meaning.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func embedded(t testing.TB, m *encoder.Model, texts ...string) vector.Matrix {
	t.Helper()
	v, err := m.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// withMeaning returns the index of the handbook's English pages, with vectors of their
// chunks.
func withMeaning(t testing.TB, m *encoder.Model) (entry, vectors string, files shards.Files) {
	t.Helper()
	pages := cutPages(t, "en")
	entry, files, err := shards.Build("en/", "en", pages)
	if err != nil {
		t.Fatal(err)
	}
	texts, parts := shards.Readings(pages, m.Counter())
	vectors, more := shards.BuildMeaning("en/", shards.Meaning{Model: m.ID(), Vectors: embedded(t, m, texts...), Parts: parts})
	maps.Copy(files, more)
	return entry, vectors, files
}

// goldenMeaning is the result of a query by words and meaning. web/widget's tests read the
// same file and give the widget the same vector.
type goldenMeaning struct {
	Query  string      `json:"query"`
	Asked  string      `json:"asked"`  // the text that was embedded
	Vector string      `json:"vector"` // float32, little endian, in base64
	Hits   []goldenHit `json:"hits"`
	Count  int         `json:"count"`
}

var meant = []string{
	"tension",
	"the fabric comes out crooked",
	"how do I fix a snapped thread?",
	"which machine part pulls on the yarn",
	"troubelshooting a stuck motor",
	"loom.tension.setTarget",
	"draw my own ornaments",
	"zebra xylophone",
	"the",
	"",
}

// Results by words and meaning must match the golden file.
func TestGoldenMeaning(t *testing.T) {
	m := encoderModel(t)
	entry, vectors, files := withMeaning(t, m)
	var all []goldenMeaning
	for _, query := range meant {
		x := open(t, entry, files)
		if err := x.OpenMeaning(vectors); err != nil {
			t.Fatal(err)
		}
		g := goldenMeaning{Query: query, Hits: []goldenHit{}}
		found, err := x.Search(shards.Query{Text: query, Vector: func(s string) ([]float32, error) {
			v := embedded(t, m, s).Row(0)
			var b []byte
			for _, f := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
			}
			g.Asked, g.Vector = s, base64.StdEncoding.EncodeToString(b)
			return v, nil
		}})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		g.Count = found.Count
		for _, h := range found.Hits {
			shown, err := x.Show(found, h.Chunks[0])
			if err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			g.Hits = append(g.Hits, goldenHit{shown.URL, h.Chunks, h.Score})
		}
		all = append(all, g)
	}
	compareGolden(t, "golden-meaning.json", all)
}

// A page without any word of the query must be found by meaning, with a vector made in the
// test.
func TestFoundByMeaning(t *testing.T) {
	m := encoderModel(t)
	entry, vectors, files := withMeaning(t, m)
	x := open(t, entry, files)
	if _, err := x.Search(shards.Query{Text: "yarn", Vector: func(string) ([]float32, error) { return nil, nil }}); err == nil {
		t.Error("an index whose vectors are not open was searched by them")
	}
	if err := x.OpenMeaning(vectors); err != nil || x.Model() != m.ID() {
		t.Fatalf("%v; the model is %q", err, x.Model())
	}
	asked := ""
	ask := func(s string) ([]float32, error) { asked = s; return embedded(t, m, s).Row(0), nil }
	const query = "strings snapping"
	if found, err := x.Search(shards.Query{Text: query}); err != nil || len(found.Hits) > 0 {
		t.Fatalf("by words: %v, %v", found, err)
	}
	found, err := x.Search(shards.Query{Text: query, Vector: ask})
	if err != nil || len(found.Hits) == 0 {
		t.Fatalf("by meaning: %v, %v", found, err)
	}
	if asked != query {
		t.Errorf("the vector of %q was asked for", asked)
	}
	shown, err := x.Show(found, found.Hits[0].Chunks[0])
	if err != nil || !strings.HasPrefix(shown.URL, "guide/mending.html") {
		t.Errorf("by meaning: %+v, %v", shown, err)
	}
	if _, err = x.Search(shards.Query{Text: "selenoid", Vector: ask}); err != nil || asked != "solenoid" {
		t.Errorf("the vector of %q was asked for, not of the corrected query: %v", asked, err)
	}
	if _, err := x.Search(shards.Query{Text: query, Vector: func(string) ([]float32, error) { return make([]float32, 3), nil }}); err == nil {
		t.Error("a vector of another length was taken")
	}
	unknown := func(string) ([]float32, error) { return nil, nil }
	if found, err := x.Search(shards.Query{Text: query, Vector: unknown}); err != nil || len(found.Hits) > 0 {
		t.Errorf("a query of which the encoder knows nothing: %v, %v", found, err)
	}
	failed := errors.New("away")
	if _, err := x.Search(shards.Query{Text: query, Vector: func(string) ([]float32, error) { return nil, failed }}); !errors.Is(err, failed) {
		t.Errorf("what makes vectors has failed: %v", err)
	}
}
