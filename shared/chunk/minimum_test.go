package chunk

import (
	"strings"
	"testing"

	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
)

// Without a maximum, a minimum must always hold.
func TestMinimumHolds(t *testing.T) {
	in := texts["prose"]
	v := text.NewPlain(in).View(text.Reading)
	sentences := sentence.Split(in)
	s := similarities(len(sentences))
	for _, limits := range []Limits{{Min: 3}, {Min: 30}, {Min: 10, Max: 60}} {
		limits.Counter = token.Words
		for i, c := range sentencesOf(t, v, sentences, s, boundaries(t, "percentile", s, 0), limits) {
			if c.Tokens < limits.Min {
				t.Errorf("%v: chunk %d has %d tokens", limits, i, c.Tokens)
			}
		}
	}
	if got := sentencesOf(t, v, sentences, s, boundaries(t, "percentile", s, 0), Limits{Min: 1_000_000, Counter: token.Words}); len(got) != 1 {
		t.Errorf("a minimum longer than the text leaves %d chunks", len(got))
	}
}

// A minimum joins no more sentences than it needs, except at the end of the text.
func TestAMinimumTakesNoMoreThanItNeeds(t *testing.T) {
	const least = 12
	v := text.NewPlain(texts["prose"]).View(text.Reading)
	s := sentence.Split(v.Text)
	_, chunks, err := Cut(sentences().Chunker, Input{View: v, Sentences: s}, Criterion{}, Limits{Min: least, Counter: token.Words})
	if err != nil || len(chunks) < 10 {
		t.Fatalf("%d chunks, %v", len(chunks), err)
	}
	for i, c := range chunks[:len(chunks)-1] {
		inner := sentence.Split(c.Of(v.Text))
		last := inner[len(inner)-1]
		if rest := token.Words.Count(c.Of(v.Text)[:last.Start]); c.Tokens < least || rest >= least {
			t.Errorf("chunk %d has %d words, and %d without its last sentence: %q", i, c.Tokens, rest, c.Of(v.Text))
		}
	}
}

// Sentences without tokens never reach a minimum. If each joined sentence counts all
// earlier ones again, this takes minutes.
func TestAMinimumOfSentencesWithoutTokens(t *testing.T) {
	in := "One word. " + strings.Repeat("(. ", 300_000)
	v := text.NewPlain(in).View(text.Reading)
	s := sentence.Split(in)
	for _, limits := range []Limits{{Min: 5}, {Min: 5, Max: 50}} {
		limits.Counter = token.Words
		_, chunks, err := Cut(sentences().Chunker, Input{View: v, Sentences: s}, Criterion{}, limits)
		if err != nil || len(chunks) != 1 || chunks[0].Tokens != 2 {
			t.Errorf("%v: %d chunks, %v", limits, len(chunks), err)
		}
	}
}
