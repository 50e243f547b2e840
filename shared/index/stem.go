package index

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"

	"seam/shared/token"
)

// stemmers are those of Snowball (snowballstem.org), by language. Those of Arabic, Turkish
// and Hungarian are left out for the 18 kB that they would add to the engine; what
// token.EachTerm finds in their place was not compared with them.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"da": danish.Stem, "nl": dutch.Stem, "en": english.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"de": german.Stem, "it": italian.Stem, "no": norwegian.Stem, "pt": portuguese.Stem,
	"ro": romanian.Stem, "ru": russian.Stem, "es": spanish.Stem, "sv": swedish.Stem}

// cut are languages of which the first letters of a word are its stem.
var cut = map[string]bool{"ar": true, "he": true, "tr": true, "hu": true, "pl": true, "cs": true, "uk": true, "bg": true, "el": true, "hi": true}

// stem returns what the forms of a word have in common in a language, without marks.
// Languages of many endings that have no stemmer here have the first letters of token.EachTerm.
func stem(word, language string) string {
	if len(word) == 0 || word[0] < 'a' {
		return word // a number
	}
	s := stemmers[language]
	switch {
	case s != nil:
		env := snowballstem.NewEnv(word)
		s(env)
		word = env.Current()
	case cut[language]:
		var buf [token.LongestTerm]byte
		first := ""
		token.EachTerm(word, buf[:0], func(t []byte) {
			if first == "" {
				first = string(t)
			}
		})
		word = first
	}
	if language == "de" {
		word = umlauts(word)
	}
	return fold(word)
}

// umlauts writes ae, oe and ue as the letters that they stand for, but where the e
// belongs to what follows: after another vowel and after q.
func umlauts(word string) string {
	if !strings.ContainsAny(word, "e") {
		return word
	}
	b := []byte(word)
	out := b[:0]
	for i, c := range b {
		if c == 'e' && i > 0 && strings.IndexByte("aou", b[i-1]) >= 0 && (i == 1 || strings.IndexByte("aeiouyq", word[i-2]) < 0) {
			continue
		}
		out = append(out, c)
	}
	return string(out)
}
