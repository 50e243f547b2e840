package index

import (
	"encoding/binary"
	"fmt"
	"slices"

	"seam/shared/language"
	"seam/shared/text"
)

// Section is a part of a document with a title: the texts from First up to Last.
type Section struct {
	Title       string
	First, Last int // Last is not of it
}

// Source is what of a document is indexed.
type Source struct {
	Title    string
	Sections []Section // in the order of their beginnings, the outer before the inner
	Texts    []string  // chunks, in their order
	// Expansions are words that a text could be asked for with and does not have, with
	// weights above 0: 1 is that of a word that it has once. Nil, or one a text.
	Expansions []map[string]float64
}

// Document is a Source that was indexed: what a Corpus is made of.
type Document struct {
	language string
	forms    []string // its words, sorted
	stems    []string // of the forms
	at       []uint32 // where the postings of a form begin
	postings []byte
	lengths  []uint32 // words of each text
	groups   []int32  // of each text, the part of the document that it is judged with; ascending
	sections []Section
}

// Postings of a form: how many texts hold it, then for each the distance from the text
// before, and how often it stands there, twice, and one more where a number of 1/16
// follows for its weight as an expansion. Then how many titles hold it, and for each the
// number of its section, by distance, and how often. The title of the document is that of
// section 0. All are varints of encoding/binary.

// Analyse indexes one document. progress, which is asked now and then, ends the work with
// an error.
func Analyse(s Source, progress func(done, total int) error) (*Document, error) {
	if s.Expansions != nil && len(s.Expansions) != len(s.Texts) {
		return nil, fmt.Errorf("expansions of %d texts for %d", len(s.Expansions), len(s.Texts))
	}
	b := builder{forms: map[string]int32{}}
	d := newDocument(s)
	for i, t := range s.Texts {
		if err := progress(i, len(s.Texts)); err != nil {
			return nil, err
		}
		d.lengths[i] = b.read(&b.texts, t)
		if s.Expansions != nil {
			b.expand(int32(i), s.Expansions[i])
		}
	}
	for _, section := range d.sections {
		b.read(&b.titles, section.Title)
	}
	d.language = LanguageOf(s.Texts)
	b.finish(d)
	d.group()
	return d, nil
}

// newDocument has the sections of a source, and no words.
func newDocument(s Source) *Document {
	d := &Document{lengths: make([]uint32, len(s.Texts)), sections: []Section{{Title: s.Title, Last: len(s.Texts)}}}
	for _, section := range s.Sections {
		if section.First < section.Last && section.First >= 0 && section.Last <= len(s.Texts) {
			d.sections = append(d.sections, section)
		}
	}
	return d
}

// sampled is how many bytes of a document its language is found in.
const sampled = 50_000

// LanguageOf is the code of the language of most of the texts, English where nothing tells.
func LanguageOf(texts []string) string {
	total := 0
	for _, t := range texts {
		total += len(t)
	}
	var sample []byte
	every := max(1, total/sampled)
	for i := 0; i < len(texts); i += every {
		sample = append(append(sample, texts[i]...), '\n')
	}
	for _, share := range language.Detect(string(sample)) {
		if share.Code != "" {
			return share.Code
		}
	}
	return "en"
}

// builder collects the words of a document.
type builder struct {
	forms  map[string]int32
	words  []string // forms by number
	texts  stream
	titles stream
	extra  [][]weighing // expansions, by form
	buf    [longestWord + 8]byte
}

// stream is the words of texts, or of titles, one after another.
type stream struct {
	forms []int32
	ends  []int // of each text
}

// weighing is what a form weighs in a text as an expansion.
type weighing struct{ of, weight int32 }

// form returns the number of a form.
func (b *builder) form(form []byte) int32 {
	i, ok := b.forms[string(form)]
	if !ok {
		i = int32(len(b.words))
		word := string(form)
		b.forms[word] = i
		b.words = append(b.words, word)
	}
	return i
}

// read adds the words of a text, and returns how many they are.
func (b *builder) read(to *stream, t string) uint32 {
	before := len(to.forms)
	eachWord(t, b.buf[:0], func(form []byte, _ text.Span, _ bool) { to.forms = append(to.forms, b.form(form)) })
	to.ends = append(to.ends, len(to.forms))
	return uint32(len(to.forms) - before)
}

