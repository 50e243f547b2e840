// Package shards is the index of a site as the widget searches it: small files of which a
// search reads a few, and the search itself, which web/widget repeats in TypeScript to the
// last bit. See README.md for the files.
package shards

import (
	"slices"
	"strings"

	"seam/shared/index"
	"seam/shared/text"
)

// Page is one of a site.
type Page struct {
	URL      string
	Title    string
	Chunks   []Chunk // in the order of the page, at least one
	Headings []Heading
	Keywords []string
	Openings []string // of each section, what it begins with
	Filters  map[string][]string
	Meta     map[string]string
	Date     string // 2026-11-24 or ""
	Weight   float64
}

// Chunk is a part of a page. Its text is what an excerpt is made of.
type Chunk struct {
	Text    string
	Section []string // titles of the sections around its beginning, the outermost first
	Places  []Place
	// Expansions are words that it could be asked for with and does not have, with weights above
	// 0: 1 is that of a word that it has once.
	Expansions map[string]float64 `json:",omitempty"`
}

// Place is where an anchor stands in a chunk's text, with the title of what it names.
type Place struct {
	Start int // byte of the text
	ID    string
	Title string
}

// Heading is one of a page, with the chunks that its section holds.
type Heading struct {
	Title  string
	Chunks text.Span // numbers of chunks of the page
}

// eachWord calls add for the words of a text: those of index.EachWord, and dotted names
// (os.path.join, std::fmt) as a whole.
func eachWord(s string, add func(form []byte)) {
	index.EachWord(s, func(form []byte, _ bool) { add(form) })
	var buf []byte
	for rest := s; ; {
		name, after := dotted(rest)
		if name == "" {
			return
		}
		if len(name) <= longestName {
			buf = append(buf[:0], strings.ToLower(strings.ReplaceAll(name, "::", "."))...)
			add(buf)
		}
		rest = after
	}
}

// longestName is the most bytes of a dotted name that is a word.
const longestName = 64

// dotted returns the first name of several parts in a text and what follows it: parts are
// of ASCII letters, digits and "_", begin with a letter, and are joined by "." or "::".
func dotted(s string) (name, after string) {
	start, joins, part := -1, 0, false // part: the part at hand has begun with a letter
	for i := 0; i <= len(s); i++ {
		c := byte(0)
		if i < len(s) {
			c = s[i]
		}
		switch {
		case isNameLetter(c) || part && c >= '0' && c <= '9':
			if start < 0 && i > 0 && (s[i-1] >= '0' && s[i-1] <= '9' || s[i-1] >= 0x80) {
				continue
			}
			if start < 0 {
				start = i
			}
			part = true
		case part && c == '.' && i+1 < len(s) && isNameLetter(s[i+1]):
			joins, part = joins+1, false
		case part && c == ':' && i+2 < len(s) && s[i+1] == ':' && isNameLetter(s[i+2]):
			joins, part = joins+1, false
			i++
		default:
			if joins > 0 {
				return s[start:i], s[i:]
			}
			start, joins, part = -1, 0, false
		}
	}
	return "", ""
}

func isNameLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// queryWords are the words of a query, each once, in their order.
func queryWords(query string) []string {
	var out []string
	eachQueryWord(query, func(w string) {
		if !slices.Contains(out, w) && len(out) < mostWords {
			out = append(out, w)
		}
	})
	return out
}

func eachQueryWord(query string, add func(string)) {
	for _, w := range index.Words(query) {
		add(w.Form)
	}
	for rest := query; ; {
		name, after := dotted(rest)
		if name == "" {
			return
		}
		add(strings.ToLower(strings.ReplaceAll(name, "::", ".")))
		rest = after
	}
}

// mostWords are how many words of a query count.
const mostWords = 40
