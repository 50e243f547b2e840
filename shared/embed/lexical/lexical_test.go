package lexical

import (
	"context"
	"errors"
	"math"
	"testing"

	"seam/shared/embed"
	"seam/shared/vector"
)

// topics are two topics, alternating every five sentences, each with its own words.
var topics = []string{
	"The engine burns fuel in its cylinders.",
	"Fuel reaches the cylinders through a pump.",
	"A worn pump makes the engine cough.",
	"The cylinders of a large engine are cooled with water.",
	"Cooling water runs around the engine and its cylinders.",
	"Tomatoes grow best in a sunny garden.",
	"A sunny garden with good soil feeds tomatoes all summer.",
	"Good soil holds water for the roots of the plants.",
	"Plants in poor soil grow few tomatoes.",
	"The gardener waters the plants of the garden in summer.",
}

func vectors(t *testing.T, e embed.Embedder, texts ...string) vector.Matrix {
	t.Helper()
	m, err := e.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTopicsAreApart(t *testing.T) {
	m := vectors(t, &Embedder{}, topics...)
	within, across := 0.0, 0.0
	for i := range 10 {
		for j := range i {
			if s := vector.Cosine(m.Row(i), m.Row(j)); (i < 5) == (j < 5) {
				within += s / 20
			} else {
				across += s / 25
			}
		}
	}
	if within < across+0.2 {
		t.Errorf("mean similarity %.2f within a topic, %.2f across", within, across)
	}
}

func TestRowsHaveLengthOneOrZero(t *testing.T) {
	texts := append([]string{"", " \n", "…", "word", "word word word", "日本語の文。"}, topics...)
	m := vectors(t, &Embedder{}, texts...)
	if m.Rows != len(texts) || m.Dim != Dim || m.Check() != nil {
		t.Fatalf("%d×%d", m.Rows, m.Dim)
	}
	for i, text := range texts {
		n := math.Sqrt(vector.Dot(m.Row(i), m.Row(i)))
		want := 1.0
		if i < 3 {
			want = 0
		}
		if math.Abs(n-want) > 1e-5 {
			t.Errorf("%q has length %v", text, n)
		}
	}
}

func TestFewTexts(t *testing.T) {
	for _, texts := range [][]string{{}, {"one"}, {"one", "one"}, {"one", "two"}, {"", ""}} {
		if m := vectors(t, &Embedder{}, texts...); m.Rows != len(texts) {
			t.Errorf("%q gives %d rows", texts, m.Rows)
		}
	}
	m := vectors(t, &Embedder{}, "the same words", "the same words")
	if s := vector.Cosine(m.Row(0), m.Row(1)); math.Abs(s-1) > 1e-6 {
		t.Errorf("the same text twice is similar by %v", s)
	}
}

func TestQueriesMeetTheCollection(t *testing.T) {
	fitted, err := new(Embedder).Fit(context.Background(), topics, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := vectors(t, fitted, topics...)
	q := vectors(t, fitted, "cooling an engine", "unheard gibberish")
	if best := vector.TopK(m, q.Row(0), 1)[0].Row; best > 4 {
		t.Errorf("the best for an engine is %q", topics[best])
	}
	if vector.Dot(q.Row(1), q.Row(1)) != 0 {
		t.Error("words that the collection does not have get a vector")
	}
}

func TestOrderAndBatchesDoNotMatterOnceFitted(t *testing.T) {
	fitted, _ := new(Embedder).Fit(context.Background(), topics, nil)
	all := vectors(t, fitted, topics...)
	for i, text := range topics {
		one := vectors(t, fitted, text)
		for j, x := range one.Row(0) {
			if x != all.Row(i)[j] {
				t.Fatalf("%q differs alone and among others", text)
			}
		}
	}
}

func TestLargeCollectionsAreSampled(t *testing.T) {
	var many []string
	for i := range 3 * sampleSize {
		many = append(many, topics[i%len(topics)])
	}
	m := vectors(t, &Embedder{}, many...)
	for j, x := range m.Row(0) {
		if x != m.Row(len(topics))[j] {
			t.Fatal("equal texts got different vectors")
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := new(Embedder).Embed(ctx, topics, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	stop := errors.New("stop")
	calls := 0
	_, err := new(Embedder).Embed(context.Background(), topics, func(done, total int) error {
		if calls++; done < 0 || done > total {
			t.Errorf("%d of %d", done, total)
		}
		if calls == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

func TestTerm(t *testing.T) {
	for word, want := range map[string]string{
		"Engines": "engine", "engine": "engine", "glass": "glass", "bus": "bus", "this": "this", "Peter's": "peter", "gas": "gas", "ÄPFEL": "äpfel",
	} {
		if got := Term(word); got != want {
			t.Errorf("%q counts as %q, want %q", word, got, want)
		}
	}
}

func BenchmarkEmbed1000(b *testing.B) {
	var texts []string
	for i := range 1000 {
		texts = append(texts, topics[i%len(topics)])
	}
	for b.Loop() {
		if _, err := new(Embedder).Embed(context.Background(), texts, nil); err != nil {
			b.Fatal(err)
		}
	}
}
