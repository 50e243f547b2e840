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

// Document is a Source that was indexed: what a Collection is made of.
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
	d := &Document{lengths: make([]uint32, len(s.Texts)), sections: []Section{{Title: s.Title, Last: len(s.Texts)}}}
	for _, section := range s.Sections {
		if section.First < section.Last && section.First >= 0 && section.Last <= len(s.Texts) {
			d.sections = append(d.sections, section)
		}
	}
	for i, t := range s.Texts {
		if err := progress(i, len(s.Texts)); err != nil {
			return nil, err
		}
		d.lengths[i] = b.text(int32(i), t)
		if s.Expansions != nil {
			b.expand(int32(i), s.Expansions[i])
		}
	}
	for i, section := range d.sections {
		b.title(int32(i), section.Title)
	}
	d.language = languageOf(s.Texts)
	b.finish(d)
	d.group()
	return d, nil
}

// sampled is how many bytes of a document its language is found in.
const sampled = 50_000

// languageOf is the language of most of the texts, English where nothing tells.
func languageOf(texts []string) string {
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

// occurrence is a form in a text or, where title is set, in the title of a section.
type occurrence struct {
	of, n, weight int32
	title         bool
}

// builder collects the occurrences of each form.
type builder struct {
	forms map[string]int32
	words []string       // forms by number
	all   [][]occurrence // by form; those of one text are one
	buf   [longestWord + 8]byte
}

func (b *builder) add(form []byte, o occurrence) {
	i, ok := b.forms[string(form)]
	if !ok {
		i = int32(len(b.words))
		word := string(form)
		b.forms[word] = i
		b.words = append(b.words, word)
		b.all = append(b.all, nil)
	}
	list := b.all[i]
	if n := len(list); n > 0 && list[n-1].of == o.of && list[n-1].title == o.title {
		list[n-1].n += o.n
		list[n-1].weight += o.weight
		return
	}
	b.all[i] = append(list, o)
}

// text adds the words of a text, and returns how many they are.
func (b *builder) text(i int32, t string) (n uint32) {
	eachWord(t, b.buf[:0], func(form []byte, _ text.Span, _ bool) {
		n++
		b.add(form, occurrence{of: i, n: 1})
	})
	return n
}

// finest is the least weight of an expansion that is told apart.
const finest = 1.0 / 16

func (b *builder) expand(i int32, words map[string]float64) {
	for word, weight := range words {
		if weight = min(weight, 64); !(weight >= finest/2) {
			continue
		}
		eachWord(word, b.buf[:0], func(form []byte, _ text.Span, single bool) {
			if !single {
				b.add(form, occurrence{of: i, weight: int32(weight/finest + .5)})
			}
		})
	}
}

func (b *builder) title(i int32, t string) {
	eachWord(t, b.buf[:0], func(form []byte, _ text.Span, _ bool) { b.add(form, occurrence{of: i, n: 1, title: true}) })
}

// finish writes the postings of all forms in their order.
func (b *builder) finish(d *Document) {
	sorted := make([]int32, len(b.words))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	order(sorted, func(x, y *int32) bool { return b.words[*x] < b.words[*y] })
	d.forms, d.stems, d.at = make([]string, len(sorted)), make([]string, len(sorted)), make([]uint32, len(sorted))
	for i, form := range sorted {
		d.forms[i] = b.words[form]
		d.stems[i] = stem(d.forms[i], d.language)
		d.at[i] = uint32(len(d.postings))
		list := b.all[form]
		titles := slices.IndexFunc(list, func(o occurrence) bool { return o.title })
		if titles < 0 {
			titles = len(list)
		}
		d.postings = appendPostings(d.postings, list[:titles])
		d.postings = appendPostings(d.postings, list[titles:])
	}
	d.postings = slices.Clip(d.postings)
}

func appendPostings(to []byte, list []occurrence) []byte {
	to = binary.AppendUvarint(to, uint64(len(list)))
	before := int32(0)
	for _, o := range list {
		to = binary.AppendUvarint(to, uint64(o.of-before))
		before = o.of
		if o.weight > 0 {
			to = binary.AppendUvarint(to, uint64(o.n)<<1|1)
			to = binary.AppendUvarint(to, uint64(o.weight))
			continue
		}
		to = binary.AppendUvarint(to, uint64(o.n)<<1)
	}
	return to
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
