package shards

import (
	"fmt"
	"math"
	"strings"
)

// Source returns the content of a file of the index by name.
type Source func(name string) ([]byte, error)

// Index is the index of one language, open for searches. Only one goroutine may use it at a
// time.
type Index struct {
	// Needs, if not nil, is called with each part of a file that a search needs, even if
	// it was read before.
	Needs func(Piece)

	source Source
	prefix string

	first       []int // first chunk of each page, and the total at the end
	titles      []int // number of words in each page's title
	chunkNorm   []float64
	pageNorm    []float64
	summaryNorm []float64
	little      map[string]bool
	endings     []string // endings of words, longest first
	words       []shard
	forward     []shard
	backward    []shard
	texts       []shard
	firstOfText []int // first chunk of each file of texts
	weights     map[int]float64
	same        map[int]*sameIn             // of pages with several versions
	Days        map[int]int                 // 20261124, by page
	Filters     map[string]map[string][]int // pages by name and value
	parsed      map[Piece]any               // parsed pieces
	vectors     *vectors                    // nil if none are open
}

// BM25's constants, with Lucene's values: how soon further occurrences count less, and how
// much the length of a text matters (Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond, 2009).
const (
	saturation = 1.2
	byLength   = .75
)

// most is the maximum size of a file in bytes. Build never writes larger ones.
const most = 64 << 20

// Open reads the first file of an index, named by Build.
func Open(source Source, entry string) (*Index, error) {
	x := &Index{source: source, prefix: entry[:strings.LastIndexByte(entry, '/')+1], parsed: map[Piece]any{}}
	b, err := x.read(entry)
	if err != nil {
		return nil, err
	}
	u := &unpacker{b: b}
	if v := u.uint(); v != version && v != versionExpands && u.err == nil {
		return nil, fmt.Errorf("%s: the index has version %d, but this program reads version %d", entry, v, versionExpands)
	}
	x.lengths(u)
	x.little = map[string]bool{}
	for range u.count() {
		x.little[u.word()] = true
	}
	for range u.count() {
		x.endings = append(x.endings, u.string())
	}
	for _, list := range []struct {
		kind   string
		shards *[]shard
	}{{"w", &x.words}, {"f", &x.forward}, {"b", &x.backward}} {
		u.last = ""
		for range u.count() {
			*list.shards = append(*list.shards, shard{first: u.word()})
		}
		x.place(u, list.kind, *list.shards)
	}
	at := 0
	for range u.count() {
		s := shard{count: u.uint()}
		x.texts, x.firstOfText = append(x.texts, s), append(x.firstOfText, at)
		at += s.count
	}
	x.place(u, "t", x.texts)
	x.readMeta(u)
	x.readSame(u)
	if u.err == nil && (at != x.chunks() || len(x.words) == 0) {
		u.fail("its counts")
	}
	if u.err != nil {
		return nil, fmt.Errorf("%s: %w", entry, u.err)
	}
	return x, nil
}

// shard is a part of the words or texts, with its first word or its number of chunks.
type shard struct {
	Piece
	first string
	count int
}

// place reads the places of shards.
func (x *Index) place(u *unpacker, kind string, shards []shard) {
	pieces := u.pieces(x.prefix, kind)
	if u.err == nil && len(pieces) != len(shards) {
		u.fail("its shards")
	}
	for i := range min(len(pieces), len(shards)) {
		shards[i].Piece = pieces[i]
	}
}

func (x *Index) pages() int  { return len(x.titles) }
func (x *Index) chunks() int { return x.first[len(x.first)-1] }

// lengths reads the number of chunks, and the lengths of chunks and pages.
func (x *Index) lengths(u *unpacker) {
	pages, chunks := u.count(), u.count()
	perChunk, perPage, perSummary := float64(u.uint())/1000, float64(u.uint())/1000, float64(u.uint())/1000
	x.first = make([]int, 1, pages+1)
	for i := range pages {
		x.first = append(x.first, x.first[i]+u.uint())
	}
	if u.err == nil && x.first[pages] != chunks {
		u.fail("the chunks of its pages")
	}
	for range pages {
		x.titles = append(x.titles, u.uint())
	}
	norm := func(average float64) float64 {
		n := float64(lengthOf(u.byte()))
		return saturation * (1 - byLength + float64(byLength*n)/average)
	}
	for range pages {
		x.pageNorm = append(x.pageNorm, norm(perPage))
	}
	for range pages {
		x.summaryNorm = append(x.summaryNorm, norm(perSummary))
	}
	if u.err != nil {
		return
	}
	for range chunks {
		x.chunkNorm = append(x.chunkNorm, norm(perChunk))
	}
}

