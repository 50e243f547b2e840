package index

import (
	"encoding/binary"
	"fmt"
	"slices"

	"seam/shared/language"
	"seam/shared/text"
)

// Section is a part of a document with a title: the texts from First up to, but not
// including, Last.
type Section struct {
	Title       string
	First, Last int // Last is exclusive
}

// Source is the input for indexing a document.
type Source struct {
	Title    string
	Sections []Section // ordered by their start, outer before inner
	Texts    []string  // chunks, in order
	// Expansions are words that a text lacks but may be searched for by, with weights above
	// 0. A weight of 1 equals one occurrence in the text. It is nil, or has one entry per
	// text.
	Expansions []map[string]float64
}

// Document is an indexed Source. A Corpus consists of Documents.
type Document struct {
	language string
	vocabulary
	at       []uint32 // start of each form's postings
	postings []byte
	lengths  []uint32 // words of each text
	groups   []int32  // for each text, the part of the document that provides its context; ascending
	sections []Section
}

// The postings of a form begin with the number of texts that contain it. For each text
// there follow the distance from the previous text and twice the number of occurrences.
// That number is odd if another one follows: the form's weight as an expansion, in units of
// 1/16. Then come the number of titles that contain the form and, for each, its section
// number as a distance, and the number of occurrences. The document's title belongs to
// section 0. All numbers are varints of encoding/binary.

// Analyse indexes one document. It calls progress from time to time, and stops with the
// error that progress returns.
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

// newDocument returns a document with the sections of a source, without words.
func newDocument(s Source) *Document {
	d := &Document{lengths: make([]uint32, len(s.Texts)), sections: []Section{{Title: s.Title, Last: len(s.Texts)}}}
	for _, section := range s.Sections {
		if section.First < section.Last && section.First >= 0 && section.Last <= len(s.Texts) {
			d.sections = append(d.sections, section)
		}
	}
	return d
}

// sampled is the number of bytes of a document examined to detect its language.
const sampled = 50_000

// LanguageOf returns the code of the main language of the texts, or English if it cannot be
// detected.
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

// stream holds the words of texts, or of titles, one after another.
type stream struct {
	forms []int32
	ends  []int // end of each text in forms
}

// weighing is the weight of a form as an expansion of a text.
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

// read adds the words of a text and returns their number.
func (b *builder) read(to *stream, t string) uint32 {
	before := len(to.forms)
	eachWord(t, b.buf[:0], func(form []byte, _ text.Span, _ bool) { to.forms = append(to.forms, b.form(form)) })
	to.ends = append(to.ends, len(to.forms))
	return uint32(len(to.forms) - before)
}

// byForm returns, for each form, the texts that contain it, in order and repeated for each
// occurrence. The texts of form i are texts[at[i]:at[i+1]].
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

// finest is the smallest step between weights of expansions.
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

// finish writes the postings of all forms in order.
func (b *builder) finish(d *Document) {
	n := len(b.words)
	texts, at := b.texts.byForm(n)
	titles, titled := b.titles.byForm(n)
	var memory []byte
	d.words, d.at = make([]word, n), make([]uint32, n)
	text := func(i int32) string { return b.words[i] }
	for i, f := range ordered(n, text, func(x, y int32) bool { return b.words[x] < b.words[y] }) {
		memory, d.words[i] = appendWord(memory, b.words[f], stem(b.words[f], d.language))
		d.at[i] = uint32(len(d.postings))
		var extra []weighing
		if int(f) < len(b.extra) {
			extra = b.extra[f]
		}
		d.postings = appendPostings(d.postings, texts[at[f]:at[f+1]], extra)
		d.postings = appendPostings(d.postings, titles[titled[f]:titled[f+1]], nil)
	}
	d.memory, d.postings = string(memory), slices.Clip(d.postings)
}

// appendPostings writes the postings of a form. A text appears in texts once per
// occurrence. Both lists ascend.
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

// nextPosting returns the next text, its weight as an expansion, and where the lists
// continue after it.
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

// fewest is the minimum number of texts in a group, if a section has that many.
const fewest = 3

// most is the maximum number of texts in a group of a document without sections.
const most = 8

// group assigns each text the smallest section that contains it and has enough texts. Texts
// outside all sections are divided into even groups.
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
