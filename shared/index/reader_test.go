package index

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Words cached from other queries must not change a result.
func TestReadTextsChangeNoAnswer(t *testing.T) {
	texts := append(zipf(5_000), "The max_tokens of maxTokens.", "水车转动，石磨也转动。", "İstanbul’da rüzgâr değirmeni", "")
	d, err := Analyse(Source{Texts: texts}, unwatched)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(c *Corpus, query string) []Hit {
		return c.Search(Query{Asked: c.Parse(query, true, nil), K: 5, Mode: Keyword, Texts: func(i int) string { return texts[i] }})
	}
	one := NewCorpus(d)
	for range 2 {
		for _, query := range []string{"w100 wab1001", "max tokens", "石磨", "w20 wab101 w20", "rüzgâr", "nothing-of-it", `"wab101 w20"`} {
			if got, want := ask(one, query), ask(NewCorpus(d), query); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v instead of %+v", query, got, want)
			}
		}
	}
}

// A text that could not be read for one query, for example because its search was stopped,
// must have its marks for the next one.
func TestUnreadTextsAreReadLater(t *testing.T) {
	texts := []string{"Water turns the wheel.", "A zither has forty strings."}
	d, err := Analyse(Source{Texts: texts}, unwatched)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(c *Corpus, text func(i int) string) []Hit {
		return c.Search(Query{Asked: c.Parse("zither", true, nil), K: 5, Mode: Keyword, Texts: text})
	}
	one, read := NewCorpus(d), func(i int) string { return texts[i] }
	ask(one, func(int) string { return "" })
	if got, want := ask(one, read), ask(NewCorpus(d), read); len(want) != 1 || len(want[0].Marks) != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v instead of %+v", got, want)
	}
}

// The cache must stay bounded, and reading a text again must give the same words.
func TestReaderForgets(t *testing.T) {
	var r reader
	text := ""
	for i := range 3000 {
		text += fmt.Sprintf("word%d ", i%700)
	}
	first := r.read(0, text)
	for n := 1; n*len(first) < 3*mostRead; n++ {
		r.read(n, text)
		if r.words > mostRead {
			t.Fatalf("%d words are kept", r.words)
		}
	}
	if _, ok := r.texts[0]; ok {
		t.Error("nothing was forgotten")
	}
	if huge := r.read(-1, strings.Repeat("a ", mostRead+1)); len(huge) != mostRead+1 || r.words > mostRead {
		t.Errorf("%d words are kept beside a text of %d", r.words, len(huge))
	}
	if again := r.read(0, text); !reflect.DeepEqual(again, first) {
		t.Error("what is read anew differs")
	}
}
