// Package index finds texts by the words of a query: the same words, their other forms, and
// likely corrections of misspelt words. The part of the document around a text counts, too.
// The package combines this with the similarity of vectors.
package index

import (
	"encoding/binary"
	"slices"
	"sort"
)

// Corpus is a set of documents to search together. Only one goroutine may search it at a
// time. Its texts are numbered consecutively.
type Corpus struct {
	docs []*Document
	base []int32 // number of each document's first text

	forms []string // of all documents, sorted
	lists []uint32 // start of each form's entries in `in`; has one more element than forms
	in    []place

	entries []entry // one for each form and stem, perhaps several
	stems   table   // of the first entry with each stem
	next    []int32 // another entry with the same stem, or -1

	languages []string // of the documents

	texts level
	parts level
	whole level

	reader reader // caches texts that searches have read
}

// place is the position of a form's postings.
type place struct{ doc, at uint32 }

// level divides a corpus into units for one kind of evidence: texts, groups of texts, or
// documents.
type level struct {
	of      []int32  // unit of each text; nil if the units are the texts
	lengths []uint32 // words of each unit
	average float64
}

// NewCorpus combines documents. It does not read their texts again.
func NewCorpus(docs ...*Document) *Corpus {
	c := &Corpus{docs: docs, base: make([]int32, len(docs))}
	n := int32(0)
	for i, d := range docs {
		c.base[i] = n
		n += int32(len(d.lengths))
		if !slices.Contains(c.languages, d.language) {
			c.languages = append(c.languages, d.language)
		}
	}
	c.merge()
	c.measure(int(n))
	return c
}

// merge combines the documents' vocabularies. It numbers the forms by their first
// occurrence, and sorts only the different ones.
func (c *Corpus) merge() {
	total := 0
	for _, d := range c.docs {
		total += len(d.words)
	}
	var first, others []entry // the first entry of each form, and those with another stem
	text := func(id int32) string { return c.docs[first[id].doc].form(int(first[id].word)) }
	ids := newTable(total/max(1, min(4, len(c.docs))), text)
	var counts []uint32           // of the entries of each form
	of := make([]int32, 0, total) // the form of each entry
	for doc, d := range c.docs {
		first, counts = slices.Grow(first, len(d.words)), slices.Grow(counts, len(d.words))
		for i := range d.words {
			f := d.form(i)
			hash := hashOf(f)
			id, slot := ids.find(f, hash)
			if id < 0 {
				id = int32(len(first))
				counts, first = append(counts, 0), append(first, entry{uint32(doc), uint32(i), id})
				ids.put(slot, hash, id)
			} else if d.stem(i) != c.stemAt(first[id]) { // in another language
				others = append(others, entry{uint32(doc), uint32(i), id})
			}
			counts[id]++
			of = append(of, id)
		}
	}
	n := len(first)
	rank, next := make([]int32, n), make([]uint32, n)
	c.forms, c.lists = make([]string, n), make([]uint32, n+1)
	for i, id := range ordered(n, text, func(a, b int32) bool { return text(a) < text(b) }) {
		c.forms[i], rank[id], next[id] = text(id), int32(i), c.lists[i]
		c.lists[i+1] = c.lists[i] + counts[id]
	}
	c.in = make([]place, total)
	for doc, d := range c.docs {
		for _, at := range d.at {
			id := of[0]
			of = of[1:]
			c.in[next[id]] = place{uint32(doc), at}
			next[id]++
		}
	}
	c.mergeStems(append(first, others...), rank)
}

// entry is a word of a document, with the number of its form: before the forms are sorted,
// of its first occurrence.
type entry struct {
	doc, word uint32
	form      int32
}

func (c *Corpus) stemAt(e entry) string { return c.docs[e.doc].stem(int(e.word)) }

// mergeStems links the entries of each stem. rank holds the place of each form.
func (c *Corpus) mergeStems(all []entry, rank []int32) {
	c.entries, c.next = all, make([]int32, len(all))
	c.stems = newTable(len(all), func(i int32) string { return c.stemAt(all[i]) })
	for i := range all {
		all[i].form = rank[all[i].form]
		stem := c.stemAt(all[i])
		hash := hashOf(stem)
		if first, slot := c.stems.find(stem, hash); first < 0 {
			c.stems.put(slot, hash, int32(i))
			c.next[i] = -1
		} else {
			c.next[first], c.next[i] = int32(i), c.next[first]
		}
	}
}

// ordering implements sort.Interface for order. It needs one copy of code for all types,
// unlike slices.SortFunc.
type ordering struct {
	n    int
	less func(i, j int) bool
	swap func(i, j int)
}

