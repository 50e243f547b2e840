// Package shards is the index of a site for the widget. It consists of many small files, of
// which a search reads a few. The package also contains the search itself, which web/widget
// repeats in TypeScript to the last bit. README.md describes the files.
package shards

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/index"
	"seam/shared/text"
)

// Page is a page of a site.
type Page struct {
	URL      string
	Title    string
	Chunks   []Chunk // in page order, at least one
	Headings []Heading
	Keywords []string
	Openings []string // the beginning of each section
	Filters  map[string][]string
	Meta     map[string]string
	Date     string // 2026-11-24 or ""
	Weight   float64
	// Versions lists the versions of the page, newest first, the page itself among them.
	Versions []Version
}

// Version is a version of a page. A copy of the page at another address has no name.
type Version struct {
	Name string `json:"n"`
	URL  string `json:"u"`
}

// Chunk is a part of a page. Excerpts come from its text.
type Chunk struct {
	Text    string
	Section []string // titles of the sections around its start, outermost first
	Places  []Place
	// Expansions are words that the chunk lacks but may be searched for by, with weights
	// above 0. A weight of 1 equals one occurrence in the chunk.
	Expansions map[string]float64 `json:",omitempty"`
}

// Place is the position of an anchor in a chunk's text, with the title of its target.
type Place struct {
	Start int // byte offset in the text
	ID    string
	Title string
	// Overload is whether the place is a term that is explained together with the next
	// place, below it.
	Overload bool
}

// Heading is a heading of a page, with the chunks of its section.
type Heading struct {
	Title  string
	Chunks text.Span // chunk numbers within the page
}

// eachWord calls add for the words of a text: those of index.EachWord, and dotted names
// (os.path.join, std::fmt) as a whole, those with a short ending also as one word (Node.js:
// nodejs), and the words of eachSigned.
func eachWord(s string, add func(form []byte)) {
	index.EachWord(s, func(form []byte, _ bool) { add(form) })
	var buf []byte
	eachSigned(s, func(form string) {
		buf = append(buf[:0], form...)
		add(buf)
	})
	for rest := s; ; {
		name, after := dotted(rest)
		if name == "" {
			return
		}
		if len(name) <= longestName {
			buf = append(buf[:0], strings.ToLower(strings.ReplaceAll(name, "::", "."))...)
			add(buf)
		}
		if first, last, _ := strings.Cut(name, "."); len(name) <= longestName && first != "" && last != "" && len(last) <= longestSuffix && !strings.ContainsAny(first+last, ".:") {
			buf = append(append(buf[:0], strings.ToLower(first)...), strings.ToLower(last)...)
			add(buf)
		}
		rest = after
	}
}

// longestSuffix is the maximum length in bytes of the ending of a name that is also written
// as one word.
const longestSuffix = 3

// longestName is the maximum length in bytes of a dotted name.
const longestName = 64

// dotted returns the first name with several parts in a text, and the text after it. Parts
// consist of ASCII letters, digits and "_", begin with a letter, and are joined by "." or
// "::".
func dotted(s string) (name, after string) {
	start, joins, part := -1, 0, false // part: the current part has begun with a letter
	for i := 0; i <= len(s); i++ {
		c := byte(0)
		if i < len(s) {
			c = s[i]
		}
		switch {
		case isNameLetter(c) || part && c >= '0' && c <= '9':
			if start < 0 && afterLetter(s[:i]) {
				for i+1 < len(s) && isNamePart(s[i+1]) {
					i++ // the rest of a word that is no name
				}
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

// afterLetter reports whether a text ends with a letter or a number.
func afterLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isNameLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// queryWords returns the distinct words of a query in order.
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
	defer eachSigned(query, add)
	for rest := query; ; {
		name, after := dotted(rest)
		if name == "" {
			return
		}
		add(strings.ToLower(strings.ReplaceAll(name, "::", ".")))
		rest = after
	}
}

// mostWords is the maximum number of words in a query that count.
const mostWords = 40
