package shards

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"seam/shared/index"
	"seam/shared/text"
)

// Sizes of the shards in bytes before compression. A search for one word reads one shard of
// each kind. On Python's docs, words and texts of 12 and 8 kB need 55.7 to 64.1 kB until the
// first result (three queries, scripts included), of 6 and 5 kB 51.9 to 55.9 kB, and of 4 and
// 4 kB 51.8 to 54.7 kB, with a first file that is 2.9 kB larger.
const (
	wordsSize = 6 << 10
	textSize  = 5 << 10
	spellSize = 10 << 10
)

// Build writes the index of the pages of one language, which must be in order of their
// URLs. File names begin with prefix and end with a hash of the content. It returns the
// name of the file to read first.
func Build(prefix, language string, pages []Page) (entry string, files Files, err error) {
	b := &builder{prefix: prefix, language: language, files: Files{}, forms: map[string]*gathered{}}
	for i := range pages {
		if len(pages[i].Chunks) == 0 {
			return "", nil, fmt.Errorf("the page %s has no chunks", pages[i].URL)
		}
		b.page(&pages[i])
	}
	b.compounds()
	words, forward, backward, texts := b.packing("w"), b.packing("f"), b.packing("b"), b.packing("t")
	firsts := b.words(words)
	counts, err := b.texts(pages, texts)
	if err != nil {
		return "", nil, err
	}
	p := &packer{}
	b.meta(p)
	for _, list := range []struct {
		firsts []string
		pieces *packing
	}{{firsts, words}, {b.spelling(false, forward), forward}, {b.spelling(true, backward), backward}} {
		p.uint(len(list.firsts))
		p.last = ""
		for _, w := range list.firsts {
			p.word(w)
		}
		list.pieces.write(p)
	}
	p.uint(len(counts))
	for _, n := range counts {
		p.uint(n)
	}
	texts.write(p)
	b.writeMeta(p, pages)
	writeSame(p, pages)
	entry = b.put("m", p.b)
	return entry, b.files, nil
}

type builder struct {
	prefix, language string
	files            Files
	forms            map[string]*gathered
	chunks           []int // lengths in words
	pages            []pageCount
	seen             seen
	opening          int32             // number of summary texts counted so far
	stems            map[string]string // of groups, by their first forms
	endings          []string          // longest first
	expands          bool              // there are expansions
}

type pageCount struct {
	chunks, title, length, summary int
}

// page counts the words of a page.
func (b *builder) page(p *Page) {
	first := len(b.chunks)
	count := pageCount{chunks: len(p.Chunks)}
	for i, c := range p.Chunks {
		n := 0
		eachWord(c.Text, func(w []byte) {
			f := b.form(w)
			f.body.add(first+i, 1)
			n++
		})
		b.expand(first+i, c.Expansions)
		b.chunks = append(b.chunks, n)
		count.length += n
	}
	whole := text.Span{Start: 0, End: len(p.Chunks)}
	count.length += b.heading(first, p.Title, whole, true)
	eachWord(unnumbered(p.Title), func([]byte) { count.title++ })
	for _, k := range p.Keywords {
		count.length += b.heading(first, k, whole, false)
	}
	for _, h := range p.Headings {
		if h.Title != p.Title || h.Chunks != whole {
			count.length += b.heading(first, h.Title, h.Chunks, false)
		}
	}
	count.summary = b.summary(p)
	b.pages = append(b.pages, count)
}

// Weights of expansions are multiples of 1/finest, at most mostWeight of them.
const (
	finest     = 16
	mostWeight = 64
)

// expand counts words that a chunk lacks. They do not add to its length.
func (b *builder) expand(chunk int, words map[string]float64) {
	weights := map[*gathered]float64{}
	for word, weight := range words {
		if weight > 0 { // also excludes NaN
			index.EachWord(word, func(w []byte, single bool) {
				if !single {
					f := b.form(w)
					weights[f] = max(weights[f], min(weight, mostWeight))
				}
			})
		}
	}
	for f, weight := range weights {
		if n := int(math.Round(weight * finest)); n > 0 {
			f.expanded = append(f.expanded, posting{chunk: int32(chunk), n: int32(n)})
			b.expands = true
		}
	}
}

// summary counts the words that show what a page is about: the words of its title twice,
// those of its headings, and the distinct words of each section's opening. They form a
// third score of pages.
func (b *builder) summary(p *Page) (n int) {
	page := len(b.pages)
	add := func(t string, often int, once bool) {
		b.opening++
		eachWord(t, func(w []byte) {
			f := b.form(w)
			if once && f.opening == b.opening {
				return
			}
			f.opening = b.opening
			f.summary.add(page, often)
			n += often
		})
	}
	add(p.Title, 2, false)
	for _, h := range p.Headings {
		add(h.Title, 1, false)
	}
	for _, o := range p.Openings {
		add(o, 1, true)
	}
	return n
}