func (o ordering) Len() int           { return o.n }
func (o ordering) Less(i, j int) bool { return o.less(i, j) }
func (o ordering) Swap(i, j int)      { o.swap(i, j) }

// order sorts s. The order of equal elements is not defined.
func order[T any](s []T, less func(a, b *T) bool) {
	sort.Sort(ordering{len(s), func(i, j int) bool { return less(&s[i], &s[j]) }, func(i, j int) { s[i], s[j] = s[j], s[i] }})
}

// measure finds the units of each level and their lengths.
func (c *Corpus) measure(n int) {
	c.texts.lengths = make([]uint32, 0, n)
	c.parts.of, c.whole.of = make([]int32, 0, n), make([]int32, 0, n)
	for i, d := range c.docs {
		c.texts.lengths = append(c.texts.lengths, d.lengths...)
		base := int32(len(c.parts.lengths))
		for t, g := range d.groups {
			unit := base + g
			if int(unit) == len(c.parts.lengths) {
				c.parts.lengths = append(c.parts.lengths, 0)
			}
			c.parts.lengths[unit] += d.lengths[t]
			c.parts.of = append(c.parts.of, unit)
			c.whole.of = append(c.whole.of, int32(i))
		}
		c.whole.lengths = append(c.whole.lengths, 0)
		for _, l := range d.lengths {
			c.whole.lengths[i] += l
		}
	}
	for _, l := range []*level{&c.texts, &c.parts, &c.whole} {
		sum := 0
		for _, n := range l.lengths {
			sum += int(n)
		}
		if len(l.lengths) > 0 {
			l.average = max(1, float64(sum)/float64(len(l.lengths)))
		}
	}
}

// Language returns the code of the document's main language.
func (d *Document) Language() string { return d.language }

// Len returns the number of texts.
func (d *Document) Len() int { return len(d.lengths) }

// Len returns the number of texts.
func (c *Corpus) Len() int { return len(c.texts.lengths) }

// Forms returns the words of the corpus, sorted.
func (c *Corpus) Forms() []string { return c.forms }

// formAt returns the number of a form, and false if no text has it.
func (c *Corpus) formAt(form string) (int32, bool) {
	i, ok := slices.BinarySearch(c.forms, form)
	return int32(i), ok
}

// withStem returns the forms with the given stem, sorted.
func (c *Corpus) withStem(stem string) (forms []int32) {
	for i, _ := c.stems.find(stem, hashOf(stem)); i >= 0; i = c.next[i] {
		if form := c.entries[i].form; !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	order(forms, func(a, b *int32) bool { return *a < *b })
	return forms
}

// withPrefix returns the range of the forms with the given prefix.
func (c *Corpus) withPrefix(prefix string) (from, to int) {
	from, _ = slices.BinarySearch(c.forms, prefix)
	to = from + sort.Search(len(c.forms)-from, func(i int) bool {
		f := c.forms[from+i]
		return len(f) < len(prefix) || f[:len(prefix)] != prefix
	})
	return from, to
}

// frequency returns the number of texts and titles that contain a form.
func (c *Corpus) frequency(form int32) int {
	n := 0
	for _, p := range c.in[c.lists[form]:c.lists[form+1]] {
		count, size := binary.Uvarint(c.docs[p.doc].postings[p.at:])
		if n += int(count); count == 0 { // in titles alone
			count, _ = binary.Uvarint(c.docs[p.doc].postings[int(p.at)+size:])
			n += int(count)
		}
	}
	return n
}

// each calls found for each text that contains a form, with the number of occurrences.
// Occurrences in the titles of the text's sections are included at the weight title.
func (c *Corpus) each(form int32, title float64, found func(text int32, n float64)) {
	for _, p := range c.in[c.lists[form]:c.lists[form+1]] {
		d, base := c.docs[p.doc], c.base[p.doc]
		rest := readPostings(d.postings[p.at:], func(text int32, n, weight float64) { found(base+text, n+weight) })
		readPostings(rest, func(section int32, n, _ float64) {
			s := d.sections[section]
			for t := s.First; t < s.Last; t++ {
				found(base+int32(t), float64(title*n))
			}
		})
	}
}

// readPostings calls each for the entries of one list, and returns the bytes after it.
func readPostings(b []byte, each func(of int32, n, weight float64)) []byte {
	count, size := binary.Uvarint(b)
	b = b[size:]
	of := int32(0)
	for range count {
		delta, size := binary.Uvarint(b)
		b = b[size:]
		of += int32(delta)
		n, size := binary.Uvarint(b)
		b = b[size:]
		weight := 0.0
		if n&1 == 1 {
			w, size := binary.Uvarint(b)
			b = b[size:]
			weight = float64(w) * finest
		}
		each(of, float64(n>>1), weight)
	}
	return b
}
