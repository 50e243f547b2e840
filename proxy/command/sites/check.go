package sites

import (
	"bufio"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/proxy/command/terminal"
	"seam/shared/site/shards"
)

// checkReport is the result of searching for words of the site's pages.
type checkReport struct {
	Tried  int         `json:"tried"`
	Found  int         `json:"found"` // words with their page among the first results
	First  int         `json:"first"` // of these, with their page first
	Missed []missedOne `json:"missed"`
}

type missedOne struct {
	Word  string `json:"word"`
	Page  string `json:"page"`  // the only page with it
	First string `json:"first"` // the page found first; "" if none
}

// Every word must find its page among the results that the widget shows. A check draws drawn words of at least shortestDrawn letters, always the same ones for the
// same site. It fails if less than fewestFound of them find their page.
const (
	drawn         = 400
	shortestDrawn = 4
	fewestFound   = .95
)

// checkOf searches the new index for words that occur on one page only.
func checkOf(x *indexer, index map[string][]byte, languages []shards.Language) (*checkReport, error) {
	pageOf, err := pagesOfWords(x)
	if err != nil {
		return nil, err
	}
	single := slices.Sorted(maps.Keys(pageOf))
	random := rand.New(rand.NewPCG(1, uint64(len(single))))
	random.Shuffle(len(single), func(i, j int) { single[i], single[j] = single[j], single[i] })
	var parts []shards.Part
	for _, l := range languages {
		opened, err := shards.Open(sourceOf(index), l.Meta)
		if err != nil {
			return nil, fmt.Errorf("search the new index: %w", err)
		}
		parts = append(parts, shards.Part{Open: func() (*shards.Index, func(string) ([]float32, error), error) { return opened, nil, nil }})
	}
	out := &checkReport{Missed: []missedOne{}}
	for _, w := range single[:min(len(single), drawn)] {
		if err := out.try(parts, w, pageOf[w]); err != nil {
			return nil, fmt.Errorf("search the new index for %q: %w", w, err)
		}
	}
	return out, nil
}

// pagesOfWords returns the words that occur on one indexed page only and may be drawn, with
// that page. It takes them from the files, not from the text that was indexed, so words that
// were left out are among them, but not words that the site or --ignore leaves out.
func pagesOfWords(x *indexer) (map[string]string, error) {
	const several = "\x00"
	pageOf := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(x.Known)) {
		p := x.Known[name].Page
		if p == nil || !x.indexed[p.URL] {
			continue
		}
		b, err := os.ReadFile(filepath.Join(x.Site, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, terminal.Reason(err))
		}
		words, err := x.reader.Words(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for w := range words {
			switch at, seen := pageOf[w]; {
			case !seen:
				pageOf[w] = p.URL
			case at != p.URL:
				pageOf[w] = several
			}
		}
	}
	maps.DeleteFunc(pageOf, func(w, at string) bool {
		return at == several || utf8.RuneCountInString(w) < shortestDrawn || strings.ContainsFunc(w, undrawn)
	})
	return pageOf, nil
}

// try searches for a word, and records whether it finds its only page.
func (r *checkReport) try(parts []shards.Part, word, page string) error {
	found, err := shards.SearchAll(parts, shards.Query{Text: word, Typing: true}, true)
	if err != nil {
		return err
	}
	first, at := "", -1
	for i, h := range found.Hits {
		shown, err := h.Index.Show(h.Found, h.Chunks[0])
		if err != nil {
			return err
		}
		url, _, _ := strings.Cut(shown.URL, "#")
		if i == 0 {
			first = url
		}
		if url == page {
			at = i
			break
		}
	}
	r.Tried++
	if at >= 0 {
		r.Found++
	} else {
		r.Missed = append(r.Missed, missedOne{word, page, first})
	}
	if at == 0 {
		r.First++
	}
	return nil
}

// undrawn reports whether a character keeps a word from being drawn: a digit, which may be a
// part of a longer number, or a letter of a script without spaces between words.
func undrawn(r rune) bool {
	return unicode.IsDigit(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// err returns the error of a check that found too few pages.
func (r *checkReport) err() error {
	if r == nil || float64(r.Found) >= fewestFound*float64(r.Tried) {
		return nil
	}
	return fmt.Errorf("--check: only %d of %d words find the one page that has them; see where text is left out above", r.Found, r.Tried)
}

func (r *checkReport) print(w *bufio.Writer) {
	fmt.Fprintf(w, "  check: %d of %d words that occur on one page only find it, %d of them as the first result\n", r.Found, r.Tried, r.First)
	for _, m := range r.Missed[:min(len(r.Missed), maxListed)] {
		first := "nothing"
		if m.First != "" {
			first = terminal.Shown(m.First)
		}
		fmt.Fprintf(w, "    %q is on %s, found %s\n", m.Word, terminal.Shown(m.Page), first)
	}
	if n := len(r.Missed) - maxListed; n > 0 {
		fmt.Fprintf(w, "    %d more; list them with --json\n", n)
	}
}

// leftReport describes the text of pages that is not in the index, for one reason.
type leftReport struct {
	Why     string `json:"why"`
	Words   int    `json:"words"`
	Pages   int    `json:"pages"`
	Largest string `json:"largest"` // the page with most of these words
	Most    int    `json:"most"`    // its number of them
}

// leftOf adds up the text left out of the indexed pages, most words first.
func leftOf(x *indexer) []leftReport {
	by := map[string]*leftReport{}
	for _, name := range slices.Sorted(maps.Keys(x.Known)) {
		p := x.Known[name].Page
		if p == nil || !x.indexed[p.URL] {
			continue
		}
		for _, l := range p.Left {
			r := by[l.Why]
			if r == nil {
				r = &leftReport{Why: l.Why}
				by[l.Why] = r
			}
			r.Words += l.Words
			if r.Pages++; l.Words > r.Most {
				r.Largest, r.Most = name, l.Words
			}
		}
	}
	return slices.SortedFunc(func(yield func(leftReport) bool) {
		for _, r := range by {
			if !yield(*r) {
				return
			}
		}
	}, func(a, b leftReport) int {
		if a.Words != b.Words {
			return b.Words - a.Words
		}
		return strings.Compare(a.Why, b.Why)
	})
}

func printLeft(w *bufio.Writer, all []leftReport) {
	for i, l := range all {
		if i == maxListed {
			fmt.Fprintf(w, "  %d more reasons for text left out; list them with --json\n", len(all)-i)
			return
		}
		fmt.Fprintf(w, "  text left out: %s of %s, %s; most on %s: %d\n", terminal.Count(l.Words, "word"), terminal.Count(l.Pages, "page"), l.Why, terminal.Shown(l.Largest), l.Most)
	}
}
