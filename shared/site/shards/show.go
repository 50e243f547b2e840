package shards

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// Shown is a chunk as displayed in a result.
type Shown struct {
	URL     string // with the anchor of the section that answers best
	Title   string
	Section []string
	Place   string // title of the anchor's target
	Text    string
	Meta    map[string]string
	Date    string
	// Versions lists the versions of the page, newest first, the page itself among them.
	Versions []Version
}

// Show reads the data that a result displays for a chunk.
func (x *Index) Show(f *Found, chunk int) (*Shown, error) {
	block, at, err := x.textOf(chunk)
	if err != nil {
		return nil, err
	}
	c := block.Chunks[at]
	p := block.Pages[c.Page]
	s := &Shown{URL: p.URL, Title: p.Title, Section: c.Section, Text: c.Text, Meta: p.Meta, Date: p.Date, Versions: p.Versions}
	if best := f.bestPlace(c); best >= 0 {
		s.URL += "#" + c.Places[best].ID
		s.Place = c.Places[best].Title
	}
	return s, nil
}

// ErrNoPage is the error for an address of no page in the index.
var ErrNoPage = errors.New("no page has this address")

// Read returns the title and the whole text of the page at a URL, as returned by Show. It
// searches through the texts of the index.
func (x *Index) Read(url string) (title, text string, err error) {
	url, _, _ = strings.Cut(url, "#")
	for page := range x.pages() {
		block, at, err := x.textOf(x.first[page])
		if err != nil {
			return "", "", err
		}
		if p := block.Pages[block.Chunks[at].Page]; p.URL == url {
			var parts []string
			for c := x.first[page]; c < x.first[page+1]; c++ {
				block, at, err := x.textOf(c)
				if err != nil {
					return "", "", err
				}
				parts = append(parts, block.Chunks[at].Text)
			}
			return p.Title, strings.Join(parts, "\n\n"), nil
		}
	}
	return "", "", fmt.Errorf("%.200q: %w", url, ErrNoPage)
}

// TextAt returns the part of a file that Show reads for a chunk.
func (x *Index) TextAt(chunk int) Piece { return x.texts[x.textAt(chunk)].Piece }

// textAt returns the number of the file with a chunk's text.
func (x *Index) textAt(chunk int) int {
	i, _ := slices.BinarySearchFunc(x.firstOfText, chunk, func(first, c int) int {
		if first <= c {
			return -1
		}
		return 1
	})
	return i - 1
}

// textOf returns the file with a chunk's text, and the chunk's number in it.
func (x *Index) textOf(chunk int) (*blockJSON, int, error) {
	i := x.textAt(chunk)
	block, err := of(x, x.texts[i].Piece, func(u *unpacker) *blockJSON {
		b := &blockJSON{}
		if err := json.Unmarshal(u.b, b); err != nil {
			u.fail(err.Error())
		} else if len(b.Chunks) != x.texts[i].count || slices.ContainsFunc(b.Chunks, func(c chunkJSON) bool { return c.Page < 0 || c.Page >= len(b.Pages) }) {
			u.fail("its chunks")
		}
		return b
	})
	return block, chunk - x.firstOfText[i], err
}

// inTitle is the factor for a word of the query in the title of a place.
const inTitle = 2

// bestPlace returns the place of a chunk with the best match for the query's words,
// weighted by rarity, in its text up to the next place. The text of a term that is explained
// together with others goes up to the end of their explanation. It returns -1 if there is no
// place.
func (f *Found) bestPlace(c chunkJSON) int {
	best, most := -1, -1.
	units := utf16.Encode([]rune(c.Text))
	for i, p := range c.Places {
		end, next := len(units), i+1
		for next < len(c.Places) && c.Places[next-1].Overload {
			next++
		}
		if next < len(c.Places) {
			end = c.Places[next].Start
		}
		if p.Start > end || end > len(units) {
			return best
		}
		worth := f.worth(string(utf16.Decode(units[p.Start:end])), 1) + f.worth(p.Title, inTitle)
		if worth > most {
			best, most = i, worth
		}
	}
	return best
}

// worth adds up the rarity of the query's words that occur in a text.
func (f *Found) worth(t string, times float64) float64 {
	in := map[string]bool{}
	eachWord(t, func(w []byte) { in[string(w)] = true })
	sum := 0.
	for _, w := range f.words {
		for _, x := range w.forms {
			if in[x.form.word] {
				sum += float64(times * float64(x.weight*w.rareness[0]))
				break
			}
		}
	}
	return sum
}

// Excerpt returns the part of a text with most words of the query, at most length runes
// long. "…" marks omitted text.
func (f *Found) Excerpt(t string, length int) string {
	words := strings.Fields(t)
	best, most, bestEnd := 0, -1., len(words)
	for i := 0; i < len(words); i += 5 {
		n, end := 0, i
		for end < len(words) && n+len([]rune(words[end])) < length {
			n += len([]rune(words[end])) + 1
			end++
		}
		if worth := f.worth(strings.Join(words[i:end], " "), 1); worth > most {
			best, most, bestEnd = i, worth, end
		}
		if end == len(words) {
			break
		}
	}
	out := strings.Join(words[best:bestEnd], " ")
	if best > 0 {
		out = "… " + out
	}
	if bestEnd < len(words) {
		out += " …"
	}
	return out
}