// unnumbered returns a title without a number before it, as in "3.5. Window functions",
// because people search for titles without the number.
func unnumbered(title string) string {
	if rest := strings.TrimLeft(title, "0123456789. "); rest != "" {
		return rest
	}
	return title
}

// heading counts the words of a title, which apply to each chunk of its section.
func (b *builder) heading(first int, title string, of text.Span, isTitle bool) (n int) {
	eachWord(title, func(w []byte) {
		f := b.form(w)
		f.headings = append(f.headings, posting{int32(first + of.Start), int32(of.Len()), isTitle})
		n++
	})
	for i := of.Start; i < of.End; i++ {
		b.chunks[first+i] += n
	}
	return n
}

func (b *builder) form(w []byte) *gathered {
	if f := b.forms[string(w)]; f != nil {
		return f
	}
	f := &gathered{word: string(w)}
	b.forms[f.word] = f
	return f
}

// words writes the shards of postings, and returns the first word of each.
func (b *builder) words(to *packing) []string {
	all := b.stemmed()
	var parts [][][]*gathered // the groups of each shard
	size := wordsSize
	for _, g := range all {
		n := 8
		for _, f := range g {
			n += len(f.word) + 2*f.body.texts + 3*len(f.headings) + 2*f.summary.texts + 3*len(f.expanded)
		}
		if size+n > wordsSize && size > 0 {
			parts, size = append(parts, nil), 0
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], g)
		size += n
	}
	firsts := make([]string, len(parts))
	for i, part := range parts {
		firsts[i] = part[0][0].word
	}
	aliases := b.aliases(all, firsts)
	for i, part := range parts {
		p := &packer{}
		p.uint(len(part))
		for _, g := range part {
			b.group(p, g)
		}
		p.uint(len(aliases[i]))
		p.last = ""
		for _, a := range aliases[i] {
			p.word(a[0])
			p.string(a[1])
		}
		to.add(p.b)
	}
	return firsts
}

// Flags for the lists that a form has.
const (
	hasBody = 1 << iota
	hasHeadings
	hasSummary
	hasExpanded
)

// group writes the forms of a stem with their weights: the logarithms of their rarity among
// chunks and among pages, in thousandths.
func (b *builder) group(p *packer, forms []*gathered) {
	chunks, pages := b.frequencies(forms)
	p.uint(len(forms))
	p.uint(rarity(len(b.chunks), chunks))
	p.uint(rarity(len(b.pages), pages))
	for _, f := range forms {
		p.word(f.word)
		flags := 0
		if f.body.texts > 0 {
			flags |= hasBody
		}
		if len(f.headings) > 0 {
			flags |= hasHeadings
		}
		if f.summary.texts > 0 {
			flags |= hasSummary
		}
		if len(f.expanded) > 0 {
			flags |= hasExpanded
		}
		p.uint(flags)
		p.list(&f.body)
		if len(f.headings) > 0 {
			slices.SortStableFunc(f.headings, func(a, b posting) int { return int(a.chunk - b.chunk) })
			p.uint(len(f.headings))
			at := int32(0)
			for _, x := range f.headings {
				title := 0
				if x.title {
					title = 1
				}
				p.uint(int(x.chunk-at)<<1 | title)
				p.uint(int(x.n))
				at = x.chunk
			}
		}
		p.list(&f.summary)
		p.counts(f.expanded)
	}
}

// rarity returns 1000 ln(1 + (n − df + .5)/(df + .5)), rounded. This is BM25's weight of a
// word in Lucene's form. It is a whole number, so that no two implementations of the
// logarithm have to agree.
func rarity(n, df int) int {
	return int(math.Round(1000 * math.Log(1+(float64(n-df)+.5)/(float64(df)+.5))))
}

// frequencies returns the numbers of chunks and pages that contain any of the forms.
func (b *builder) frequencies(forms []*gathered) (chunks, pages int) {
	b.seen.begin(b)
	for _, f := range forms {
		for chunk := range f.body.all {
			b.seen.add(int32(chunk), 1)
		}
		for _, x := range f.headings {
			b.seen.add(x.chunk, x.n)
		}
		for _, x := range f.expanded {
			b.seen.add(x.chunk, 1)
		}
	}
	return b.seen.chunks, b.seen.pages
}
