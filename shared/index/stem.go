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

// stemmers are Snowball's (snowballstem.org), by language. The stemmers for Arabic, Turkish
// and Hungarian are left out because they would add 18 kB to the engine. They have not been
// compared with token.EachTerm, which is used instead.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"da": danish.Stem, "nl": dutch.Stem, "en": english.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"de": german.Stem, "it": italian.Stem, "no": norwegian.Stem, "pt": portuguese.Stem,
	"ro": romanian.Stem, "ru": russian.Stem, "es": spanish.Stem, "sv": swedish.Stem}

// cut lists languages in which the first letters of a word serve as its stem.
var cut = map[string]bool{"ar": true, "he": true, "tr": true, "hu": true, "pl": true, "cs": true, "uk": true, "bg": true, "el": true, "hi": true}

// stem returns the part that the forms of a word share in a language, without marks. For
// inflected languages without a stemmer here, that is the first letters from
// token.EachTerm.
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

// umlauts replaces ae, oe and ue by a, o and u, the umlauts without their marks. It keeps
// them after another vowel and after q, where the e belongs to the next sound.
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