// readMeta reads the pages' data for a search.
func (x *Index) readMeta(u *unpacker) {
	x.weights, x.Days, x.Filters = map[int]float64{}, map[int]int{}, map[string]map[string][]int{}
	page := 0
	for range u.count() {
		page += u.uint()
		x.weights[page] = float64(u.uint()) / 100
	}
	page = 0
	for range u.count() {
		page += u.uint()
		x.Days[page] = u.uint()
	}
	for range u.count() {
		values := map[string][]int{}
		x.Filters[u.string()] = values
		for range u.count() {
			value := u.string()
			page = 0
			for range u.count() {
				page += u.uint()
				values[value] = append(values[value], page)
			}
		}
	}
}

// read gets a file and decompresses it.
func (x *Index) read(name string) ([]byte, error) {
	b, err := x.source(name)
	if err != nil {
		return nil, err
	}
	return inflated(name, b)
}

// of returns a piece, parsed by parse. Each piece is read and parsed once.
func of[T any](x *Index, at Piece, parse func(*unpacker) T) (T, error) {
	var none T
	if x.Needs != nil {
		x.Needs(at)
	}
	if v, ok := x.parsed[at].(T); ok {
		return v, nil
	}
	b, err := x.source(at.Name)
	if err != nil {
		return none, err
	}
	if at.At+at.Size > len(b) {
		return none, fmt.Errorf("%s: %w: its end is missing", at.Name, ErrDamaged)
	}
	if b, err = inflated(at.Name, b[at.At:at.At+at.Size]); err != nil {
		return none, err
	}
	u := &unpacker{b: b}
	v := parse(u)
	if u.err != nil {
		return none, fmt.Errorf("%s: %w", at.Name, u.err)
	}
	x.parsed[at] = v
	return v, nil
}

// lexicon is a shard of postings.
type lexicon struct {
	groups  []group
	byForm  map[string]int    // number of the group
	aliases map[string]string // the first form of the group that a word belongs to
}

// form is a word as it occurs in texts.
type form struct {
	word     string
	body     []posting
	headings []posting
	summary  []posting // by page
	expanded []posting // n is a weight, in units of 1/finest
}

// posting holds the number of occurrences of a form in a chunk. For a section title it
// holds the first chunk and the number of chunks of the section.
type posting struct {
	chunk, n int32
	title    bool // the title is the page's
}

type group struct {
	chunkRarity, pageRarity float64
	forms                   []form
}

func (x *Index) lexicon(i int) (*lexicon, error) {
	return of(x, x.words[i].Piece, func(u *unpacker) *lexicon {
		l := &lexicon{byForm: map[string]int{}, aliases: map[string]string{}}
		for n := range u.count() {
			g := group{}
			forms := u.count()
			g.chunkRarity, g.pageRarity = float64(u.uint())/1000, float64(u.uint())/1000
			for range forms {
				f := form{word: u.word()}
				flags := u.uint()
				if flags&hasBody != 0 {
					f.body = u.counts(x.chunks())
				}
				if flags&hasHeadings != 0 {
					f.headings = x.headings(u)
				}
				if flags&hasSummary != 0 {
					f.summary = u.counts(x.pages())
				}
				if flags&hasExpanded != 0 {
					f.expanded = u.counts(x.chunks())
				}
				l.byForm[f.word] = n
				g.forms = append(g.forms, f)
			}
			l.groups = append(l.groups, g)
		}
		u.last = ""
		for range u.count() {
			w := u.word()
			l.aliases[w] = u.string()
		}
		return l
	})
}

// counts reads the texts that contain a form, with the number of occurrences, out of the
// given total.
func (u *unpacker) counts(texts int) []posting {
	n := u.count()
	out := make([]posting, 0, min(n, texts))
	at := 0
	for range n {
		step, often := u.uint(), 1
		at += step >> 1
		if step&1 != 0 {
			often = u.uint() + 2
		}
		if at >= texts || often > math.MaxInt32 {
			u.fail("a text")
			return nil
		}
		out = append(out, posting{chunk: int32(at), n: int32(often)})
	}
	return out
}

func (x *Index) headings(u *unpacker) []posting {
	n := u.count()
	out := make([]posting, 0, min(n, x.chunks()))
	at := 0
	for range n {
		step, held := u.uint(), u.uint()
		at += step >> 1
		if at+held > x.chunks() || held == 0 {
			u.fail("a heading")
			return nil
		}
		out = append(out, posting{chunk: int32(at), n: int32(held), title: step&1 != 0})
	}
	return out
}

// spelt is a possible correction. often is the length in binary digits of its number of
// occurrences on the site.
type spelt struct {
	word  string
	often int
}

func (x *Index) spelling(at Piece) ([]spelt, error) {
	return of(x, at, func(u *unpacker) (out []spelt) {
		for len(u.b) > 0 {
			out = append(out, spelt{u.word(), u.uint()})
		}
		return out
	})
}