// byForm returns for each form the texts in which it stands, in their order and as often
// as it does: those of form i are texts[at[i]:at[i+1]].
func (s *stream) byForm(forms int) (texts []int32, at []int) {
	at = make([]int, forms+1)
	for _, f := range s.forms {
		at[f+1]++
	}
	for i := range forms {
		at[i+1] += at[i]
	}
	texts = make([]int32, len(s.forms))
	next := append([]int{}, at[:forms]...)
	first := 0
	for t, end := range s.ends {
		for _, f := range s.forms[first:end] {
			texts[next[f]] = int32(t)
			next[f]++
		}
		first = end
	}
	return texts, at
}

// finest is the least weight of an expansion that is told apart.
const finest = 1.0 / 16

func (b *builder) expand(i int32, words map[string]float64) {
	for word, weight := range words {
		if weight = min(weight, 64); !(weight >= finest/2) {
			continue
		}
		eachWord(word, b.buf[:0], func(form []byte, _ text.Span, single bool) {
			if single {
				return
			}
			f := b.form(form)
			for int(f) >= len(b.extra) {
				b.extra = append(b.extra, nil)
			}
			b.extra[f] = append(b.extra[f], weighing{i, int32(weight/finest + .5)})
		})
	}
}

// finish writes the postings of all forms in their order.
func (b *builder) finish(d *Document) {
	n := len(b.words)
	texts, at := b.texts.byForm(n)
	titles, titled := b.titles.byForm(n)
	sorted := make([]int32, n)
	for i := range sorted {
		sorted[i] = int32(i)
	}
	order(sorted, func(x, y *int32) bool { return b.words[*x] < b.words[*y] })
	d.forms, d.stems, d.at = make([]string, n), make([]string, n), make([]uint32, n)
	for i, f := range sorted {
		d.forms[i] = b.words[f]
		d.stems[i] = stem(d.forms[i], d.language)
		d.at[i] = uint32(len(d.postings))
		var extra []weighing
		if int(f) < len(b.extra) {
			extra = b.extra[f]
		}
		d.postings = appendPostings(d.postings, texts[at[f]:at[f+1]], extra)
		d.postings = appendPostings(d.postings, titles[titled[f]:titled[f+1]], nil)
	}
	d.postings = slices.Clip(d.postings)
}

// appendPostings writes the list of a form that stands in texts, in each as often as the
// text is there. Both lists ascend.
func appendPostings(to []byte, texts []int32, extra []weighing) []byte {
	different := 0
	for i, j := 0, 0; i < len(texts) || j < len(extra); different++ {
		_, _, i, j = nextPosting(texts, extra, i, j)
	}
	to = binary.AppendUvarint(to, uint64(different))
	before := int32(0)
	for i, j := 0, 0; i < len(texts) || j < len(extra); {
		first := i
		of, weight, ni, nj := nextPosting(texts, extra, i, j)
		i, j = ni, nj
		to = binary.AppendUvarint(to, uint64(of-before))
		before = of
		n := uint64(i-first) << 1
		if weight > 0 {
			to = binary.AppendUvarint(to, n|1)
			to = binary.AppendUvarint(to, uint64(weight))
			continue
		}
		to = binary.AppendUvarint(to, n)
	}
	return to
}

// nextPosting returns the text that comes next, its weight as an expansion, and where the
// lists go on after it.
func nextPosting(texts []int32, extra []weighing, i, j int) (of, weight int32, nextText, nextExtra int) {
	if i < len(texts) && (j == len(extra) || texts[i] <= extra[j].of) {
		of = texts[i]
	} else {
		of = extra[j].of
	}
	for i < len(texts) && texts[i] == of {
		i++
	}
	for j < len(extra) && extra[j].of == of {
		weight += extra[j].weight
		j++
	}
	return of, weight, i, j
}

// fewest is how many texts make a group, where a section has so many.
const fewest = 3

// most is how many texts of a document without sections make one.
const most = 8

// group gives each text the smallest section that holds it and has enough texts; what
// is in none is divided evenly.
func (d *Document) group() {
	n := len(d.lengths)
	d.groups = make([]int32, n)
	of := make([]int32, n) // section of each text
	for i, s := range d.sections {
		if i == 0 || s.Last-s.First >= fewest && s.Last-s.First < n {
			for t := s.First; t < s.Last; t++ {
				of[t] = int32(i)
			}
		}
	}
	group := 0
	for i := 0; i < n; {
		run := i
		for run < n && of[run] == of[i] {
			run++
		}
		parts := (run - i + most - 1) / most
		for t := i; t < run; t++ {
			d.groups[t] = int32(group + (t-i)*parts/(run-i))
		}
		group, i = group+parts, run
	}
}
